"""usage: peak.py HCCT-MERGE SMALL LARGE    with --memory=4M two files of many contexts take no more memory than two of few; without it they do"""
import os
import subprocess
import sys

merge, small, large = sys.argv[1:4]


def peak_kilobytes(*arguments):
    process = subprocess.Popen([merge, "-o", "sum.bin", *arguments])
    _, status, usage = os.wait4(process.pid, 0)
    assert status == 0, f"{arguments}: status {status}"
    print(f"{arguments}: {usage.ru_maxrss} KB")
    return usage.ru_maxrss


# Python's own size until the exec is in all of them.
few, many, plain = peak_kilobytes("--memory=4M", small, small), peak_kilobytes("--memory=4M", large, large), peak_kilobytes(large, large)
assert many <= few + 4096, f"{many} KB with --memory=4M, {few} KB of few contexts"
assert plain > few + 4 * 4096, f"{plain} KB without --memory: the file is too small to show anything"
