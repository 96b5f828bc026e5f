"""For gdb: at each call of `leaf`, prints for each caller the return address and the bytes of its frame there, from the stack pointers that gdb
unwinds: a frame's own, and that of the frame above, which is the CFA."""
import gdb

gdb.execute("set pagination off")
gdb.execute("set width 0")
gdb.execute("break *leaf", to_string=True)  # the first instruction
gdb.execute("run", to_string=True)
bias = gdb.newest_frame().pc() - int(open("leaf").read(), 16)
while gdb.selected_inferior().pid:
    frame = gdb.newest_frame().older()
    while frame is not None and frame.name() != "main":
        above = frame.older()
        height = int(above.read_register("rsp")) - int(frame.read_register("rsp"))
        print(f"frame {frame.pc() - bias:#x} {frame.name()} {height}")
        frame = above
    gdb.execute("continue", to_string=True)
