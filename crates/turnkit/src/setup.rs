//! What an agent is made of.

use turnkit_engine::{Engine, EngineBuilder, Instructions};

use crate::Error;
use crate::interaction::Handler;
#[cfg(feature = "llm")]
use crate::model::ModelNameError;

/// What an agent is made of: its engine, instructions and replies to interactions.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) builder: EngineBuilder,
    pub(crate) instructions: Instructions,
    /// The tools that the host added. They run without approval unless a rule requires one.
    pub(crate) trusted: Vec<String>,
    pub(crate) handler: Option<Handler>,
    /// Why the model cannot be asked.
    #[cfg(feature = "llm")]
    pub(crate) unusable: Option<ModelNameError>,
}

impl Setup {
    pub(crate) fn new(builder: EngineBuilder) -> Self {
        Self {
            builder,
            instructions: Instructions::default(),
            trusted: Vec::new(),
            handler: None,
            #[cfg(feature = "llm")]
            unusable: None,
        }
    }

    /// Builds the engine, with the settings of `adjust`.
    ///
    /// # Errors
    /// The model cannot be asked.
    pub(crate) fn build(&self, adjust: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Result<Engine, Error> {
        #[cfg(feature = "llm")]
        if let Some(error) = &self.unusable {
            return Err(error.clone().into());
        }
        Ok(adjust(self.builder.clone().trust(self.trusted.iter().cloned())).build())
    }
}
