//! The configuration of an agent.

#[cfg(feature = "sqlite")]
use std::sync::Arc;

#[cfg(feature = "sqlite")]
use turnkit_core::ports::LlmProvider;
use turnkit_engine::{Engine, EngineBuilder, Instructions};

use crate::Error;
use crate::interaction::Handler;
#[cfg(feature = "llm")]
use crate::model::ModelNameError;

/// The configuration of an agent: its engine, instructions and interaction handler.
#[derive(Clone)]
pub(crate) struct Setup {
    pub(crate) builder: EngineBuilder,
    pub(crate) instructions: Instructions,
    /// The tools that the host added. They run without approval unless a rule requires one.
    pub(crate) trusted: Vec<String>,
    pub(crate) handler: Option<Handler>,
    /// The reason why the model cannot be used.
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

    /// Builds the engine, with the settings that `adjust` makes.
    ///
    /// # Errors
    /// The model cannot be used.
    pub(crate) fn build(&self, adjust: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Result<Engine, Error> {
        Ok(adjust(self.trusting()?).build())
    }

    /// Converts the configuration to an agent of a service, and returns it with its provider.
    ///
    /// # Errors
    /// The model cannot be used.
    #[cfg(feature = "sqlite")]
    pub(crate) fn into_agent(self, name: String) -> Result<(turnkit_engine::Agent, Arc<dyn LlmProvider>), Error> {
        let builder = self.trusting()?;
        Ok(builder.into_agent(name, Arc::new(self.instructions)))
    }

    /// Returns the builder of an engine that trusts the host's tools.
    fn trusting(&self) -> Result<EngineBuilder, Error> {
        #[cfg(feature = "llm")]
        if let Some(error) = &self.unusable {
            return Err(error.clone().into());
        }
        Ok(self.builder.clone().trust(self.trusted.iter().cloned()))
    }
}
