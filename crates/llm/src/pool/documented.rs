//! Checks that `docs/failures.md` documents the actual handling of each kind of failure.

use std::time::Duration;

use turnkit_core::{Phase, ProviderError, ProviderErrorKind as Kind};

use super::call::can_fail_over;
use super::freeze::{Blame, Term};
use super::retry::pause;

const PAGE: &str = include_str!("../../../../docs/failures.md");

#[rustfmt::skip]
const KINDS: [Kind; 19] = [
    Kind::Auth, Kind::KeyInvalid, Kind::Quota, Kind::Balance, Kind::RateLimited, Kind::Overloaded, Kind::Network,
    Kind::Timeout(Phase::Idle), Kind::Truncated, Kind::BadResponse, Kind::ModelNotFound, Kind::MalformedCall,
    Kind::ToolsUnsupported, Kind::ImagesUnsupported, Kind::BadRequest, Kind::ContextOverflow, Kind::ContentFilter,
    Kind::AnswerTooLarge, Kind::Unaffordable,
];

#[test]
fn the_failures_page_documents_the_handling_of_each_kind() {
    for kind in KINDS {
        let mut rows =
            PAGE.lines().filter(|line| line.starts_with("| `") && line.contains(&format!("`{}`", kind.code())));
        // If there are two rows, the first is about an address with no API behind it.
        let row: Vec<&str> =
            rows.next_back().unwrap_or_else(|| panic!("no row of {kind:?}")).split('|').map(str::trim).collect();
        let error = |seconds: Option<u64>| ProviderError {
            retry_after: seconds.map(Duration::from_secs),
            ..ProviderError::new(kind, "")
        };
        let is_asked_again = |seconds| pause(&error(seconds), 1, |most| most).is_some();
        let again = match (is_asked_again(None), is_asked_again(Some(5)), is_asked_again(Some(6))) {
            (true, true, false) => "yes",
            (false, true, false) => "if it says when, and that is within 5 s",
            (false, false, false) if matches!(kind, Kind::ToolsUnsupported | Kind::ImagesUnsupported) => "without them",
            (false, false, false) => "no",
            other => panic!("{kind:?}: {other:?}"),
        };
        let frozen = match Blame::for_kind(kind) {
            Blame::Provider(Term::UntilThawed) => "until it is thawed".to_owned(),
            Blame::Provider(Term::Passing(first)) => format!("{} s", first.as_secs()),
            Blame::Model(length) => format!("not it, but the model there: {} hour", length.as_secs() / 3600),
            Blame::Answer | Blame::Request => "no".to_owned(),
        };
        let next = if can_fail_over(&error(None)) { "yes" } else { "no: it would fail anywhere" };
        assert_eq!(row.get(2..5), Some(&[again, &frozen, next][..]), "{kind:?}");
    }
}
