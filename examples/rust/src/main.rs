use std::collections::HashMap;

trait Source {
    fn lines(&self) -> Vec<String>;
}

struct Repeated(&'static str, usize);

impl Source for Repeated {
    fn lines(&self) -> Vec<String> {
        (0..self.1).map(|number| format!("{} {}", self.0, number % 7)).collect()
    }
}

#[inline(never)]
fn split(line: &str) -> Vec<String> {
    line.split(' ').map(normalize).collect()
}

#[inline(never)]
fn normalize(word: &str) -> String {
    word.to_lowercase()
}

#[inline(never)]
fn count(source: &dyn Source, counts: &mut HashMap<String, u32>) {
    for line in source.lines() {
        for word in split(&line) {
            *counts.entry(word).or_default() += 1;
        }
    }
}

fn main() {
    let mut counts = HashMap::new();
    for source in [Repeated("To be or not to be", 20000), Repeated("That is the question", 5000)] {
        count(&source, &mut counts);
    }
    let title = normalize("HAMLET");
    println!("{title}: {} words", counts.len());
}
