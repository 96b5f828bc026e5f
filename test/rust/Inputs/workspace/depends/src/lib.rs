#[inline(never)]
pub fn once(number: u64) -> u64 {
    std::hint::black_box(number)
}
