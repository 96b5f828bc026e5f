-- A workload for the SQLite shell: bulk inserts, indexes, joins, aggregates, windows, recursive queries, JSON, full
-- text search, R-trees, triggers, foreign keys, savepoints, errors, a file with journal and WAL, VACUUM, .dump.
-- Nothing here depends on time or on random numbers.
.mode list
.bail off
CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL, d BLOB);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<12000)
INSERT INTO t SELECT i, 'name'||(i*7919%1007), i*1.5, zeroblob(i%40) FROM n;
COMMIT;
CREATE INDEX ib ON t(b);
CREATE INDEX ic ON t(c, b) WHERE a%2=0;
ANALYZE;
SELECT count(*), sum(a), avg(c), total(length(d)) FROM t WHERE b LIKE '%77%' OR b GLOB '*5?1';
SELECT b, count(*) k FROM t GROUP BY b HAVING k > 5 ORDER BY k DESC, b LIMIT 5;
SELECT x.a, y.a FROM t x JOIN t y ON x.b=y.b WHERE x.a<200 AND y.a>x.a ORDER BY x.a, y.a LIMIT 5;
SELECT x.a, y.b FROM t x LEFT JOIN (SELECT a, b FROM t WHERE a%7=0 ORDER BY c DESC) y ON y.a=x.a+1 WHERE x.a<20;
UPDATE t SET c=c+length(b) WHERE a%3=0;
DELETE FROM t WHERE a%11=0 AND a<60 RETURNING a, b;
DELETE FROM t WHERE a%11=0;
SELECT substr(group_concat(upper(b)),1,50) FROM (SELECT b FROM t ORDER BY c LIMIT 2000);
WITH RECURSIVE f(i,x,y) AS (SELECT 1,0,1 UNION ALL SELECT i+1,y,(x+y)%1000007 FROM f WHERE i<8000) SELECT max(x) FROM f;
-- windows and compound queries
SELECT a, sum(c) OVER w, rank() OVER (PARTITION BY a%3 ORDER BY b), lag(b,2,'none') OVER w, ntile(4) OVER w
  FROM t WHERE a<40 WINDOW w AS (ORDER BY a ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW);
