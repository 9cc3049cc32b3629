//! A tool source for tests.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use turnkit_core::Scope;
use turnkit_core::ports::{BoxFuture, Tool, ToolSet, ToolSource, ToolSourceError};

use crate::Gate;

/// A source that always returns the same tools, and counts the requests for them.
///
/// ```
/// use turnkit_core::ports::ToolSource as _;
/// use turnkit_testkit::TestSource;
/// use turnkit_testkit::tools::lookup;
///
/// let source = TestSource::new("world").tool(lookup()).deferred();
/// assert_eq!((source.name(), source.defers(), source.asked()), ("world", true, 0));
/// ```
#[derive(Clone)]
pub struct TestSource {
    name: &'static str,
    is_deferred: bool,
    tools: Vec<Arc<dyn Tool>>,
    set: Arc<ToolSet>,
    fails: Option<&'static str>,
    waits: Option<Gate>,
    asked: Arc<AtomicU32>,
}

impl TestSource {
    /// Creates a source without tools.
    pub fn new(name: &'static str) -> Self {
        let (tools, set, asked) = (Vec::new(), Arc::default(), Arc::default());
        Self { name, is_deferred: false, tools, set, fails: None, waits: None, asked }
    }

    /// Adds a tool.
    #[must_use]
    pub fn tool(mut self, tool: impl Tool + 'static) -> Self {
        self.tools.push(Arc::new(tool));
        self.set = Arc::new(ToolSet::new(self.tools.iter().cloned()));
        self
    }

    /// Defers the tools of the source.
    #[must_use]
    pub fn deferred(self) -> Self {
        Self { is_deferred: true, ..self }
    }

    /// Makes the source fail with the error `why`.
    #[must_use]
    pub fn failing(self, why: &'static str) -> Self {
        Self { fails: Some(why), ..self }
    }

    /// Makes the source wait until `gate` is open before it responds.
    #[must_use]
    pub fn waiting(self, gate: &Gate) -> Self {
        Self { waits: Some(gate.clone()), ..self }
    }

    /// Returns the number of requests for tools, over all clones.
    pub fn asked(&self) -> u32 {
        self.asked.load(Ordering::SeqCst)
    }
}

impl ToolSource for TestSource {
    fn name(&self) -> &str {
        self.name
    }

    fn defers(&self) -> bool {
        self.is_deferred
    }

    fn tools<'a>(&'a self, _: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>> {
        Box::pin(async move {
            self.asked.fetch_add(1, Ordering::SeqCst);
            if let Some(gate) = &self.waits {
                gate.pass().await;
            }
            match self.fails {
                Some(why) => Err(ToolSourceError(why.to_owned())),
                None => Ok(Arc::clone(&self.set)),
            }
        })
    }
}
