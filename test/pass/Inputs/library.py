# library.py --ir LIBRARY: a module in LLVM's language that calls every function which the shared library LIBRARY exports.
# library.py LIBRARY MODULE [NAME...]: MODULE is that, instrumented. Holds what its sites tell (hcct/abi.h, enum hcct_library; no site: harmless)
# against LIBRARY's code, as llvm-objdump shows it: what each function that is listed calls, in all ways from its entry, is listed,
# and leads to nothing more, or is harmless, or one of those that are named here. Fails with what is not so.
# NAMEs are taken for listed. x86-64.
import re
import subprocess
import sys

ALLOCATION, HANDLER, STRING, WAIT = 1, 2, 4, 16
ENDS = re.compile(r"_ZSt\d+__throw_(bad_alloc|bad_array_new_length|logic_error|length_error|out_of_range|out_of_range_fmt)(v|PKcz?)|"
                  "__cxa_throw|__cxa_rethrow|_ZSt9terminatev|_Unwind_Resume|abort")  # never come back
HARMLESS = {"pthread_mutex_lock", "pthread_mutex_unlock", "__popcountdi2", "clock_gettime", "memcpy", "memmove", "memset", "memchr", "memcmp", "strlen", "wmemcpy", "wmemmove", "wmemset", "wmemchr", "wmemcmp", "wcslen"}


def output_of(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def read_exports(library):
    exports = {}  # name -> address
    for line in output_of("llvm-nm", "-D", "--defined-only", library):
        address, kind, name = line.split()
        if kind in "TW":
            exports[re.sub(r"@.*", "", name)] = int(address, 16)
    return exports


def read_code(library):
    """address -> (operation, target, its name), in order"""
    code, bound = {}, {}
    for line in output_of("llvm-readelf", "-rW", library):
        match = re.match(r"([0-9a-f]+)\s+\S+\s+R_X86_64_GLOB_DAT\s+\S+\s+([^\s@]+)", line)
        if match:
            bound[int(match[1], 16)] = match[2]
    for line in output_of("llvm-objdump", "-d", "--no-show-raw-insn", library):
        match = re.match(r"\s*([0-9a-f]+):\s+(?:bnd |notrack |rep )*(\S+)\s*(\S*)(?:.*<([^>]*)>)?", line)
        if match:
            through = re.search(r"\(%rip\)\s*# 0x([0-9a-f]+)", line)
            name = bound.get(int(through[1], 16)) if through else None
            code[int(match[1], 16)] = (match[2], match[3].replace("*", "") if name else match[3], name or match[4] or "")
    return code


def read_sites(path):
    with open(path) as file:
        (sites,) = re.findall(r"^@hcct\.sites = .*", file.read(), re.M)
    found = re.findall(r'@"?__hcct_symbol\.([^" ]+?)"? to i64\), i64 ptrtoint \([^()]*(?:\([^()]*\))?[^()]*\)\) to i32\), i32 (\d+)', sites)
    return {name: int(flags) >> 16 for name, flags in found}


def calls_from(entry, code, following):
    """What the function at `entry`, or what it calls that has no name, calls or jumps to elsewhere; None for a pointer."""
    calls, seen, left = set(), set(), [entry]
    while left:
        at = left.pop()
        while at is not None and at not in seen:
            seen.add(at)
            operation, target, name = code[at]
            name = re.sub(r"@.*", "", name) if "+" not in name else ""
            if operation.startswith("call"):
                if not target.startswith("*") and not name:
                    left.append(int(target, 16))
                else:
                    calls.add(None if target.startswith("*") else name)
                if ENDS.fullmatch(name):
                    break
            elif operation.startswith("jmp") and (target.startswith("*") or name):
                calls.add(None if target.startswith("*") else name)
                break
            elif operation.startswith("j"):
                left.append(int(target, 16))
                if operation.startswith("jmp"):
                    break
            elif operation.startswith(("ret", "ud2", "hlt")):
                break
            at = following.get(at)
    return calls


def main():
    if sys.argv[1] == "--ir":
        names = sorted(name for name in read_exports(sys.argv[2]) if re.fullmatch(r"\w+", name))
        print('target triple = "x86_64-pc-linux-gnu"')
        for name in names:
            print(f"declare void @{name}()")
        print("define void @caller() {")
        for name in names:
            print(f"  call void @{name}()")
        print("  ret void\n}")
        return 0
    exports, code, sites = read_exports(sys.argv[1]), read_code(sys.argv[1]), read_sites(sys.argv[2])
    sites.update({name: ALLOCATION | HANDLER | STRING for name in sys.argv[3:]})
    addresses = list(code)
    following = dict(zip(addresses, addresses[1:]))
    wrong, listed, harmless = [], 0, 0
    for name, address in sorted(exports.items()):
        leads = sites.get(name, -1 if re.fullmatch(r"\w+", name) else 0)
        if leads == 0 or (leads == -1 and not name.startswith(("_ZNS", "_ZNKS", "_ZS"))):
            continue
        listed, harmless = listed + (leads > 0), harmless + (leads == -1)
        allowed = max(leads, 0)
        calls = calls_from(address, code, following)
        for callee in calls:
            if callee is None:
                good = allowed & HANDLER and "_ZSt15get_new_handlerv" in calls
            elif callee in sites and sites[callee]:
                good = not sites[callee] & ~allowed or bool(allowed & WAIT and callee == "__cxa_allocate_exception")  # it throws
            elif callee in exports and callee not in sites:
                good = True
            else:
                good = callee in HARMLESS or (
                    allowed & ALLOCATION and callee in ("malloc", "free", "aligned_alloc")) or (
                    allowed & WAIT and (callee == "syscall" or ENDS.fullmatch(callee))) or (
                    allowed & HANDLER and (ENDS.fullmatch(callee) or callee in ("_ZSt15get_new_handlerv", "__cxa_begin_catch", "__cxa_end_catch")))
            if not good:
                wrong.append(f"{name} calls {callee or 'through a pointer'}")
    print(f"{listed} listed, {harmless} harmless")
    print("\n".join(wrong))
    return bool(wrong)


sys.exit(main())
