// Who is called at run time: trait objects, function pointers, closures, generics, recursion, drop glue, iterators.
use std::collections::HashMap;

include!("books.rs");

trait Shape {
    fn area(&self) -> u64;

    #[inline(never)]
    fn twice(&self) -> u64 {
        let _entered = enter("dispatch::Shape::twice");
        2 * self.area()
    }
}

struct Square(u64);
struct Pair(Box<dyn Shape>, Box<dyn Shape>);

impl Shape for Square {
    #[inline(never)]
    fn area(&self) -> u64 {
        let _entered = enter("<dispatch::Square as dispatch::Shape>::area");
        leaf(self.0 * self.0)
    }
}

impl Shape for Pair {
    #[inline(never)]
    fn area(&self) -> u64 {
        let _entered = enter("<dispatch::Pair as dispatch::Shape>::area");
        self.0.area() + self.1.area()
    }
}

impl Drop for Square {
    #[inline(never)]
    fn drop(&mut self) {
        let _entered = enter("<dispatch::Square as core::ops::drop::Drop>::drop");
        leaf(self.0);
    }
}

struct Table(HashMap<u64, Box<dyn Shape>>);

impl Table {
    #[inline(never)]
    fn of(count: u64) -> Table {
        let _entered = enter("dispatch::Table::of");
        Table((0..count).map(|number| (number, makes(number))).collect())
    }
}

#[inline(never)]
fn makes(number: u64) -> Box<dyn Shape> {
    let _entered = enter("dispatch::makes");
    if number % 3 == 0 {
        return Box::new(Pair(Box::new(Square(number)), Box::new(Square(1))));
    }
    Box::new(Square(number))
}

#[inline(never)]
fn leaf(number: u64) -> u64 {
    let _entered = enter("dispatch::leaf");
    std::hint::black_box(number)
}

#[inline(never)]
fn other(number: u64) -> u64 {
    let _entered = enter("dispatch::other");
    leaf(number) + 1
}

#[inline(never)]
fn ackermann(m: u64, n: u64) -> u64 {
    let _entered = enter("dispatch::ackermann");
    match (m, n) {
        (0, n) => n + 1,
        (m, 0) => ackermann(m - 1, 1),
        (m, n) => ackermann(m - 1, ackermann(m, n - 1)),
    }
}

#[inline(never)]
fn even(number: u64, then: &mut dyn FnMut(u64)) -> bool {
    let _entered = enter("dispatch::even");
    then(number);
    number == 0 || odd(number - 1, then)
}

#[inline(never)]
fn odd(number: u64, then: &mut dyn FnMut(u64)) -> bool {
    let _entered = enter("dispatch::odd");
    number != 0 && even(number - 1, then)
}

#[inline(never)]
fn calls_all(functions: &[fn(u64) -> u64]) -> u64 {
    let _entered = enter("dispatch::calls_all");
    functions.iter().map(|function| function(2)).sum()
}

#[inline(never)]
fn main() {
    let _entered = enter("dispatch::main");
    let table = Table::of(7);
    let mut sum: u64 = table.0.values().map(|shape| shape.twice()).sum();
    drop(table);
    sum += calls_all(&[leaf, other, |number| other(number) + leaf(number)]);
    sum += ackermann(2, 3);
    even(5, &mut |number| sum += leaf(number));
    let mut words: Vec<String> = (0..9).map(|number| format!("{}", leaf(number * 7 % 5))).collect();
    words.sort_by_key(|word| leaf(word.len() as u64));
    words.retain(|word| other(word.len() as u64) > 1);
    std::hint::black_box(sum);
    print_books();
}
