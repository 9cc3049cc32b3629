//! Hashes, as requests and responses write them.

/// Returns bytes as lower-case hexadecimal digits, two for each.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
