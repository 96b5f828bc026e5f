// Handlers as signal crates have them: C's function sets them up, a handler writes to a pipe, and a thread that reads it does the rest. One
// handler interrupts another.
use std::ffi::c_int;
use std::io::{Read, Write};
use std::mem::forget;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::thread;

include!("books.rs");

static PIPE: AtomicI32 = AtomicI32::new(-1);

extern "C" {
    fn signal(number: c_int, handler: extern "C" fn(c_int)) -> usize;
    fn raise(number: c_int) -> c_int;
    fn write(file: c_int, bytes: *const u8, count: usize) -> isize;
}

const USR1: c_int = 10;
const USR2: c_int = 12;

/// A handler's path begins anew.
fn apart<T>(work: impl FnOnce() -> T) -> T {
    let before = PATH.get();
    PATH.set((0, [""; DEPTH]));
    let result = work();
    PATH.set(before);
    result
}

#[inline(never)]
fn wakes(number: c_int) {
    let _entered = enter("signals::wakes");
    let byte = number as u8;
    unsafe { write(PIPE.load(SeqCst), &byte, 1) };
}

#[inline(never)]
extern "C" fn handles(number: c_int) {
    apart(|| {
        let _entered = enter("signals::handles");
        wakes(number);
    })
}

#[inline(never)]
extern "C" fn nests(number: c_int) {
    apart(|| {
        let _entered = enter("signals::nests");
        unsafe { raise(USR1) };
        wakes(number);
    })
}

#[inline(never)]
fn delivers(number: u8) {
    let _entered = enter("signals::delivers");
    std::hint::black_box(vec![number; 10]);
}

#[inline(never)]
fn serves(mut pipe: UnixStream) {
    let _entered = enter("signals::serves");
    let mut byte = [0];
    while pipe.read(&mut byte).unwrap() == 1 && byte[0] != 0 {
        delivers(byte[0]);
    }
}

#[inline(never)]
fn works(depth: u32) {
    let _entered = enter("signals::works");
    if depth > 0 {
        works(depth - 1);
    } else {
        unsafe { raise(USR1) };
        unsafe { raise(USR2) };
    }
}

#[inline(never)]
fn all() {
    let _entered = enter("signals::all");
    let (mut ours, theirs) = UnixStream::pair().unwrap();
    PIPE.store(ours.as_raw_fd(), SeqCst);
    unsafe {
        signal(USR1, handles);
        signal(USR2, nests);
    }
    let server = thread::spawn(move || serves(theirs));
    for depth in 0..4 {
        works(depth);
    }
    thread::spawn(|| works(1)).join().unwrap();
    ours.write_all(&[0]).unwrap();
    server.join().unwrap();
    forget(OwnedFd::from(ours));
}

fn main() {
    all();
    print_books();
}
