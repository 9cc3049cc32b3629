//! Detects that the calls of a turn make no progress.

use std::hash::Hasher as _;

use serde::{Deserialize, Serialize};
use siphasher::sip::SipHasher13;
use turnkit_core::{ToolCall, ToolErrorKind, ToolResult};

use super::is_default;

/// The code of the error that ends a turn whose calls make no progress.
pub(super) const LOOP: &str = "loop";
/// The result that the model reads for a call that is not run again.
pub(super) const REFUSAL: &str = "it failed the same way three times in a row, so it did not run again; \
                                  do something else, or answer with what you have";

/// The number of identical failures in a row after which a call does not run again.
const REFUSED_AFTER: u8 = 3;
/// The number of identical failures in a row after which the turn ends. Calls that did not run count too.
const ENDED_AFTER: u8 = 5;
/// The number of calls alternating with one other call after which the turn ends: each of the two ran three times.
const MAX_ALTERNATIONS: u8 = 6;
/// The least number of steps over which these calls must be spread. A model that requests several calls at once does
/// not know their results.
const MIN_STEPS: u16 = 3;

/// The last two calls with their results, as hashes, and how long they have been repeated. The guard is stored with the
/// machine, so its size does not depend on the number of calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct Guard {
    /// The step of the last call.
    step: u16,
    /// The hash of the last call.
    call: u64,
    /// The hash of the last call with its result.
    last: u64,
    /// The hash of the call before the last one with its result; 0 if there was none.
    #[serde(default, skip_serializing_if = "is_default")]
    before: u64,
    /// For how many steps in a row the last call failed identically.
    #[serde(default, skip_serializing_if = "is_default")]
    failures: u8,
    /// How many calls have alternated, including the first two; 0 if the last call did not alternate.
    #[serde(default, rename = "turns", skip_serializing_if = "is_default")]
    alternations: u8,
    /// The step of the first alternating call.
    #[serde(default, skip_serializing_if = "is_default")]
    since: u16,
}

impl Guard {
    /// Reports whether a call does not run because it failed identically too often.
    pub(super) fn refuses(&self, call: u64) -> bool {
        self.failures >= REFUSED_AFTER && self.call == call
    }

    /// Records the result of a call. A call that is repeated within an answer counts once.
    pub(super) fn record(&mut self, step: u16, call: u64, result: &ToolResult) {
        let is_first = self.step == 0;
        let same_call = !is_first && self.call == call;
        let is_refused = same_call && result.error == Some(ToolErrorKind::Repeated);
        let outcome = if is_refused { self.last } else { outcome(call, result) };
        let is_alike = same_call && self.last == outcome;
        if is_alike && self.step == step {
            return;
        }
        self.failures = match (result.ok, is_alike) {
            (true, _) => 0,
            (false, true) => self.failures.saturating_add(1),
            (false, false) => 1,
        };
        if same_call || self.before != outcome {
            self.alternations = 0;
        } else if self.alternations == 0 {
            self.alternations = 3;
        } else {
            self.alternations = self.alternations.saturating_add(1);
        }
        if self.alternations == 0 {
            self.since = self.step;
        }
        *self = Self { step, call, last: outcome, before: self.last, ..*self };
    }

    /// Returns why the turn ends, if its calls make no progress.
    pub(super) fn found_loop(&self) -> Option<&'static str> {
        if self.failures >= ENDED_AFTER {
            return Some("stopped because the same call failed the same way five times in a row");
        }
        let steps = self.step.saturating_sub(self.since).saturating_add(1);
        let repeats = self.alternations >= MAX_ALTERNATIONS && steps >= MIN_STEPS;
        repeats.then_some("stopped because two calls alternated three times with the same results")
    }
}

/// Returns the hash of a call: of its tool and of its arguments, as the model wrote them.
pub(super) fn fingerprint(call: &ToolCall) -> u64 {
    let mut hash = SipHasher13::new();
    // The length keeps the name from running into the arguments.
    hash.write(&(call.name.len() as u64).to_le_bytes());
    hash.write(call.name.as_bytes());
    hash.write(call.arguments.0.as_bytes());
    hash.finish()
}

/// Returns the hash of a call with its result.
fn outcome(call: u64, result: &ToolResult) -> u64 {
    let mut hash = SipHasher13::new();
    hash.write(&call.to_le_bytes());
    hash.write(&[u8::from(result.ok)]);
    // Calls that time out fail alike, however far they got.
    match result.error {
        Some(ToolErrorKind::TimedOut) => hash.write(b"timed out"),
        _ => hash.write(result.content.as_bytes()),
    }
    hash.finish()
}

