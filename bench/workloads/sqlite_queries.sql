-- Scans, grouping, a join, updates, text, recursion, JSON.
SELECT count(*), sum(a), avg(c) FROM t WHERE b LIKE '%77%';
SELECT b, count(*) k FROM t GROUP BY b HAVING k > 5 ORDER BY k DESC, b LIMIT 5;
SELECT x.a, y.a FROM t x JOIN t y ON x.b=y.b WHERE x.a<200 AND y.a>x.a ORDER BY x.a, y.a LIMIT 5;
UPDATE t SET c=c+length(b) WHERE a%3=0;
DELETE FROM t WHERE a%11=0;
SELECT substr(group_concat(upper(b)),1,50) FROM (SELECT b FROM t ORDER BY c LIMIT 2000);
WITH RECURSIVE f(i,x,y) AS (SELECT 1,0,1 UNION ALL SELECT i+1,y,(x+y)%1000007 FROM f WHERE i<40000) SELECT max(x) FROM f;
SELECT sum(json_extract('{"a":[1,2,'||a||']}','$.a[2]')) FROM t WHERE a<20000;
