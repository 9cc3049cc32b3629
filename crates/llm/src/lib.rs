//!

pub mod offline;
