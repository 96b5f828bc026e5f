-- A table of 60,000 rows with two indices; sqlite_queries.sql is run on it again and again.
CREATE TABLE t(a INTEGER PRIMARY KEY, b TEXT, c REAL, d BLOB);
BEGIN;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<60000)
INSERT INTO t SELECT i, 'name'||(i*7919%10007), i*1.5, zeroblob(i%40) FROM n;
COMMIT;
CREATE INDEX ib ON t(b);
CREATE INDEX ic ON t(c, b);
