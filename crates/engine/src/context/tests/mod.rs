//! Measurements on generated and recorded sessions.

mod fill_error;
