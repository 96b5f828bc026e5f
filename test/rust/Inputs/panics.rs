// Panics: caught, through frames with destructors, in a destructor, resumed, in a callback, rethrown, to the end.
use std::panic::{catch_unwind, panic_any, resume_unwind, AssertUnwindSafe};

include!("books.rs");

struct Guard;

impl Drop for Guard {
    #[inline(never)]
    fn drop(&mut self) {
        let _entered = enter("<panics::Guard as core::ops::drop::Drop>::drop");
        leaf();
    }
}

struct Panicking;

impl Drop for Panicking {
    #[inline(never)]
    fn drop(&mut self) {
        let _entered = enter("<panics::Panicking as core::ops::drop::Drop>::drop");
        panics(1);
    }
}

#[inline(never)]
fn leaf() {
    let _entered = enter("panics::leaf");
}

#[inline(never)]
fn panics(depth: u32) {
    let _entered = enter("panics::panics");
    let _guard = Guard;
    if depth == 0 {
        panic_any(1u32);
    }
    panics(depth - 1);
    leaf();
}

#[inline(never)]
fn catches(depth: u32) {
    let _entered = enter("panics::catches");
    assert!(catch_unwind(|| panics(depth)).is_err());
    leaf();
}

#[inline(never)]
fn resumes() {
    let _entered = enter("panics::resumes");
    let caught = catch_unwind(|| panics(2)).unwrap_err();
    leaf();
    resume_unwind(caught);
}

#[inline(never)]
fn through_library() {
    let _entered = enter("panics::through_library");
    let mut numbers = [3, 1, 2];
    let caught = catch_unwind(AssertUnwindSafe(|| {
        numbers.sort_by(|a, b| {
            compares(*a, *b);
            a.cmp(b)
        })
    }));
    assert!(caught.is_err());
    leaf();
}

#[inline(never)]
fn compares(a: i32, b: i32) {
    let _entered = enter("panics::compares");
    if a + b == 3 {
        panics(0);
    }
}

#[inline(never)]
fn in_destructor() {
    let _entered = enter("panics::in_destructor");
    let _panicking = Panicking;
    leaf();
}

#[inline(never)]
fn hook() {
    let _entered = enter("panics::hook");
    leaf();
}

#[inline(never)]
fn main() {
    let _entered = enter("panics::main");
    std::panic::set_hook(Box::new(|_| hook()));
    for depth in 0..4 {
        catches(depth);
    }
    assert!(catch_unwind(resumes).is_err());
    through_library();
    assert!(catch_unwind(in_destructor).is_err());
    leaf();
    match std::env::args().nth(1).as_deref() {
        Some("abort") => {
            print_books();
            std::process::abort();
        }
        Some("exit") => {
            print_books();
            std::process::exit(7);
        }
        _ => print_books(),
    }
}
