// Futures: an executor that polls chains of them in turns, on two threads.
use std::collections::VecDeque;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};

include!("books.rs");

struct Nobody;

impl Wake for Nobody {
    fn wake(self: Arc<Self>) {}
}

/// Is ready when it has been polled some times.
struct Countdown(u32);

impl Future for Countdown {
    type Output = u32;

    #[inline(never)]
    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<u32> {
        let _entered = enter("<asks::Countdown as core::future::future::Future>::poll");
        leaf();
        if self.0 == 0 {
            return Poll::Ready(1);
        }
        self.0 -= 1;
        context.waker().wake_by_ref();
        Poll::Pending
    }
}

#[inline(never)]
fn leaf() {
    let _entered = enter("asks::leaf");
}

#[inline(never)]
fn step(number: u32) -> u32 {
    let _entered = enter("asks::step");
    number + 1
}

async fn inner(times: u32) -> u32 {
    let first = Countdown(times).await;
    step(first)
}

async fn outer(depth: u32) -> u32 {
    if depth == 0 {
        return inner(3).await;
    }
    let below: Pin<Box<dyn Future<Output = u32>>> = Box::pin(outer(depth - 1));
    step(below.await) + inner(1).await
}

#[inline(never)]
fn executes(count: u32) -> u32 {
    let _entered = enter("asks::executes");
    let waker = Waker::from(Arc::new(Nobody));
    let mut context = Context::from_waker(&waker);
    let mut tasks: VecDeque<Pin<Box<dyn Future<Output = u32>>>> = VecDeque::new();
    (0..count).for_each(|depth| tasks.push_back(Box::pin(outer(depth))));
    let mut sum = 0;
    while let Some(mut task) = tasks.pop_front() {
        match polls(task.as_mut(), &mut context) {
            Poll::Ready(value) => sum += value,
            Poll::Pending => tasks.push_back(task),
        }
    }
    sum
}

#[inline(never)]
fn polls(task: Pin<&mut dyn Future<Output = u32>>, context: &mut Context<'_>) -> Poll<u32> {
    let _entered = enter("asks::polls");
    task.poll(context)
}

#[inline(never)]
fn main() {
    let _entered = enter("asks::main");
    std::thread::spawn(|| executes(3)).join().unwrap();
    executes(5);
    print_books();
}
