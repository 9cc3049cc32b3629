//! Sessions that survive the process, in an SQLite database.

mod builder;
mod installation;
mod providers;
mod replies;
mod session;
mod turn;
mod turnkit;

pub use builder::{OpenError, TurnkitBuilder};
pub use session::DurableSession;
pub use turnkit::Turnkit;
