//! What a turn costs the storage.

fn main() {}
