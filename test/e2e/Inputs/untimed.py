# Whether a profile has lost the CPU time that is printed, but for what threads take at their very start and end: time-untimed.c.
import json
import sys

printed = int(open(sys.argv[1]).read())
lost = json.load(open(sys.argv[2]))["dropped"]["interrupted"]
print(f"{lost} ns are lost of {printed}")
sys.exit(not 0.95 * printed < lost < 1.05 * printed)
