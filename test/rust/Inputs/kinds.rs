// Futures of other kinds: async closures and methods, poll_fn, one that polls two, one that another thread goes on with, one that is
// dropped before it is ready, one that panics in a poll, a waker that another thread calls.
use std::future::{poll_fn, Future};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::pin::{pin, Pin};
use std::sync::mpsc::{channel, Sender};
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread;

include!("books.rs");

type Task = Pin<Box<dyn Future<Output = u32> + Send>>;

/// Is ready when it has been polled so often, and wakes the task until then.
#[inline(never)]
fn after(polls: &mut u32, context: &Context<'_>) -> Poll<u32> {
    let _entered = enter("kinds::after");
    if *polls == 0 {
        return Poll::Ready(1);
    }
    *polls -= 1;
    context.waker().wake_by_ref();
    Poll::Pending
}

async fn waits(mut polls: u32) -> u32 {
    poll_fn(move |context| after(&mut polls, context)).await
}

struct Held;

impl Drop for Held {
    #[inline(never)]
    fn drop(&mut self) {
        let _entered = enter("<kinds::Held as core::ops::drop::Drop>::drop");
    }
}

async fn holds(polls: u32) -> u32 {
    let _held = Held;
    let sum = waits(polls).await;
    sum + waits(polls).await
}

#[inline(never)]
fn fails() {
    let _entered = enter("kinds::fails");
    panic!("in a poll");
}

async fn panics() -> u32 {
    let _held = Held;
    let sum = waits(1).await;
    fails();
    sum
}

trait Answers {
    async fn answers(&self, polls: u32) -> u32;
}

struct Slow;

impl Answers for Slow {
    async fn answers(&self, polls: u32) -> u32 {
        calls(async |polls| waits(polls).await + holds(polls).await, polls).await
    }
}

async fn calls(closure: impl AsyncFn(u32) -> u32, polls: u32) -> u32 {
    closure(polls).await + closure(1).await
}

/// Both at once.
async fn joins(first: impl Future<Output = u32>, second: impl Future<Output = u32>) -> u32 {
    let (mut first, mut second) = (pin!(first), pin!(second));
    let mut ready = (None, None);
    poll_fn(move |context| {
        polls_one(first.as_mut(), &mut ready.0, context);
        polls_one(second.as_mut(), &mut ready.1, context);
        match ready {
            (Some(one), Some(other)) => Poll::Ready(one + other),
            _ => Poll::Pending,
        }
    })
    .await
}

#[inline(never)]
fn polls_one(future: Pin<&mut dyn Future<Output = u32>>, ready: &mut Option<u32>, context: &mut Context<'_>) {
    let _entered = enter("kinds::polls_one");
    if ready.is_none() {
        if let Poll::Ready(value) = future.poll(context) {
            *ready = Some(value);
        }
    }
}

/// Puts the task into the queue again.
struct Queued {
    queue: Mutex<Sender<Arc<Queued>>>,
    task: Mutex<Option<Task>>,
}

impl Wake for Queued {
    #[inline(never)]
    fn wake(self: Arc<Self>) {
        let _entered = enter("<kinds::Queued as alloc::task::Wake>::wake");
        let queue = self.queue.lock().unwrap().clone();
        queue.send(self).unwrap();
    }
}

#[inline(never)]
fn polls(queued: &Arc<Queued>) -> Poll<u32> {
    let _entered = enter("kinds::polls");
    let waker = Waker::from(queued.clone());
    let mut task = queued.task.lock().unwrap().take().unwrap();
    let polled = task.as_mut().poll(&mut Context::from_waker(&waker));
    *queued.task.lock().unwrap() = Some(task);
    polled
}

/// Each poll by a thread of its own.
#[inline(never)]
fn executes(task: Task) -> u32 {
    let _entered = enter("kinds::executes");
    let (sender, receiver) = channel();
    sender.send(Arc::new(Queued { queue: Mutex::new(sender.clone()), task: Mutex::new(Some(task)) })).unwrap();
    for queued in receiver {
        if let Poll::Ready(value) = thread::spawn(move || polls(&queued)).join().unwrap() {
            return value;
        }
    }
    0
}

/// Two polls, and no more.
#[inline(never)]
fn drops(mut task: Task) {
    let _entered = enter("kinds::drops");
    for _ in 0..2 {
        assert!(task.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    drop(task);
}

#[inline(never)]
fn catches(mut task: Task) {
    let _entered = enter("kinds::catches");
    let mut context = Context::from_waker(Waker::noop());
    while let Ok(polled) = catch_unwind(AssertUnwindSafe(|| task.as_mut().poll(&mut context))) {
        assert!(polled.is_pending());
    }
}

#[inline(never)]
fn main() {
    let _entered = enter("kinds::main");
    executes(Box::pin(joins(holds(2), async { waits(3).await })));
    executes(Box::pin(async { Slow.answers(2).await }));
    drops(Box::pin(holds(7)));
    catches(Box::pin(panics()));
    print_books();
}
