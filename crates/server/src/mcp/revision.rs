//! Revisions of the protocol.

/// The revision without a handshake, in which each request names its revision and the abilities of its client.
pub(super) const STATELESS: &str = "2026-07-28";

/// The revisions with a handshake, the newest first.
const INITIALIZED: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// How a client speaks the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Revision {
    /// A client of an earlier revision, which begins with `initialize`. Its abilities are known to that request alone.
    Initialized,
    /// A client of [`STATELESS`].
    Stateless,
}

/// Returns all revisions that the server speaks, the newest first.
pub(super) fn supported() -> impl Iterator<Item = &'static str> {
    std::iter::once(STATELESS).chain(INITIALIZED)
}

/// Returns the revision that the server answers `initialize` with: the requested one, or else the newest that has a
/// handshake.
pub(super) fn negotiate(requested: &str) -> &'static str {
    let [newest, ..] = INITIALIZED;
    INITIALIZED.into_iter().find(|known| *known == requested).unwrap_or(newest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handshake_never_selects_the_revision_without_one() {
        for (requested, answered) in [
            ("2024-11-05", "2024-11-05"),
            ("2025-06-18", "2025-06-18"),
            ("2025-11-25", "2025-11-25"),
            ("2026-07-28", "2025-11-25"),
            ("1.0", "2025-11-25"),
            ("", "2025-11-25"),
        ] {
            assert_eq!(negotiate(requested), answered, "{requested}");
        }
    }
}
