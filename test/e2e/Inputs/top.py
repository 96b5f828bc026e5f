"""Drives hcct-top over a program that makes the calls that it is told to (e2e/output/top.c).

usage: top.py tables|terminal|waits HCCT-TOP PROGRAM FILE
"""
import itertools
import os
import pty
import signal
import subprocess
import sys
import termios
import time

what, top, program, file = sys.argv[1:]
signal.alarm(600)  # so that nothing hangs for ever
for ignored in signal.SIGINT, signal.SIGHUP, signal.SIGQUIT:  # by who runs the tests; the command would leave it at that
    signal.signal(ignored, signal.SIG_DFL)


class Program:
    def __init__(self, *arguments):
        self.process = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.call("f", 1)  # it has begun

    def call(self, which, calls):
        self.process.stdin.write(f"{which} {calls}\n")
        assert self.process.stdout.readline() == "done\n"

    def end(self):
        self.process.stdin.close()
        assert self.process.wait() == 0


def read_table(lines):
    """The heading of the next table, and (recent, calls, path) of each row."""
    heading, rows = next(lines), []
    assert next(lines) == "\n" and next(lines).split() == ["recent", "calls", "context"]
    for line in lines:
        if line == "\n":
            return heading, rows
        recent, calls, path = line.split()
        rows.append((-1 if recent == "-" else int(recent), int(calls), path))
    sys.exit("a table without its end")


