"""For gdb: at each call of `leaf`, writes to perf.txt what `perf script --no-demangle -F tid,ip,sym,symoff,uregs` would print of a sample there. The
program's output goes to the file `book`."""
import gdb

gdb.execute("set pagination off")
gdb.execute("break *leaf", to_string=True)  # the first instruction
gdb.execute("run lllstt0122333 > book", to_string=True)
with open("perf.txt", "w") as out:
    while gdb.selected_inferior().pid:
        frame, thread = gdb.newest_frame(), gdb.selected_thread().ptid[1]
        stack_pointer = int(frame.read_register("rsp")) % 2**64
        out.write(f"{thread:5d} {frame.pc():16x} leaf+0x0 ABI:2    SP:0x{stack_pointer:x}    IP:0x{frame.pc():x} \n")
        last = f"{thread + 1:5d} {frame.pc():16x} leaf+0x0 ABI:2    SP:0x{stack_pointer - 4096:x}    IP:0x{frame.pc():x} \n"
        library = f"{thread:5d}     7fffff000010 memcpy+0x10 ABI:2    SP:0x{stack_pointer:x}    IP:0x7fffff000010 \n"
        gdb.execute("continue", to_string=True)
    out.write(last + library)
