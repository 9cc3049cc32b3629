//! A set of wakers that are woken together.

use std::task::Waker;

/// The wakers of waiting tasks, at most one per task. Registering, re-registering and removing a waker take constant
/// time.
#[derive(Debug, Default)]
pub(crate) struct Wakers {
    /// The number of times that all wakers were taken. Slots of earlier rounds are stale.
    round: u64,
    slots: Vec<Option<Waker>>,
    /// The indices of empty slots.
    vacant: Vec<usize>,
}

/// The slot of a waiting task.
#[derive(Debug, Default)]
pub(crate) struct WakerSlot(Option<(u64, usize)>);

impl Wakers {
    /// Registers a task's waker in its slot, replacing any earlier waker of the task.
    pub(crate) fn register(&mut self, slot: &mut WakerSlot, waker: &Waker) {
        if let Some(kept) = self.at(slot) {
            kept.clone_from(waker);
            return;
        }
        let index = self.vacant.pop().unwrap_or(self.slots.len());
        match self.slots.get_mut(index) {
            Some(slot) => *slot = Some(waker.clone()),
            None => self.slots.push(Some(waker.clone())),
        }
        *slot = WakerSlot(Some((self.round, index)));
    }

    /// Removes the waker registered in this slot.
    pub(crate) fn remove(&mut self, slot: &mut WakerSlot) {
        let Some(index) = self.index(slot) else { return };
        if self.slots.get_mut(index).is_some_and(|slot| slot.take().is_some()) {
            self.vacant.push(index);
        }
        *slot = WakerSlot::default();
    }

    /// Takes all wakers, for the caller to wake. Their slots become stale.
    pub(crate) fn take(&mut self) -> impl Iterator<Item = Waker> + use<> {
        self.round += 1;
        self.vacant.clear();
        std::mem::take(&mut self.slots).into_iter().flatten()
    }

    fn at(&mut self, slot: &WakerSlot) -> Option<&mut Waker> {
        let index = self.index(slot)?;
        self.slots.get_mut(index)?.as_mut()
    }

    /// Returns the index of a slot, if the slot belongs to the current round.
    fn index(&self, slot: &WakerSlot) -> Option<usize> {
        slot.0.filter(|(round, _)| *round == self.round).map(|(_, index)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_slot_is_reused() {
        let (mut wakers, mut stays) = (Wakers::default(), WakerSlot::default());
        wakers.register(&mut stays, Waker::noop());
        for _ in 0..1_000 {
            let mut slot = WakerSlot::default();
            wakers.register(&mut slot, Waker::noop());
            wakers.register(&mut slot, Waker::noop());
            wakers.remove(&mut slot);
            wakers.remove(&mut slot);
        }
        assert_eq!((wakers.slots.len(), wakers.take().count()), (2, 1));
        wakers.remove(&mut stays);
        assert_eq!((wakers.vacant.len(), wakers.take().count()), (0, 0), "a slot of an earlier round");
    }
}
