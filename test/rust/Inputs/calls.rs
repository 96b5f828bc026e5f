#[inline(never)]
fn once(number: u64) -> u64 {
    std::hint::black_box(number)
}

fn small(number: u64) -> u64 {
    number * 2
}

#[inline(never)]
fn twice(number: u64) -> u64 {
    (once(number) + once(number) + small(number)) / 4
}

fn main() {
    println!("{}", (1..=10).map(twice).sum::<u64>());
}
