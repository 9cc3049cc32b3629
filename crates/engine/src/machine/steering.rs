//! Messages that the user sends while the turn runs.

use turnkit_core::{Recorded, SteeringMessage};

use super::Effects;

/// Adds the messages to the turn, the first one at place `first` of its messages. Each message was accepted as a turn,
/// which ends at the same boundary, so that the message is sent to the model once.
pub(super) fn steer(messages: &[SteeringMessage], first: u32, effects: &mut Effects) {
    for (place, SteeringMessage { turn, message }) in (first..).zip(messages) {
        effects.messages.push(message.clone().steering());
        effects.log.push(Recorded::Steered { steering: *turn, message: place });
        effects.steered.push(*turn);
    }
    effects.commit = true;
}
