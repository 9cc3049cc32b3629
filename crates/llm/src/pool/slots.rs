//! How many answers a provider may be giving at once, and who is next.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use turnkit_core::Tier;

/// The slots of one provider.
#[derive(Debug)]
pub(super) struct Slots {
    most: Option<usize>,
    line: Mutex<Line>,
}

#[derive(Debug, Default)]
struct Line {
    used: usize,
    waiting: VecDeque<Waiter>,
    /// The number of the next waiter.
    next: u64,
}

#[derive(Debug)]
struct Waiter {
    number: u64,
    tier: Tier,
    slot: oneshot::Sender<Slot>,
}

/// One of a provider's slots. It is free again when this is dropped.
#[derive(Debug)]
pub(super) struct Slot(Arc<Slots>);

impl Slots {
    /// At most so many at once; as many as are asked for without a number.
    pub(super) fn new(most: Option<usize>) -> Arc<Self> {
        Arc::new(Self { most, line: Mutex::default() })
    }

    /// A slot, if one is free for this tier and nobody has waited longer for it.
    pub(super) fn try_take(self: &Arc<Self>, tier: Tier) -> Option<Slot> {
        let mut line = self.line();
        let free = self.admits(tier, line.used) && !line.waiting.iter().any(|waiter| waiter.tier >= tier);
        free.then(|| {
            line.used += 1;
            Slot(Arc::clone(self))
        })
    }

    /// A slot as soon as it is this one's turn: within a tier, who came first. Dropping the future gives up the place in
    /// the line.
    pub(super) async fn take(self: &Arc<Self>, tier: Tier) -> Slot {
        loop {
            if let Some(slot) = self.try_take(tier) {
                return slot;
            }
            let (slot, _leaves) = self.line_up(tier);
            // Somebody may have left between the look and the line.
            self.give_out();
            if let Ok(slot) = slot.await {
                return slot;
            }
        }
    }

    fn line_up(&self, tier: Tier) -> (oneshot::Receiver<Slot>, Leave<'_>) {
        let (sender, receiver) = oneshot::channel();
        let mut line = self.line();
        let number = line.next;
        line.next += 1;
        line.waiting.push_back(Waiter { number, tier, slot: sender });
        (receiver, Leave { slots: self, number })
    }

    /// How many are taken.
    pub(super) fn used(&self) -> usize {
        self.line().used
    }

    /// How many wait.
    pub(super) fn waiting(&self) -> usize {
        self.line().waiting.len()
    }

    /// How many there are.
    pub(super) fn most(&self) -> Option<usize> {
        self.most
    }

    /// Each tier leaves room for those above it; a single slot is everyone's.
    fn admits(&self, tier: Tier, used: usize) -> bool {
        let Some(most) = self.most else { return true };
        let reserved = match tier {
            Tier::Critical => 0,
            Tier::Normal => most / 5,
            Tier::Idle => most / 2,
        };
        most.saturating_sub(used) > reserved
    }

    /// Gives free slots to those who wait: the most urgent first, among equals the first.
    fn give_out(self: &Arc<Self>) {
        loop {
            let mut line = self.line();
            let longest = line.waiting.iter().enumerate().rev().max_by_key(|(_, waiter)| waiter.tier);
            let next = longest.map(|(index, waiter)| (index, waiter.tier));
            let Some((index, _)) = next.filter(|(_, tier)| self.admits(*tier, line.used)) else { return };
            let Some(waiter) = line.waiting.remove(index) else { return };
            line.used += 1;
            drop(line);
            // Who has left meanwhile leaves the slot behind, and dropping it gives it to the next.
            drop(waiter.slot.send(Slot(Arc::clone(self))));
        }
    }

    fn line(&self) -> MutexGuard<'_, Line> {
        self.line.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut line = self.0.line();
        line.used = line.used.saturating_sub(1);
        let waited_for = !line.waiting.is_empty();
        drop(line);
        if waited_for {
            self.0.give_out();
        }
    }
}

/// Leaves the line when it is dropped.
struct Leave<'a> {
    slots: &'a Slots,
    number: u64,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.slots.line().waiting.retain(|waiter| waiter.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn each_tier_leaves_room_for_those_above_it() {
        for (most, tier, expected) in [
            (10, Tier::Critical, 10),
            (10, Tier::Normal, 8),
            (10, Tier::Idle, 5),
            (2, Tier::Normal, 2),
            (2, Tier::Idle, 1),
            (1, Tier::Critical, 1),
            (1, Tier::Normal, 1),
            (1, Tier::Idle, 1),
        ] {
            let slots = Slots::new(Some(most));
            let taken: Vec<Slot> = std::iter::from_fn(|| slots.try_take(tier)).collect();
            assert_eq!(taken.len(), expected, "{most} {tier:?}");
            drop(taken);
            assert_eq!(slots.used(), 0);
        }
    }

    #[test]
    fn who_waits_gets_a_slot_by_urgency_then_in_order_and_nobody_overtakes() {
        let slots = Slots::new(Some(1));
        let mut context = Context::from_waker(Waker::noop());
        let held = slots.try_take(Tier::Normal);
        let (mut first, mut second, mut urgent) =
            (pin!(slots.take(Tier::Normal)), pin!(slots.take(Tier::Normal)), pin!(slots.take(Tier::Critical)));
        assert!(first.as_mut().poll(&mut context).is_pending());
        assert!(second.as_mut().poll(&mut context).is_pending());
        assert!(urgent.as_mut().poll(&mut context).is_pending());
        drop(held);
        assert!(slots.try_take(Tier::Normal).is_none(), "others wait");
        let Poll::Ready(slot) = urgent.as_mut().poll(&mut context) else { panic!("the most urgent is first") };
        drop(slot);
        assert!(second.as_mut().poll(&mut context).is_pending());
        let Poll::Ready(slot) = first.as_mut().poll(&mut context) else { panic!("then who came first") };
        drop(slot);
        assert!(second.as_mut().poll(&mut context).is_ready());
        assert_eq!(slots.used(), 0);
    }

    #[test]
    fn who_leaves_the_line_leaves_nothing_behind() {
        let slots = Slots::new(Some(1));
        let mut context = Context::from_waker(Waker::noop());
        let held = slots.try_take(Tier::Normal);
        for _ in 0..100 {
            let mut waiting = Box::pin(slots.take(Tier::Normal));
            assert!(waiting.as_mut().poll(&mut context).is_pending());
        }
        assert_eq!(slots.waiting(), 0);
        // Given a slot and not looked at any more.
        let mut waiting = Box::pin(slots.take(Tier::Normal));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        drop(held);
        assert_eq!(slots.used(), 1);
        drop(waiting);
        assert_eq!((slots.used(), slots.waiting()), (0, 0));
    }
}
