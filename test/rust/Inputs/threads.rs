// Threads: named, scoped, a pool, thread-local destructors, a panic that ends one.
use std::cell::Cell as LocalCell;
use std::sync::mpsc;
use std::thread;

include!("books.rs");

struct Local(LocalCell<u32>);

impl Drop for Local {
    #[inline(never)]
    fn drop(&mut self) {
        let _entered = enter("<threads::Local as core::ops::drop::Drop>::drop");
        leaf();
    }
}

thread_local! {
    static EAGER: Local = const { Local(LocalCell::new(1)) };
    static LAZY: Local = Local(LocalCell::new(initial()));
}

#[inline(never)]
fn initial() -> u32 {
    let _entered = enter("threads::initial");
    leaf();
    2
}

#[inline(never)]
fn leaf() {
    let _entered = enter("threads::leaf");
}

#[inline(never)]
fn works(times: u32) {
    let _entered = enter("threads::works");
    EAGER.with(|local| local.0.set(times));
    LAZY.with(|local| local.0.set(times));
    (0..times).for_each(|_| leaf());
}

#[inline(never)]
fn dies() {
    let _entered = enter("threads::dies");
    EAGER.with(|local| local.0.set(0));
    leaf();
    std::panic::resume_unwind(Box::new(1));
}

#[inline(never)]
fn serves(jobs: mpsc::Receiver<Box<dyn FnOnce() + Send>>) {
    let _entered = enter("threads::serves");
    for job in jobs {
        job();
    }
}

#[inline(never)]
fn main() {
    let entered = enter("threads::main");
    for number in 0..3 {
        let named = thread::Builder::new().name(format!("named {number}"));
        named.spawn(move || works(number)).unwrap().join().unwrap();
    }
    thread::scope(|scope| {
        let threads: Vec<_> = (1..4).map(|number| scope.spawn(move || works(10 * number))).collect();
        works(5);
        // the scope's end does not wait for the destructors of thread-local data
        threads.into_iter().for_each(|thread| thread.join().unwrap());
    });
    assert!(thread::spawn(dies).join().is_err());
    let (sender, receiver) = mpsc::channel::<Box<dyn FnOnce() + Send>>();
    let server = thread::spawn(|| serves(receiver));
    (0..20).for_each(|number| sender.send(Box::new(move || works(number))).unwrap());
    drop(sender);
    server.join().unwrap();
    // this thread's two destructors run behind the books
    drop(entered);
    for _ in 0..2 {
        let _entered = enter("<threads::Local as core::ops::drop::Drop>::drop");
        let _leaf = enter("threads::leaf");
    }
    print_books();
}