def ask(*options):
    """What the command prints once. It gives up a program that does not answer within seconds, as on a busy machine, where it is asked again."""
    while True:
        one = subprocess.run([top, "-n1", *options, file], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if one.returncode == 0:
            return one.stdout
        assert one.returncode == 1 and "has ended" in one.stderr, one


def watch(*options):
    """The command, which goes on, and its lines. Its first look gives up, too."""
    while True:
        command = subprocess.Popen([top, *options, file], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        first = command.stdout.readline()
        if first:
            return command, itertools.chain([first], iter(command.stdout.readline, ""))
        assert command.wait() == 1


def change(running, command, calls):
    """Makes calls between two looks of the command."""
    command.send_signal(signal.SIGSTOP)
    while os.path.exists(file + ".dump"):  # what it asked for
        time.sleep(0.01)
    for which, number in calls:
        running.call(which, number)
    command.send_signal(signal.SIGCONT)


def next_change(lines, before):
    """The next table that is not the one before, as where the program did not answer in time."""
    table = read_table(lines)
    while f" {before} calls" in table[0]:
        table = read_table(lines)
    return table


def expect(table, number, calls, recent, wanted):
    heading, rows = table
    name = f"{os.path.realpath(program)} (process {number}): {calls} calls"
    assert heading.startswith(name + (f", {recent} recent (" if recent is not None else " in ")), heading
    assert sorted(rows) == sorted(wanted), rows
    assert rows == sorted(rows, key=lambda row: (row[2] == "[other]", -row[0], -row[1], row[2])), rows


# Of main 1, main;f 2008, main;g 800, main;g;f 800: 3609 in all.
ASKED = [
    (["--focus=^g$"], [("main;g", 800), ("main;g;f", 800)]),
    (["--focus=nowhere"], []),
    (["--ignore=^g$"], [("main", 1), ("main;f", 2008)]),
    (["--root=^g$"], [("g", 800), ("g;f", 800)]),
    (["--hide=^g$"], [("main", 801), ("main;f", 2808)]),
    (["--view=flat"], [("main", 1), ("f", 2808), ("g", 800)]),
    (["--view=flat", "--focus=^g$"], [("f", 800), ("g", 800)]),
]


def tables():
    running = Program()
    running.call("f", 2000)
    running.call("g", 500)
    number = running.process.pid
    command, lines = watch("--interval=0.2")
    expect(read_table(lines), number, 3002, None,
           [(-1, 2001, "main;f"), (-1, 500, "main;g"), (-1, 500, "main;g;f"), (-1, 1, "main")])
    change(running, command, [("g", 300), ("f", 7)])
    expect(next_change(lines, 3002), number, 3609, 607,
           [(300, 800, "main;g"), (300, 800, "main;g;f"), (7, 2008, "main;f"), (0, 1, "main")])
    expect(read_table(lines), number, 3609, 0,
           [(0, 800, "main;g"), (0, 800, "main;g;f"), (0, 2008, "main;f"), (0, 1, "main")])
    one = ask("--top=1")
    expect(read_table(iter(one.splitlines(keepends=True))), number, 3609, None, [(-1, 2008, "main;f"), (-1, 1601, "[other]")])
    for options, wanted in ASKED:
        one = ask(*options)
        rows = "function" if "--view=flat" in options else "context"
        assert f" in {len(wanted)} {rows}s\n\n" in one and one.splitlines()[2].split() == ["recent", "calls", rows], one
        table = [line.split() for line in one.splitlines()[3:] if line]
        rest = 3609 - sum(calls for _, calls in wanted)
        other = [("[other]", rest)] if rest else []
        assert sorted((row[2], int(row[1])) for row in table[:len(wanted)]) == sorted(wanted), (options, one)
        assert [(row[2], int(row[1])) for row in table[len(wanted):]] == other, (options, one)
    command.send_signal(signal.SIGINT)
    command.communicate()
    command, lines = watch("--interval=0.2", "--top=1")
    expect(read_table(lines), number, 3609, None, [(-1, 2008, "main;f"), (-1, 1601, "[other]")])
    change(running, command, [("g", 5), ("f", 3)])
    expect(next_change(lines, 3609), number, 3622, 13, [(5, 805, "main;g"), (8, 2817, "[other]")])
    running.call("f", 10 ** 7)
    heading = ""
    while " 10003622 calls" not in heading:
        heading, _ = read_table(lines)
        assert "e+" not in heading, heading  # a rate is a plain number, however large
    running.end()
    assert next(lines) == "the program has ended\n" and command.wait() == 0
    killed = Program()
    command, _ = watch("--interval=0.05")
    killed.process.kill()
    os.waitid(os.P_PID, killed.process.pid, os.WEXITED | os.WNOWAIT)  # it stays a zombie
    assert command.communicate()[0].endswith("\n\nthe program has ended\n") and command.returncode == 0
    for _ in range(2):
        again = subprocess.run([top, file], stderr=subprocess.PIPE, text=True)
        assert again.returncode == 1 and "has ended" in again.stderr, again
        killed.process.wait()
    headless = Program("thread")
    while open(f"/proc/{headless.process.pid}/stat", encoding="utf-8").read().rpartition(")")[2].split()[0] != "Z":
        pass
    one = ask()
    assert "thread;f\n" in one, one
    headless.end()


def on_terminal(end):
    """What the command wrote to a terminal that ends it by end(process, master); checks that its settings came back."""
    master, slave = pty.openpty()
    before = termios.tcgetattr(slave)
    command = subprocess.Popen([top, "--interval=0.2", file], stdin=slave, stdout=slave, start_new_session=True)
    text = b""
    while text.count(b"main;f") < 3:
        text += os.read(master, 65536)
    assert text.startswith(b"\033[?1049h\033[?25l") and not termios.tcgetattr(slave)[3] & (termios.ICANON | termios.ECHO)
    end(command, master)
    while not text.rstrip().endswith((b"\033[?25h\033[?1049l", b"the program has ended")):
        text += os.read(master, 65536)
    status = command.wait()
    assert termios.tcgetattr(slave) == before and b"\033[?25h\033[?1049l" in text
    os.close(master)
    os.close(slave)
    return status


def terminal():
    running = Program()
    running.call("f", 10)
    assert on_terminal(lambda command, master: os.write(master, b"xq")) == 0
    for number in signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT:
        assert on_terminal(lambda command, master, number=number: command.send_signal(number)) == -number
    assert on_terminal(lambda command, master: running.end()) == 0


def waits():
    """It is there before the program's first profile; a narrow terminal shows the ends of paths."""
    master, slave = pty.openpty()
    command = subprocess.Popen([top, "--interval=0.2", file], stdin=slave, stdout=slave, stderr=slave, start_new_session=True, env=dict(os.environ, COLUMNS="49"))
    text = b""
    while b"waits for" not in text:
        text += os.read(master, 65536)
    running = Program()
    while b".;has_a_longer_name" not in text and "…;has_a_longer_name".encode() not in text:
        running.call("h", 10)
        text += os.read(master, 65536)
    assert b"main;has_a_long" not in text and b"main;f" in text, text
    os.write(master, b"q")
    while not text.rstrip().endswith(b"\033[?25h\033[?1049l"):
        text += os.read(master, 65536)
    assert command.wait() == 0
    running.end()


{"tables": tables, "terminal": terminal, "waits": waits}[what]()
