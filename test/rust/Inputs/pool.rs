// A global allocator with memory of its own: blocks of powers of two from an array, given out again when they are freed. It keeps books.
// With --cfg system it takes its memory from the standard allocator, block by block.
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};

pub static BYTES: AtomicUsize = AtomicUsize::new(0);
pub static BLOCKS: AtomicUsize = AtomicUsize::new(0);

const SIZE: usize = 1 << 26;

#[repr(C, align(4096))]
struct Pool {
    memory: UnsafeCell<[u8; SIZE]>,
    state: UnsafeCell<State>,
    busy: AtomicBool,
}

struct State {
    used: usize,
    free: [usize; 64], // the first free block of a size; each has the next one's address
}

unsafe impl Sync for Pool {}

#[global_allocator]
static POOL: Pool = Pool { memory: UnsafeCell::new([0; SIZE]), state: UnsafeCell::new(State { used: 0, free: [0; 64] }), busy: AtomicBool::new(false) };

fn class(layout: &Layout) -> usize {
    layout.size().max(layout.align()).max(16).next_power_of_two().trailing_zeros() as usize
}

impl Pool {
    fn locked<T>(&self, change: impl FnOnce(&mut State) -> T) -> T {
        while self.busy.swap(true, SeqCst) {
            std::hint::spin_loop();
        }
        let result = change(unsafe { &mut *self.state.get() });
        self.busy.store(false, SeqCst);
        result
    }
}

fn note(bytes: usize) {
    BYTES.fetch_add(bytes, SeqCst);
    BLOCKS.fetch_add(1, SeqCst);
}

unsafe impl GlobalAlloc for Pool {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > SIZE {
            return std::ptr::null_mut();
        }
        note(layout.size());
        if cfg!(system) {
            return System.alloc(layout);
        }
        let class = class(&layout);
        self.locked(|state| {
            let first = state.free[class];
            if first != 0 {
                state.free[class] = *(first as *const usize);
                return first as *mut u8;
            }
            let start = (state.used + (1 << class) - 1) & !((1 << class) - 1);
            state.used = start + (1 << class);
            assert!(state.used <= SIZE);
            (self.memory.get() as *mut u8).add(start)
        })
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        if cfg!(system) {
            return System.dealloc(block, layout);
        }
        let class = class(&layout);
        self.locked(|state| {
            *(block as *mut usize) = state.free[class];
            state.free[class] = block as usize;
        })
    }
}
