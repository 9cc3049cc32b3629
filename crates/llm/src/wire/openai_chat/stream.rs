//! From the bytes of a streamed answer to deltas.

use turnkit_core::{Delta, ProviderError};

use super::Decoder;
use crate::sse::SseDecoder;

/// Decodes one streamed answer from its bytes, however they were split.
#[derive(Debug, Default)]
pub struct StreamDecoder {
    sse: SseDecoder,
    decoder: Decoder,
}

impl StreamDecoder {
    /// Takes what was read and adds what it says to `out`.
    ///
    /// # Errors
    /// The provider reported a failure, or sent what cannot be understood. `out` holds what came before.
    pub fn push(&mut self, bytes: &[u8], out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.sse.push(bytes, |event| self.decoder.event(event, out))
    }

    /// The body has ended.
    ///
    /// # Errors
    /// The answer is not whole.
    pub fn end(&mut self, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.sse.finish(|event| self.decoder.tail(event, out))?;
        self.decoder.end(out)
    }

    /// Whether `[DONE]` came: nothing that follows matters.
    pub fn is_done(&self) -> bool {
        self.decoder.is_done()
    }

    /// Whether the answer is whole; only usage is still welcome.
    pub fn is_complete(&self) -> bool {
        self.decoder.is_complete()
    }
}
