-- Orders, customers: inserts, indices, joins by key, grouping, windows, text, subqueries, updates, views, triggers.
CREATE TABLE customer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, rating INT);
CREATE TABLE orders(no INTEGER PRIMARY KEY AUTOINCREMENT, customer INT, day TEXT, amount REAL, note TEXT);
CREATE TABLE log(what TEXT, n INT);
BEGIN;
WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<4000)
INSERT INTO customer SELECT i, printf('customer %05d', (i*7727)%4001), 'city'||(i%83), i%7 FROM n;
WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<30000)
INSERT INTO orders(customer,day,amount,note) SELECT 1+(i*3571)%4000, date('2020-01-01','+'||(i%700)||' days'), (i*37%9973)/7.0, CASE WHEN i%5=0 THEN NULL ELSE hex(i*i) END FROM n;
COMMIT;
CREATE INDEX oc ON orders(customer, day);
CREATE INDEX cn ON customer(city, name COLLATE NOCASE);
CREATE TRIGGER tr AFTER UPDATE OF rating ON customer BEGIN INSERT INTO log VALUES(old.name, new.rating); END;
CREATE VIEW big AS SELECT c.name, c.city, sum(o.amount) s, count(*) k FROM customer c JOIN orders o ON o.customer=c.id GROUP BY c.id;
