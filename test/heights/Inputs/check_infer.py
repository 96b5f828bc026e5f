"""usage: check_infer.py BOOK PROFILE [PATH...]

Fails unless the inferred profile (json) has the paths of the program's book with their counts: exactly, or, of the PATHs, which no height
tells apart, each with the counts of all and an error as large."""
import sys

from paths_found import read_book, read_profile

twins = set(sys.argv[3:])
book = read_book(sys.argv[1])
samples, found = read_profile(sys.argv[2])
both = sum(book.get(name, 0) for name in twins)
wanted = {name: (count, 0) for name, count in book.items() if name not in twins}
wanted.update({name: (both, both) for name in twins if both})
if found != wanted or samples != sum(book.values()):
    sys.exit(f"of {samples}: {found}\ninstead of {wanted}")
