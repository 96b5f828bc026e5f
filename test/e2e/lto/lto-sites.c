// Sites and names are those of separate compilation, whatever LTO renames and in whatever order it links: static functions
// of equal names in several files, debug info or not.
// RUN: rm -rf %t && split-file %s %t && cd %t && for options in "" -g; do for mode in -fno-lto -flto -flto=thin; do \
// RUN:   for file in one two main; do %hcct-cc -O0 $mode $options -I%inputs -c $file.c || exit 1; done && \
// RUN:   %hcct-cc -O0 $mode main.o one.o two.o -o x && HCCT_OPTIONS=mode=cct ./x && %hcct-decode --format=json --all > a.json && python3 contexts.py a.json | sort > all$options$mode && \
// RUN:   %hcct-cc -O0 $mode two.o one.o main.o -o x && HCCT_OPTIONS=mode=cct ./x && %hcct-decode --format=json --all > a.json && python3 contexts.py a.json | sort > reversed$options$mode || exit 1; done; done
// RUN: for options in "" -g; do for mode in -fno-lto -flto -flto=thin; do for way in all reversed; do cmp all$options-fno-lto $way$options$mode || exit 1; done; done; done
// The hashes differ where the functions do, and the seven calls have one each.
// RUN: cut -d' ' -f1 all-fno-lto | sort -u | wc -l | grep -qx 8
// RUN: FileCheck %s < all-fno-lto
//--- contexts.py
# Prints the contexts of a profile, a line each: the site, the count, the path.
import json
import sys

profile = json.load(open(sys.argv[1]))
paths = []
for node in profile["nodes"]:
    frame = profile["frames"][node["frame"]]
    paths.append((paths[node["parent"]] if node["parent"] >= 0 else "") + ";%s (%s)" % (frame["linkage"], frame["file"].split("/")[-1]))
    site = node["site"] or {"id": "-", "line": "-"}
    print(site["id"], site["line"], node["count"], paths[-1])
//--- one.c
#include "e2e.h"
static NOINLINE void leaf(void) { work(); }
static NOINLINE void same(void) { leaf(); work(); }
NOINLINE void one(void) { same(); work(); }
//--- two.c
#include "e2e.h"
static NOINLINE void leaf(void) { work(); }
static NOINLINE void same(void) { leaf(); work(); }
NOINLINE void two(void) { same(); work(); }
//--- main.c
#include "e2e.h"
void one(void), two(void);
static NOINLINE void same(void) { one(); two(); work(); }
int main(void) { same(); return 0; }
// CHECK-DAG: - {{.*}} 1 ;main (main.c){{$}}
// CHECK-DAG: 1 ;main (main.c);same (main.c){{$}}
// CHECK-DAG: 1 ;main (main.c);same (main.c);one (one.c);same (one.c);leaf (one.c){{$}}
// CHECK-DAG: 1 ;main (main.c);same (main.c);two (two.c);same (two.c);leaf (two.c){{$}}
