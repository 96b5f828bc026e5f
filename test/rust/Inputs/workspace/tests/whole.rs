#[test]
fn whole() {
    assert_eq!(calls::twice(1), 9);
}
