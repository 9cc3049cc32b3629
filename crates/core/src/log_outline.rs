//! What remains of a turn's log once the log has been removed.

use serde::{Deserialize, Serialize};

use crate::{FailedAttempt, FinishReason, Str, Usage};

/// The data of a removed log that no message holds: who answered each step and what it consumed, how long calls ran,
/// and the notices. It is kept with the turn, so that old turns can still be drawn and examined.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct LogOutline {
    /// The model calls, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepOutline>,
    /// The tool calls that ran or were refused, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<CallOutline>,
    /// The notices, in order. Messages hold the errors.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notices: Vec<NoticeOutline>,
    /// The attempts at a model call that all failed, which ended the turn. Absent if there is no room.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<FailedAttempt>,
    /// The code of the first error, for lists.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The time from the acceptance of the turn to its first answer, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_ms: Option<u64>,
}

/// A model call of a removed log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepOutline {
    /// The step, from 1.
    pub step: u16,
    /// The provider that answered.
    pub provider: Str,
    /// The model that answered.
    pub model: Str,
    /// Why the model stopped. Absent if the call never ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<FinishReason>,
    /// The usage of the call, without the provider's own object. Absent in long turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<Usage>,
    /// The attempts that failed before the one that answered. Absent in long turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub attempts: Vec<FailedAttempt>,
}

/// A tool call of a removed log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CallOutline {
    /// The step of the call.
    pub step: u16,
    /// The number of earlier calls of the step.
    pub ordinal: u16,
    /// How long the call ran, in milliseconds.
    pub ms: u64,
}

/// A notice of a removed log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NoticeOutline {
    /// A code for programs.
    pub code: String,
    /// A sentence for people.
    pub text: String,
    /// The number of errors before the notice.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub errors: u16,
}

impl LogOutline {
    /// The largest size of the JSON form, in bytes.
    pub const MAX_BYTES: usize = 2 * 1024;

    /// Returns the JSON form, in at most [`MAX_BYTES`](Self::MAX_BYTES). If the outline is larger, usage and failed
    /// attempts are left out, then the durations of calls, then the notices. Returns `None` if nothing is to
    /// be kept, or if the steps alone are too large.
    ///
    /// ```
    /// use turnkit_core::{LogOutline, NoticeOutline};
    ///
    /// let notice = |text: &str| NoticeOutline { code: "failed_over".to_owned(), text: text.to_owned(), errors: 0 };
    /// let outline = LogOutline { notices: vec![notice("another model answers")], ..LogOutline::default() };
    /// let json = outline.to_json().unwrap();
    /// assert_eq!(json, r#"{"notices":[{"code":"failed_over","text":"another model answers"}]}"#);
    ///
    /// let large = LogOutline { notices: vec![notice(&"x".repeat(LogOutline::MAX_BYTES))], ..outline };
    /// assert_eq!(large.to_json(), None);
    /// ```
    pub fn to_json(&self) -> Option<String> {
        const LEFT_OUT: [fn(&mut LogOutline); 4] = [
            |_| {},
            |outline| {
                for step in &mut outline.steps {
                    step.usage = None;
                    step.attempts.clear();
                }
                outline.attempts.clear();
            },
            |outline| outline.calls.clear(),
            |outline| outline.notices.clear(),
        ];
        let mut outline = self.clone();
        for leave_out in LEFT_OUT {
            leave_out(&mut outline);
            if outline == Self::default() {
                return None;
            }
            let json = serde_json::to_string(&outline).ok()?;
            if json.len() <= Self::MAX_BYTES {
                return Some(json);
            }
        }
        None
    }
}

fn is_zero(count: &u16) -> bool {
    *count == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outline_that_is_too_large_leaves_out_what_matters_least() {
        let failed = FailedAttempt { provider: "one".into(), model: "large".into(), code: "c".into(), ms: 5 };
        let outline = |steps: u16, calls: u16, notices: usize| LogOutline {
            attempts: vec![failed.clone()],
            steps: (1..=steps)
                .map(|step| StepOutline {
                    step,
                    provider: "one".into(),
                    model: "large".into(),
                    finish: Some(FinishReason::Stop),
                    usage: Some(Usage::default()),
                    attempts: Vec::new(),
                })
                .collect(),
            calls: (0..calls).map(|ordinal| CallOutline { step: 1, ordinal, ms: 5 }).collect(),
            notices: vec![NoticeOutline { code: "a".to_owned(), text: "b".repeat(100), errors: 1 }; notices],
            ..LogOutline::default()
        };
        for (written, usages, calls, notices) in [
            (outline(2, 2, 2), 2, 2, 2),
            (outline(20, 2, 2), 0, 2, 2),
            (outline(20, 60, 2), 0, 0, 2),
            (outline(20, 60, 9), 0, 0, 0),
        ] {
            let json = written.to_json().unwrap();
            assert!(json.len() <= LogOutline::MAX_BYTES, "{json}");
            let read: LogOutline = serde_json::from_str(&json).unwrap();
            let kept = (read.steps.iter().filter(|step| step.usage.is_some()).count(), read.calls.len());
            assert_eq!((kept, read.notices.len()), ((usages, calls), notices));
            assert_eq!(read.attempts.is_empty(), usages == 0);
            assert_eq!(read.steps.len(), written.steps.len());
        }
        assert_eq!(outline(99, 0, 0).to_json(), None);
        assert_eq!(LogOutline::default().to_json(), None);
    }
}
