//! Instructions assembled from items, with the place, the cap and the budget of each.

mod cache;
mod item;
mod pipeline;
mod render;
mod report;
mod tokens;

pub(crate) use cache::InstructionCache;
pub use pipeline::ContextPipeline;
pub(crate) use pipeline::{Assembled, Assembly};
pub use report::{ContextReport, ReportedCut, ReportedItem};
