"""Prints a C program whose main calls two functions in turn, COUNT times each, once a line. VERSION 1: all one line further
down, and one call more.

usage: wide.py COUNT VERSION
"""
import sys

count, version = int(sys.argv[1]), int(sys.argv[2])
functions = ["even", "odd"] + ["added"] * version
print("static volatile int worked;")
for name in functions:
    print(f"static __attribute__((noinline)) void {name}(void) {{ worked++; }}")
print("int main(void)\n{")
for i in range(count):
    print("    even();\n    odd();")
print("    added();\n" * version + "    return 0;\n}")
