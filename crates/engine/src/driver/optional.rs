//! Dropping optional items of the instructions if nothing else makes a request small enough.

use std::pin::Pin;
use std::sync::Arc;

use tokio::time::Sleep;

use super::{Driver, Environment};
use crate::context::{Assembled, Assembly};
use crate::machine::Input;

/// The parts of a turn's instructions, as long as items can be dropped from them.
pub(crate) struct OptionalItems<'a> {
    assembly: Assembly<'a>,
    /// The agent's own instructions.
    own: Option<Arc<str>>,
    /// The remaining items; absent if only the text of the instructions is known.
    assembled: Option<Assembled>,
}

impl<'a> OptionalItems<'a> {
    pub(super) fn new(assembly: Assembly<'a>, own: Option<Arc<str>>, assembled: Option<Assembled>) -> Self {
        Self { assembly, own, assembled }
    }
}

impl<E: Environment> Driver<'_, E> {
    /// Drops optional items of about `needed` tokens for the rest of the turn, with a notice for each. Asks the
    /// providers again if only the text of the instructions is known. Fails with the input that ends the turn, if the
    /// turn was interrupted or a closed provider failed.
    pub(super) async fn drop_optional(&mut self, needed: u64, expiry: Pin<&mut Sleep>) -> Result<(), Input> {
        let optional = self.window.as_mut().and_then(|window| window.optional.take());
        let Some(OptionalItems { assembly, own, assembled }) = optional else { return Ok(()) };
        let mut assembled = match assembled {
            Some(assembled) => assembled,
            None => self.ask_providers(&assembly, own.as_deref(), expiry).await?,
        };
        if assembled.drop_optional(needed) {
            self.notify(&assembled);
            self.instructions = assembled.instructions();
            if let Some(window) = &mut self.window {
                window.optional = Some(OptionalItems { assembly, own, assembled: Some(assembled) });
            }
        }
        Ok(())
    }
}
