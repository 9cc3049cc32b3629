//! The tools of a turn: looked up by name, judged, and run.

mod explain;
mod forbidden;
mod kept_results;
mod listed;
mod overrun;
mod progress;
mod result_images;
mod round;
mod task;
mod toolbox;
mod view;

pub use explain::Explanation;
pub(crate) use explain::GrantSubject;
pub(crate) use kept_results::KeptResults;
pub use listed::{ListedTool, ToolOrigin};
pub(crate) use round::{Round, RunnableCall, TIMEOUT_GRACE};
pub use task::TaskTool;
pub(crate) use toolbox::{ApprovalQuestion, Toolbox};
pub(crate) use view::View;
