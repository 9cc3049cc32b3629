//! Fingerprints of definitions, as requests and responses write them.

/// Returns a fingerprint as 64 lower-case hexadecimal digits.
pub(super) fn hexadecimal(fingerprint: [u8; 32]) -> String {
    fingerprint.iter().map(|byte| format!("{byte:02x}")).collect()
}
