//! The tools of a turn: found by name, judged, and run.

mod round;
mod toolbox;

pub(crate) use round::{LOOK_AGAIN, Round, RunnableCall, forbidden};
pub(crate) use toolbox::Toolbox;
