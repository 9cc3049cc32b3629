//! Costs per delta and per request.

fn main() {}
