#!/bin/sh
# Plants a leak in a copy of SQLite's shell, and finds it: the names of columns in the line mode are not freed.
#
# usage: leak_sqlite.sh SQLITE       a folder with sqlite3.c and shell.c; in an empty folder, with hcct-cc, hcct-run and hcct-compare in PATH
set -eu
line='for(i=0; i<p->nCol; i++) sqlite3_free(p->u.sLine.azCol\[i\]);'
grep -q "$line" "$1/shell.c"
sed "s/$line//" "$1/shell.c" > shell.c
hcct-cc -O1 -g1 -w -DSQLITE_THREADSAFE=0 -DSQLITE_OMIT_LOAD_EXTENSION -I "$1" shell.c "$1/sqlite3.c" -lm -o sqlite3

# A script of $1 queries.
queries() {
    echo '.mode line'
    for i in $(seq "$1"); do echo "select $i as number, 'text' as text;"; done
}

queries 100 > short.sql
queries 300 > long.sql
for script in short long; do
    HCCT_OPTIONS=metric=heap:heap_scan=on:output=$script.bin ./sqlite3 -batch < $script.sql > /dev/null
done

echo '$ hcct-compare --value=lost short.bin long.bin'
hcct-compare --value=lost short.bin long.bin
echo '$ hcct-run --leaks -o leaks ./sqlite3 -batch < long.sql > /dev/null; echo status $?; cat leaks'
status=0
hcct-run --leaks -o leaks ./sqlite3 -batch < long.sql > /dev/null || status=$?
echo "status $status"
cat leaks