SELECT a%10 FROM t UNION SELECT a%13 FROM t EXCEPT SELECT 7 INTERSECT SELECT value FROM generate_series(0,9) ORDER BY 1;
-- JSON, strings, dates, mathematics
SELECT sum(json_extract('{"a":[1,2,'||a||']}','$.a[2]')) FROM t WHERE a<4000;
SELECT json_group_array(json_object('a',a,'b',b)) FROM t WHERE a<6;
SELECT key, value, type, path FROM json_tree('{"x":[1,{"y":null,"z":true}],"w":"v"}');
SELECT json_patch('{"a":1,"b":{"c":2}}','{"b":{"c":null,"d":3}}'), json_set('[1,2]','$[#]',3), hex(jsonb('{"k":[1.5e3]}'));
SELECT printf('%08.3f|%-10s|%+d|%x|%q|%,d', 3.14159, 'left', 42, 255, 'it''s', 1234567), quote(zeroblob(3)), replace('abcabc','b','--');
SELECT date('2020-02-28','+1 day','weekday 0'), strftime('%j %W %s','2001-09-09 01:46:40'), julianday('2000-01-01 12:00'), unixepoch('1999-12-31');
SELECT round(sum(sqrt(a)*sin(a)+ln(a)),3), max(pow(a,0.3)) FROM t WHERE a BETWEEN 1 AND 900;
SELECT 'regexp', count(*) FROM t WHERE b REGEXP '^name[1-3]+(5|7)$';
-- triggers, foreign keys, upsert, generated columns, views
PRAGMA foreign_keys=ON;
PRAGMA recursive_triggers=ON;
CREATE TABLE p(id INTEGER PRIMARY KEY, name TEXT UNIQUE COLLATE NOCASE, twice INT GENERATED ALWAYS AS (id*2) STORED) STRICT;
CREATE TABLE q(pid REFERENCES p(id) ON DELETE CASCADE ON UPDATE CASCADE, v, PRIMARY KEY(pid, v)) WITHOUT ROWID;
CREATE TABLE log(what);
CREATE TRIGGER tp AFTER INSERT ON p WHEN new.id<40 BEGIN INSERT INTO log VALUES('p'||new.id); INSERT INTO p(id,name) VALUES(new.id+10,'n'||(new.id+10)) ON CONFLICT DO NOTHING; END;
CREATE TRIGGER tq BEFORE DELETE ON q BEGIN INSERT INTO log SELECT 'gone '||old.v; END;
CREATE VIEW pq AS SELECT p.id, p.twice, count(q.v) k FROM p LEFT JOIN q ON q.pid=p.id GROUP BY p.id;
CREATE TRIGGER tv INSTEAD OF INSERT ON pq BEGIN INSERT INTO p(id,name) VALUES(new.id,'view'||new.id); END;
INSERT INTO p(id,name) VALUES(1,'one'),(2,'two'),(3,'three');
INSERT INTO pq(id) VALUES(100),(101);
INSERT INTO q SELECT id, value FROM p, generate_series(1,5);
INSERT INTO p(id,name) VALUES(1,'again') ON CONFLICT(id) DO UPDATE SET name=excluded.name||'!' WHERE id<5;
UPDATE p SET id=id+1000 WHERE id=2;
DELETE FROM p WHERE id IN (3,11);
SELECT * FROM pq ORDER BY id;
SELECT count(*), max(what), min(what) FROM log;
-- errors: each is reported and the script goes on
INSERT INTO p(id,name) VALUES(1,'taken');
INSERT INTO q VALUES(77777,1);
INSERT INTO p(id,name) VALUES('text','wrong type');
SELECT no_such_column FROM t;
SELECT * FROM (SELECT;
SELECT json('{bad');
SELECT abs(-9223372036854775808);
SELECT CASE WHEN 1 THEN RAISE(ABORT,'no') END;
-- transactions
BEGIN;
SAVEPOINT one;
UPDATE t SET b='changed' WHERE a<500;
SAVEPOINT two;
DELETE FROM t WHERE a<1000;
ROLLBACK TO two;
SELECT count(*) FROM t WHERE b='changed';
ROLLBACK TO one;
RELEASE one;
COMMIT;
SELECT count(*) FROM t WHERE b='changed';
-- full text and R-tree
CREATE VIRTUAL TABLE docs USING fts5(title, body, tokenize='porter unicode61', prefix='2 3');
INSERT INTO docs SELECT 'title '||a, 'the '||b||' runs quickly over running hills '||(a%37)||' and '||(a%11) FROM t WHERE a<1200;
INSERT INTO docs(docs) VALUES('optimize');
SELECT count(*) FROM docs WHERE docs MATCH 'run AND (name77* OR hill NOT 5)';
SELECT title, snippet(docs,1,'[',']','..',4), round(bm25(docs),4) FROM docs WHERE docs MATCH 'body:NEAR(quickly hills, 3) AND "and 7"' ORDER BY rank, rowid LIMIT 4;
INSERT INTO docs(docs) VALUES('integrity-check');
CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1, y0, y1);
INSERT INTO boxes SELECT a, a%97, a%97+3, a%89, a%89+5 FROM t WHERE a<2500;
SELECT count(*), sum(id) FROM boxes WHERE x0>=10 AND x1<=40 AND y0>=20 AND y1<=60;
DELETE FROM boxes WHERE id%3=0;
SELECT count(*) FROM boxes WHERE x0<5;
-- a sort that goes through temporary files
PRAGMA temp_store=FILE;
PRAGMA cache_size=20;
SELECT max(k) FROM (SELECT b||hex(c)||hex(zeroblob(60)) k FROM t UNION ALL SELECT b||a FROM t ORDER BY 1 DESC LIMIT 4000 OFFSET 300);
-- a file: rollback journal, then WAL, VACUUM, incremental blobs, backup
ATTACH 'disk.db' AS disk;
PRAGMA disk.page_size=1024;
CREATE TABLE disk.u(x PRIMARY KEY, y) WITHOUT ROWID;
INSERT INTO disk.u SELECT b||'-'||a, c FROM t;
PRAGMA disk.journal_mode=WAL;
BEGIN;
DELETE FROM disk.u WHERE x LIKE '%3%';
UPDATE disk.u SET y=y+1;
COMMIT;
PRAGMA disk.wal_checkpoint(TRUNCATE);
PRAGMA disk.journal_mode=DELETE;
VACUUM disk;
PRAGMA disk.integrity_check;
SELECT count(*), round(sum(y),2) FROM disk.u;
DETACH disk;
PRAGMA integrity_check;
EXPLAIN QUERY PLAN SELECT * FROM t x, t y, p WHERE x.b=y.b AND p.id=x.a AND y.c>5 ORDER BY x.c, p.name;
.mode box
SELECT a, b, c FROM t WHERE a IN (1,2,3);
.mode json
SELECT a, b, c FROM t WHERE a IN (4,5,6);
.mode csv
.headers on
SELECT * FROM pq LIMIT 4;
.mode line
SELECT * FROM p LIMIT 2;
.schema p%
.indexes
.dump p q log
.sha3sum p q
.import /nonexistent nowhere
.nonsense
