"""Runs a program at full load, threads coming and going, and looks whether what it holds grows: resident memory, mappings, open
files, timers. Status 1 if it does. Builds are in build/soak.

    scripts/soak                             30 minutes with metric=time and a profile every 10 seconds
    scripts/soak --minutes=1 --options=mode=hcct:snapshot=1s
"""
import argparse
import os
import subprocess
import sys
import time

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def look(pid):
    """What the process holds now; None once it has ended."""
    try:
        with open(f"/proc/{pid}/status") as status:
            fields = dict(line.split(":", 1) for line in status)
        with open(f"/proc/{pid}/maps") as maps:
            mappings = sum(1 for _ in maps)
        with open(f"/proc/{pid}/timers") as timers:
            timer_count = sum(line.startswith("ID:") for line in timers)
        return {"memory": int(fields["VmRSS"].split()[0]), "mappings": mappings,
                "files": len(os.listdir(f"/proc/{pid}/fd")), "timers": timer_count}
    except (FileNotFoundError, ProcessLookupError, KeyError):
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--options", default="metric=time:snapshot=10s")
    parser.add_argument("--build", default=os.path.join(SOURCE, "build"), help="where hcct was built")
    arguments = parser.parse_args()
    folder = os.path.join(arguments.build, "soak")
    os.makedirs(folder, exist_ok=True)
    program = os.path.join(folder, "soak")
    profile = f"{program}.{os.getpid()}.bin"
    subprocess.run([os.path.join(arguments.build, "bin", "hcct-cc"), "-O2",
                    os.path.join(SOURCE, "bench", "soak.c"), "-lpthread", "-o", program], check=True)
    seconds = arguments.minutes * 60
    environment = dict(os.environ, HCCT_OPTIONS=f"{arguments.options}:output={profile}")
    child = subprocess.Popen([program, str(seconds)], env=environment, stdout=subprocess.PIPE, text=True)
    start, looks = time.monotonic(), []
    while time.monotonic() < start + seconds - 0.5:
        time.sleep(seconds / 200)
        found = look(child.pid)
        if found:
            looks.append(found)
    threads = int(child.stdout.read())
    assert child.wait() == 0 and len(looks) > 100, (child.returncode, len(looks))
    print(f"{arguments.minutes:g} minutes, {threads} threads, HCCT_OPTIONS={arguments.options}")
    print(f"{'at most':<14}{'2nd quarter':>12}{'4th quarter':>12}")
    quarter, grown = len(looks) // 4, []
    for key, slack in (("memory", 256), ("mappings", 8), ("files", 1), ("timers", 4)):
        early = max(found[key] for found in looks[quarter:2 * quarter])
        late = max(found[key] for found in looks[-quarter:])
        print(f"{key + (' KB' if key == 'memory' else ''):<14}{early:>12}{late:>12}")
        if late > early * 1.02 + slack:
            grown.append(key)
    os.unlink(profile)
    print("grown: " + ", ".join(grown) if grown else "nothing grew")
    sys.exit(bool(grown))


main()
