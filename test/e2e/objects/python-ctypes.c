// A Python program, not instrumented, loads an instrumented library by ctypes: its profile begins in the library, and what Python calls
// in a callback hangs below.
// RUN: split-file %s %t && cd %t && chmod +x run
// RUN: for level in 0 2; do %hcct-cc -O$level -shared -fPIC -I%inputs library.c -o library.so && sh %inputs/exact.sh %hcct-decode %s %t/run || exit 1; done
//--- run
#!/bin/sh
exec python3 program.py
//--- program.py
import ctypes
import threading

library = ctypes.CDLL("./library.so")
library.entry.argtypes = [ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int), ctypes.c_int]
callback = library.entry.argtypes[0](lambda n: library.leaf(n) + (library.entry(callback, n - 1) if n else 0))
assert library.leaf(3) == 3
assert library.entry(callback, 2) == 3
thread = threading.Thread(target=lambda: library.leaf(1))
thread.start()
thread.join()
//--- library.c
#include "e2e.h"
NOINLINE int leaf(int n) { work(); return n; }
static NOINLINE int inner(int (*back)(int), int n) { int sum = back(n); work(); return sum; }
NOINLINE int entry(int (*back)(int), int n) { int sum = inner(back, n); work(); return sum; }
// CHECK: entry 1
// CHECK-NEXT: entry;inner 1
// CHECK-NEXT: entry;inner;entry 1
// CHECK-NEXT: entry;inner;entry;inner 1
// CHECK-NEXT: entry;inner;entry;inner;entry 1
// CHECK-NEXT: entry;inner;entry;inner;entry;inner 1
// CHECK-NEXT: entry;inner;entry;inner;entry;inner;leaf 1
// CHECK-NEXT: entry;inner;entry;inner;leaf 1
// CHECK-NEXT: entry;inner;leaf 1
// CHECK-NEXT: leaf 2