#[cfg(test)]
mod tests {
    use turnkit_core::{Arguments, CallUid, TurnId};

    use super::*;

    /// Returns a guard that has recorded calls. Each has its step, its name and its content, which begins with `!` if
    /// it failed.
    fn guard(calls: &[(u16, &str, &str)]) -> Guard {
        let mut guard = Guard::default();
        for (step, name, content) in calls {
            let uid = CallUid { turn: TurnId::default(), step: *step, ordinal: 0 };
            let call = call(name, "{}");
            let is_refused = guard.refuses(fingerprint(&call));
            let error = is_refused.then_some(ToolErrorKind::Repeated);
            let content = if is_refused { REFUSAL } else { content };
            let ok = !is_refused && !content.starts_with('!');
            let (name, content) = (call.name.clone(), content.to_owned());
            let result = ToolResult { ok, error, ..ToolResult::new(uid, name, content) };
            guard.record(*step, fingerprint(&call), &result);
        }
        guard
    }

    #[test]
    fn calls_that_time_out_fail_alike_however_far_they_got() {
        let (call, mut guard) = (call("a", "{}"), Guard::default());
        for step in 1..=5 {
            let why = format!("its last report was: {step} of 9");
            guard.record(step, fingerprint(&call), &ToolResult::failed(call.uid, "a", ToolErrorKind::TimedOut, why));
        }
        assert!(guard.found_loop().is_some());
    }

    fn call(name: &str, arguments: &str) -> ToolCall {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let (name, arguments) = (name.to_owned(), Arguments(arguments.to_owned()));
        ToolCall { uid, provider_id: String::new(), name, arguments, extras: None }
    }

    fn steps<'a>(calls: &[(&'a str, &'a str)], times: u16) -> Vec<(u16, &'a str, &'a str)> {
        let all = calls.iter().cycle().take(calls.len() * usize::from(times));
        (1..).zip(all).map(|(step, (name, content))| (step, *name, *content)).collect()
    }

    #[test]
    fn a_call_is_refused_after_three_failures_alike_in_a_row_and_ends_the_turn_after_five() {
        for (calls, refused, ended) in [
            (steps(&[("a", "!no")], 2), false, false),
            (steps(&[("a", "!no")], 3), true, false),
            (steps(&[("a", "!no")], 4), true, false),
            (steps(&[("a", "!no")], 5), true, true),
            (steps(&[("a", "fine")], 20), false, false),
            (steps(&[("a", "!no"), ("a", "!not yet")], 9), false, false),
            (steps(&[("a", "!no"), ("a", "!no"), ("b", "1"), ("a", "!no"), ("a", "fine")], 2), false, false),
            (vec![(1, "a", "!no"); 9], false, false),
            (vec![(1, "a", "!no"), (1, "a", "!no"), (2, "a", "!no"), (3, "a", "!no"), (3, "a", "!no")], true, false),
        ] {
            let guard = guard(&calls);
            let found = guard.found_loop().is_some();
            assert_eq!((guard.refuses(fingerprint(&call("a", "{}"))), found), (refused, ended), "{calls:?}");
            assert!(!guard.refuses(fingerprint(&call("a", "{ }"))), "{calls:?}");
        }
    }

    #[test]
    fn two_calls_that_alternate_end_the_turn_when_each_had_the_same_result_three_times() {
        let mut polls = steps(&[("a", "1"), ("b", "wait")], 3);
        polls[3].2 = "waits";
        for (calls, ended) in [
            (steps(&[("a", "1"), ("b", "2")], 3), true),
            (steps(&[("a", "1"), ("b", "!2")], 3), true),
            (steps(&[("a", "1"), ("b", "2")], 3)[..5].to_vec(), false),
            (steps(&[("c", "0"), ("a", "1"), ("b", "2")], 9), false),
            (steps(&[("a", "1"), ("a", "2")], 9), false),
            (polls, false),
            ([vec![(1, "c", "0")], steps(&[("a", "1"), ("b", "2")], 3)].concat(), true),
            ((1..=3).flat_map(|step| [(step, "a", "1"), (step, "b", "2")]).collect(), true),
            ((1..=12).map(|at| (1 + at / 7, if at % 2 == 0 { "a" } else { "b" }, "1")).collect(), false),
        ] {
            assert_eq!(guard(&calls).found_loop().is_some(), ended, "{calls:?}");
        }
    }

    #[test]
    fn stored_hashes_are_those_of_siphash_1_3() {
        assert_eq!(fingerprint(&call("look", r#"{"at":"it"}"#)), 9_113_009_395_596_326_692);
    }
}
