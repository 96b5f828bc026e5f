fn main() {
    println!("{}", calls::twice(5));
}
