//! The numbers of passed, failed and skipped tests, parsed from the summaries of the runners.

use std::fmt;

/// The counts of one runner, or of all runners.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) passed: u32,
    pub(super) failed: u32,
    pub(super) skipped: u32,
}

impl Tally {
    /// Parses a summary line of cargo-nextest, of cargo test, or of Node.js.
    pub(super) fn read(line: &str) -> Option<Self> {
        if let Some(tally) = Self::read_node(line) {
            return Some(tally);
        }
        // cargo-nextest indents the output of a failed test, which contains a summary of cargo test.
        if !line.trim_start().starts_with("Summary [") && !line.starts_with("test result:") {
            return None;
        }
        let words: Vec<&str> = line.split([' ', ',', ';', '(', ')']).filter(|word| !word.is_empty()).collect();
        let mut tally = Self::default();
        for pair in words.windows(2) {
            let [number, what] = pair else { continue };
            let Ok(number) = number.parse::<u32>() else { continue };
            match *what {
                "passed" => tally.passed += number,
                "failed" | "timed" | "exec" => tally.failed += number,
                "skipped" | "ignored" | "filtered" => tally.skipped += number,
                _ => {}
            }
        }
        Some(tally)
    }

    /// Parses a line of the summary of Node.js, which has a line for each count.
    fn read_node(line: &str) -> Option<Self> {
        let (what, number) = line.strip_prefix("ℹ ")?.split_once(' ')?;
        let number = number.parse().ok()?;
        let none = Self::default();
        match what {
            "pass" => Some(Self { passed: number, ..none }),
            "fail" | "cancelled" => Some(Self { failed: number, ..none }),
            "skipped" | "todo" => Some(Self { skipped: number, ..none }),
            _ => None,
        }
    }

    /// Adds the counts of a runner.
    pub(super) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_of_both_runners_are_read() {
        for (line, expected) in [
            ("     Summary [   0.005s] 3 tests run: 3 passed, 0 skipped", (3, 0, 0)),
            (
                "     Summary [  10.1s] 9 tests run: 6 passed (1 slow, 2 flaky), 2 failed, 1 timed out, 4 skipped",
                (6, 3, 4),
            ),
            ("     Summary [  10.1s] 2/9 tests run: 1 passed, 1 exec failed, 0 skipped", (1, 1, 0)),
            (
                "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 2 filtered out; finished in 0.00s",
                (5, 0, 3),
            ),
            ("test result: FAILED. 5 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out", (5, 1, 0)),
            ("ℹ pass 15", (15, 0, 0)),
            ("ℹ fail 6", (0, 6, 0)),
            ("ℹ cancelled 1", (0, 1, 0)),
            ("ℹ skipped 2", (0, 0, 2)),
        ] {
            let tally = Tally::read(line).unwrap();
            assert_eq!((tally.passed, tally.failed, tally.skipped), expected, "{line}");
        }
    }

    #[test]
    fn other_lines_are_not_summaries() {
        assert_eq!(Tally::read("        PASS [   0.004s] xtask tally::3 passed"), None);
        assert_eq!(Tally::read("    test result: FAILED. 0 passed; 1 failed; 0 ignored"), None);
        assert_eq!(Tally::read("ℹ tests 21"), None);
        assert_eq!(Tally::read("ℹ duration_ms 69336.7"), None);
    }
}
