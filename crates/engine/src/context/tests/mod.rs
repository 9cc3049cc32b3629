//! Measurements on generated and recorded sessions.

mod fill_error;
mod linear_assembly;
