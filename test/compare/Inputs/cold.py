"""usage: cold.py FOLDER-OF-profile.py COLD LOST    writes two bounded profiles: in COLD an entry of 50 of 1000 calls has no chain, and needs none with phi 0.1;
in LOST the same with phi 0.01, where its chain was lost"""
import sys

sys.path.insert(0, sys.argv[1])
import profile as generator  # noqa: E402

for path, phi in (sys.argv[2], 0.1), (sys.argv[3], 0.01):
    profile = generator.Profile(calls=1000, mode=0, floor=3, dropped_chain=50, phi=phi)
    profile.function("main")
    profile.count(3, 950)
    profile.count(12345678, 50, prefix=generator.NONE)
    profile.write(path)
