//! Calls that were stopped at their time limit.

use std::fmt;
use std::time::Duration;

/// A call that was stopped at its time limit. Its text form is the reason that the model reads.
pub(super) struct Overrun {
    pub(super) limit: Duration,
    /// The last progress report of the call. It may repeat untrusted text.
    pub(super) report: Option<String>,
}

impl fmt::Display for Overrun {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit.subsec_millis() {
            0 => write!(f, "the tool did not finish within {} s", self.limit.as_secs())?,
            _ => write!(f, "the tool did not finish within {} ms", self.limit.as_millis())?,
        }
        match &self.report {
            Some(report) => write!(f, "; its last report was: {report}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_is_named_with_the_last_report() {
        for (ms, report, expected) in [
            (30_000, None, "the tool did not finish within 30 s"),
            (1_500, None, "the tool did not finish within 1500 ms"),
            (5_000, Some("2 of 7 files"), "the tool did not finish within 5 s; its last report was: 2 of 7 files"),
        ] {
            let overrun = Overrun { limit: Duration::from_millis(ms), report: report.map(str::to_owned) };
            assert_eq!(overrun.to_string(), expected);
        }
    }
}
