extern "C" {
    fn in_c(count: u32);
}

#[no_mangle]
#[inline(never)]
extern "C" fn calls_back(number: u32) {
    std::hint::black_box(number);
}

fn main() {
    unsafe { in_c(5) };
    plug::plug_each(3, calls_back);
    println!("{} {}", (1..=10).map(calls::twice).sum::<u64>(), env!("BUILT"));
}
