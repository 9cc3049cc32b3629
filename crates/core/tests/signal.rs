//! Tests of signals: no change is missed, and a dropped watch is not woken.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use turnkit_core::{Signal, Watch};

#[derive(Default)]
struct Alarm(AtomicUsize);

impl Wake for Alarm {
    fn wake(self: Arc<Self>) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn poll(watch: &mut Watch, alarm: &Arc<Alarm>) -> Poll<()> {
    watch.poll_changed(&mut Context::from_waker(&Waker::from(Arc::clone(alarm))))
}

#[test]
fn changes_since_the_last_look_are_one_change() {
    let (signal, alarm) = (Signal::new(), Arc::default());
    signal.raise();
    let mut watch = signal.watch();
    assert_eq!(poll(&mut watch, &alarm), Poll::Pending, "what was before is not a change");
    signal.raise();
    signal.raise();
    assert_eq!(poll(&mut watch, &alarm), Poll::Ready(()));
    assert_eq!(poll(&mut watch, &alarm), Poll::Pending);
}

#[test]
fn every_waiting_task_is_woken_once_and_by_its_last_waker() {
    let signal = Signal::new();
    let (before, alarm, other) = (Arc::<Alarm>::default(), Arc::<Alarm>::default(), Arc::<Alarm>::default());
    let (mut one, mut two) = (signal.watch(), signal.watch());
    for alarm in [&before, &alarm] {
        assert_eq!(poll(&mut one, alarm), Poll::Pending);
    }
    assert_eq!(poll(&mut two, &other), Poll::Pending);
    signal.raise();
    signal.raise();
    assert_eq!([before, alarm, other].map(|alarm| alarm.0.load(Ordering::SeqCst)), [0, 1, 1]);
}

#[test]
fn a_watch_that_is_dropped_leaves_no_waker() {
    let (signal, alarm) = (Signal::new(), Arc::default());
    let mut watch = signal.watch();
    assert_eq!(poll(&mut watch, &alarm), Poll::Pending);
    drop(watch);
    assert_eq!(Arc::strong_count(&alarm), 1);
}
