"""The names of enumerated values, from format/names.def."""
import os
import re

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def of(list_):
    """The names that an option of this list takes: of("ALGORITHM")."""
    with open(os.path.join(ROOT, "format", "names.def"), encoding="utf-8") as file:
        return re.findall(rf'^HCCT_{list_}\(\w+, "([^"]+)"', file.read(), re.M)
