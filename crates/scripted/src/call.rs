//! A call that a scripted provider received.

use turnkit_core::ChatRequest;
use turnkit_core::ports::CallContext;

use crate::transcript::lines;

/// One call of a provider.
#[derive(Debug, Clone)]
pub struct Call {
    /// The request.
    pub request: ChatRequest,
    /// The turn, step and attempt that made the call.
    pub context: CallContext,
}

impl Call {
    /// Returns the history of the request as [`lines`].
    pub fn transcript(&self) -> Vec<String> {
        lines(self.request.history.iter().map(|entry| entry.message()))
    }

    /// Returns the names of the tools that the model may call, in order.
    pub fn tools(&self) -> Vec<&str> {
        self.request.tools.iter().map(|tool| tool.name.as_str()).collect()
    }
}
