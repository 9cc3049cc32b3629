//! Who sends a request.

mod principal;

pub(crate) use principal::{Operator, Principal};
