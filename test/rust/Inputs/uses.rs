// Allocates 10 vectors of 1000 bytes, 5 boxes of 64, of which 2 stay, and computes for so long that a sample or two of the
// start are no tenth of it.
use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;

#[allow(dead_code)]
struct Own;

unsafe impl GlobalAlloc for Own {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        System.alloc(layout)
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        System.dealloc(block, layout)
    }
}

#[cfg(own)]
#[global_allocator]
static OWN: Own = Own;

#[inline(never)]
fn vectors() {
    for _ in 0..10 {
        black_box(Vec::<u8>::with_capacity(1000));
    }
}

#[inline(never)]
fn boxes() {
    for number in 0..5 {
        let made = black_box(Box::new([number as u8; 64]));
        if number < 2 {
            std::mem::forget(made);
        }
    }
}

#[inline(never)]
fn computes() -> u64 {
    (0..2_000_000_000u64).fold(1, |sum, number| black_box(sum ^ number))
}

fn main() {
    vectors();
    boxes();
    if std::env::args().len() > 1 {
        black_box(computes());
    }
}
