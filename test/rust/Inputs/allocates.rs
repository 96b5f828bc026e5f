// What several functions allocate, from the allocator of another crate: prints how much that gave out.
extern crate pool;
use std::collections::HashMap;
use std::sync::atomic::Ordering::SeqCst;

#[inline(never)]
fn boxes(count: u64) -> Vec<Box<u64>> {
    let mut all = Vec::with_capacity(count as usize);
    for i in 0..count {
        all.push(Box::new(i)); // 8 bytes
    }
    all
}

#[inline(never)]
fn words(text: &str) -> HashMap<String, usize> {
    let mut found = HashMap::new();
    for word in text.split(' ') {
        *found.entry(word.to_string()).or_insert(0) += 1;
    }
    found
}

#[inline(never)]
fn leaks(count: usize) {
    for _ in 0..count {
        std::mem::forget(std::hint::black_box(vec![1u8; 100]));
    }
}

fn main() {
    println!("begins");
    let threads: Vec<_> = (0..3).map(|i| std::thread::spawn(move || (boxes(1000 + i).len(), words(&"a bc def a ".repeat(99)).len()))).collect();
    let sum: usize = threads.into_iter().map(|thread| { let (boxes, words) = thread.join().unwrap(); boxes + words }).sum();
    leaks(7);
    let mut tried: Vec<u8> = Vec::new();
    let refused = tried.try_reserve(1 << 40).is_err();
    let (bytes, blocks) = (pool::BYTES.load(SeqCst), pool::BLOCKS.load(SeqCst));
    println!("{bytes} bytes {blocks} blocks {sum} {refused}");
    unsafe { exits(0) }
}

extern "C" {
    #[link_name = "exit"]
    fn exits(status: i32) -> !;
}
