// An allocator that gives out an array from its start to its end, and takes nothing back.
use std::alloc::{GlobalAlloc, Layout};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

const SIZE: usize = 1 << 20;

#[repr(align(64))]
struct Arena {
    memory: UnsafeCell<[u8; SIZE]>,
    used: AtomicUsize,
}

unsafe impl Sync for Arena {}

unsafe impl GlobalAlloc for Arena {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let start = self.used.fetch_add(layout.size().next_multiple_of(64), Relaxed);
        if start + layout.size() > SIZE {
            return std::ptr::null_mut();
        }
        (self.memory.get() as *mut u8).add(start)
    }

    unsafe fn dealloc(&self, _block: *mut u8, _layout: Layout) {}
}

#[global_allocator]
static ARENA: Arena = Arena { memory: UnsafeCell::new([0; SIZE]), used: AtomicUsize::new(0) };

#[inline(never)]
fn boxes(count: u64) -> Vec<Box<u64>> {
    let mut all = Vec::with_capacity(count as usize);
    for i in 0..count {
        all.push(Box::new(i));
    }
    all
}

fn main() {
    let sum: u64 = boxes(1000).iter().map(|number| **number).sum();
    println!("{sum}");
}
