# collect.py HCCT-DECODE PROFILE PROGRAM OPTIONS: runs PROGRAM with rolling profiles and reads them at random moments.
import json, os, random, subprocess, sys, time

decode, profile, program, options = sys.argv[1:]
decode = decode.split()
copy = profile + ".copy"
folder = os.path.dirname(profile)
own = [os.path.join(folder, name) for name in os.listdir(folder) if name.startswith(os.path.basename(profile))]
for name in own:
    os.unlink(name)


def read(path):
    """The profile that stands there now, by what one open and read gives; None: there is none yet."""
    try:
        with open(path, "rb") as file:
            content = file.read()
    except FileNotFoundError:
        return None
    with open(copy, "wb") as file:
        file.write(content)
    run = subprocess.run(decode + ["--format=json", "--all", copy], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


environment = dict(os.environ, HCCT_OPTIONS=f"snapshot=100ms:output={profile}:{options}")
child = subprocess.Popen([program, "1.5"], env=environment, stdout=subprocess.PIPE, text=True)
calls = []
while child.poll() is None:
    got = read(profile)
    if got:
        calls.append(got["calls"])
    time.sleep(random.uniform(0, 0.04))
steps, interrupted, pid = (int(word) for word in child.stdout.read().split())
assert child.returncode == 0 and interrupted == 0, (child.returncode, interrupted)
assert calls == sorted(calls), calls
assert len(set(calls)) >= 3, calls

end = read(profile)
names = [end["frames"][node["frame"]]["function"] for node in end["nodes"]]
if "metric=time" not in options:
    found = sum(node["count"] or 0 for node, name in zip(end["nodes"], names) if name == "step")
    assert found == steps + 150, (found, steps)
killed = read(f"{profile}.{pid}")
assert killed and killed["calls"] > 0, killed
assert not [name for name in os.listdir(folder) if name.startswith(os.path.basename(profile)) and name.endswith(".tmp")
            and str(pid) not in name]
print(len(calls), "read,", len(set(calls)), "different")
