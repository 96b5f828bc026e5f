"""usage: check_bounds.py BOOK PROFILE

Fails unless the profile (json) has each path of the program's book, with count - error <= the book's count <= count, and is sure of no other one; or if
some samples are of no path."""
import sys

from paths_found import read_book, read_profile

book = read_book(sys.argv[1])
_, found = read_profile(sys.argv[2])
for name, (count, error) in found.items():
    if not count - error <= book.get(name, 0) <= count:
        sys.exit(f"{name}: {count} - {error}, but the book has {book.get(name, 0)}")
if not set(book) <= set(found):
    sys.exit(f"not found: {set(book) - set(found)}")
print(len(found), "paths for", len(book))
