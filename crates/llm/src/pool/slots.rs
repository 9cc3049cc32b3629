//! Concurrency limit of a provider: slots, and the queue for them.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;
use turnkit_core::Tier;

/// The slots of one provider.
#[derive(Debug)]
pub(super) struct Slots {
    capacity: Option<usize>,
    queue: Mutex<SlotQueue>,
}

#[derive(Debug, Default)]
struct SlotQueue {
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

/// One of a provider's slots. Dropping it releases the slot.
#[derive(Debug)]
pub(super) struct Slot(Arc<Slots>);

impl Slots {
    /// Creates `capacity` slots; `None` means unlimited.
    pub(super) fn new(capacity: Option<usize>) -> Arc<Self> {
        Arc::new(Self { capacity, queue: Mutex::default() })
    }

    /// Takes a slot if one is free for this tier and no request has waited longer for it.
    pub(super) fn try_take(self: &Arc<Self>, tier: Tier) -> Option<Slot> {
        let mut queue = self.queue();
        let free = self.admits(tier, queue.used) && !queue.waiting.iter().any(|waiter| waiter.tier >= tier);
        free.then(|| {
            queue.used += 1;
            Slot(Arc::clone(self))
        })
    }

    /// Waits for a slot. Within a tier, requests are served in order of arrival. Dropping the future leaves the queue.
    pub(super) async fn take(self: &Arc<Self>, tier: Tier) -> Slot {
        loop {
            if let Some(slot) = self.try_take(tier) {
                return slot;
            }
            let (slot, _leaves) = self.enqueue(tier);
            // A slot may have been released between the check and joining the queue.
            self.hand_out_slots();
            if let Ok(slot) = slot.await {
                return slot;
            }
        }
    }

    fn enqueue(&self, tier: Tier) -> (oneshot::Receiver<Slot>, Leave<'_>) {
        let (sender, receiver) = oneshot::channel();
        let mut queue = self.queue();
        let number = queue.next;
        queue.next += 1;
        queue.waiting.push_back(Waiter { number, tier, slot: sender });
        (receiver, Leave { slots: self, number })
    }

    /// Returns the number of slots in use.
    pub(super) fn used(&self) -> usize {
        self.queue().used
    }

    /// Returns the number of queued requests.
    pub(super) fn waiting(&self) -> usize {
        self.queue().waiting.len()
    }

    /// Returns the number of slots, if limited.
    pub(super) fn capacity(&self) -> Option<usize> {
        self.capacity
    }

    /// Each tier leaves slots free for the tiers above it; a single slot is open to every tier.
    fn admits(&self, tier: Tier, used: usize) -> bool {
        let Some(capacity) = self.capacity else { return true };
        let reserved = match tier {
            Tier::Critical => 0,
            Tier::Normal => capacity / 5,
            Tier::Idle => capacity / 2,
        };
        capacity.saturating_sub(used) > reserved
    }

    /// Hands free slots to queued requests, by tier, then by order of arrival.
    fn hand_out_slots(self: &Arc<Self>) {
        loop {
            let mut queue = self.queue();
            let longest = queue.waiting.iter().enumerate().rev().max_by_key(|(_, waiter)| waiter.tier);
            let next = longest.map(|(index, waiter)| (index, waiter.tier));
            let Some((index, _)) = next.filter(|(_, tier)| self.admits(*tier, queue.used)) else { return };
            let Some(waiter) = queue.waiting.remove(index) else { return };
            queue.used += 1;
            drop(queue);
            // If the waiter is gone, the slot is dropped, which hands it to the next one.
            drop(waiter.slot.send(Slot(Arc::clone(self))));
        }
    }

    fn queue(&self) -> MutexGuard<'_, SlotQueue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let mut queue = self.0.queue();
        queue.used = queue.used.saturating_sub(1);
        let waited_for = !queue.waiting.is_empty();
        drop(queue);
        if waited_for {
            self.0.hand_out_slots();
        }
    }
}

/// Leaves the queue on drop.
struct Leave<'a> {
    slots: &'a Slots,
    number: u64,
}

impl Drop for Leave<'_> {
    fn drop(&mut self) {
        self.slots.queue().waiting.retain(|waiter| waiter.number != self.number);
    }
}

#[cfg(test)]
mod tests {
    use std::pin::pin;
    use std::task::{Context, Poll, Waker};

    use super::*;

    #[test]
    fn each_tier_leaves_slots_for_the_tiers_above_it() {
        for (capacity, tier, expected) in [
            (10, Tier::Critical, 10),
            (10, Tier::Normal, 8),
            (10, Tier::Idle, 5),
            (2, Tier::Normal, 2),
            (2, Tier::Idle, 1),
            (1, Tier::Critical, 1),
            (1, Tier::Normal, 1),
            (1, Tier::Idle, 1),
        ] {
            let slots = Slots::new(Some(capacity));
            let taken: Vec<Slot> = std::iter::from_fn(|| slots.try_take(tier)).collect();
            assert_eq!(taken.len(), expected, "{capacity} {tier:?}");
            drop(taken);
            assert_eq!(slots.used(), 0);
        }
    }

    #[test]
    fn slots_are_granted_by_tier_then_in_order_of_arrival() {
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
    fn a_cancelled_wait_leaves_the_queue() {
        let slots = Slots::new(Some(1));
        let mut context = Context::from_waker(Waker::noop());
        let held = slots.try_take(Tier::Normal);
        for _ in 0..100 {
            let mut waiting = Box::pin(slots.take(Tier::Normal));
            assert!(waiting.as_mut().poll(&mut context).is_pending());
        }
        assert_eq!(slots.waiting(), 0);
        // Dropped after receiving a slot but before being polled again.
        let mut waiting = Box::pin(slots.take(Tier::Normal));
        assert!(waiting.as_mut().poll(&mut context).is_pending());
        drop(held);
        assert_eq!(slots.used(), 1);
        drop(waiting);
        assert_eq!((slots.used(), slots.waiting()), (0, 0));
    }
}
