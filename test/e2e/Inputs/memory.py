"""memory.py PROFILE CALLS BYTES: the profile is of at least CALLS calls, and the profiler had at most BYTES when it was written."""
import struct
import sys

data, least, most = open(sys.argv[1], "rb").read(), int(sys.argv[2]), int(sys.argv[3])
sections = struct.unpack_from("<I", data, 24)[0]
table = [struct.unpack_from("<IIQQII", data, 32 + 32 * i) for i in range(sections)]
run, columns = (next(offset for kind, _, offset, *_ in table if kind == wanted) for wanted in (1, 9))
calls, memory = struct.unpack_from("<Q", data, columns + 32)[0], struct.unpack_from("<Q", data, run + 48)[0]
print(calls, "calls,", memory, "bytes")
sys.exit(not (calls >= least and 1000000 < memory <= most))
