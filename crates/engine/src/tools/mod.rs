//! The tools of a turn: found by name, judged, and run.

mod explain;
mod round;
mod toolbox;
mod view;

pub use explain::Explanation;
pub(crate) use round::{LOOK_AGAIN, Round, RunnableCall, forbidden};
pub(crate) use toolbox::Toolbox;
pub(crate) use view::View;
