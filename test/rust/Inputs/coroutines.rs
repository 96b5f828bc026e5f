// Coroutines (generators): each resumption is a call, from whoever resumes. One goes on in another thread, one panics, one is dropped
// half-way, one resumes another.
#![feature(coroutines, coroutine_trait)]
use std::ops::{Coroutine, CoroutineState};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::Pin;
use std::thread;

include!("books.rs");

#[inline(never)]
fn leaf(number: u32) -> u32 {
    let _entered = enter("coroutines::leaf");
    number
}

struct Held;

impl Drop for Held {
    #[inline(never)]
    fn drop(&mut self) {
        let _entered = enter("<coroutines::Held as core::ops::drop::Drop>::drop");
    }
}

type Made = Pin<Box<dyn Coroutine<Yield = u32, Return = u32> + Send>>;

fn counts(to: u32) -> Made {
    Box::pin(#[coroutine] move || {
        let _held = Held;
        for number in 0..to {
            yield leaf(number);
        }
        leaf(to)
    })
}

fn resumes_another() -> Made {
    Box::pin(#[coroutine] || {
        let mut inner = counts(2);
        while let CoroutineState::Yielded(number) = resumed(&mut inner) {
            yield leaf(number);
        }
        0
    })
}

fn fails() -> Made {
    Box::pin(#[coroutine] || {
        let _held = Held;
        yield leaf(1);
        panic!("resumed");
    })
}

#[inline(never)]
fn resumed(made: &mut Made) -> CoroutineState<u32, u32> {
    let _entered = enter("coroutines::resumed");
    made.as_mut().resume(())
}

#[inline(never)]
fn drains(mut made: Made) -> u32 {
    let _entered = enter("coroutines::drains");
    let mut sum = 0;
    loop {
        match resumed(&mut made) {
            CoroutineState::Yielded(number) => sum += number,
            CoroutineState::Complete(number) => return sum + number,
        }
    }
}

#[inline(never)]
fn all() {
    let _entered = enter("coroutines::all");
    drains(counts(5));
    drains(resumes_another());
    let mut moved = counts(3);
    resumed(&mut moved);
    thread::spawn(move || drains(moved)).join().unwrap();
    let mut dropped = counts(3);
    resumed(&mut dropped);
    drop(dropped);
    let mut failing = fails();
    resumed(&mut failing);
    assert!(catch_unwind(AssertUnwindSafe(|| resumed(&mut failing))).is_err());
}

fn main() {
    all();
    print_books();
}
