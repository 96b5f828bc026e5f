// Rust calls C, which calls Rust; and the C library calls both.
include!("books.rs");

extern "C" {
    fn in_c(times: i32, call: extern "C" fn(i32) -> i32) -> i32;
    fn qsort(base: *mut i32, count: usize, bytes: usize, compare: extern "C" fn(&i32, &i32) -> i32);
    fn atexit(call: extern "C" fn()) -> i32;
}

#[inline(never)]
extern "C" fn back(number: i32) -> i32 {
    let _entered = enter("ffi::back");
    if number > 0 {
        return unsafe { in_c(number - 1, back) };
    }
    leaf(number)
}

#[inline(never)]
extern "C" fn compare(a: &i32, b: &i32) -> i32 {
    let _entered = enter("ffi::compare");
    leaf(*a) - *b
}

#[inline(never)]
fn leaf(number: i32) -> i32 {
    let _entered = enter("ffi::leaf");
    std::hint::black_box(number)
}

#[inline(never)]
fn sorts() {
    let _entered = enter("ffi::sorts");
    let mut numbers = [5, 3, 4, 1, 2];
    unsafe { qsort(numbers.as_mut_ptr(), numbers.len(), 4, compare) };
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
}

#[no_mangle]
#[inline(never)]
pub extern "C" fn named_for_c(number: i32) -> i32 {
    let _entered = enter("named_for_c");
    leaf(number)
}

#[inline(never)]
extern "C" fn at_end() {
    let entered = enter("ffi::at_end");
    leaf(0);
    drop(entered);
    print_books();
}

#[inline(never)]
fn main() {
    let _entered = enter("ffi::main");
    unsafe { atexit(at_end) };
    unsafe { in_c(2, back) };
    sorts();
    std::process::exit(3);
}
