//! Named points at which a kill harness may stop the process. Without the `failpoints` feature, they do nothing.

#[cfg(feature = "failpoints")]
use std::sync::Arc;

/// Calls a hook at the named points of a turn.
#[derive(Clone, Default)]
pub struct Failpoints {
    #[cfg(feature = "failpoints")]
    hook: Option<Arc<dyn Fn(&'static str) + Send + Sync>>,
}

impl Failpoints {
    /// Calls `hook` with the name of each point that a turn passes.
    #[cfg(feature = "failpoints")]
    pub fn new(hook: impl Fn(&'static str) + Send + Sync + 'static) -> Self {
        Self { hook: Some(Arc::new(hook)) }
    }

    #[cfg_attr(
        not(feature = "failpoints"),
        expect(clippy::unused_self, reason = "the same call with and without the feature")
    )]
    pub(crate) fn hit(&self, name: &'static str) {
        #[cfg(feature = "failpoints")]
        if let Some(hook) = &self.hook {
            hook(name);
        }
        #[cfg(not(feature = "failpoints"))]
        let _ = name;
    }
}
