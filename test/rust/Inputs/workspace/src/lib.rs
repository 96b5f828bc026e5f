/// ```
/// assert_eq!(calls::twice(2), 11);
/// ```
#[inline(never)]
pub fn twice(number: u64) -> u64 {
    depends::once(number) + depends::once(number) + macros::seven!()
}

#[test]
fn unit() {
    assert_eq!(twice(1), 9);
}
