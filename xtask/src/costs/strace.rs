//! Counts of system calls, from strace.

use anyhow::Context;

/// Returns the command that runs a program and writes the counts of all its threads to `file`.
pub(super) fn words(file: &str) -> Vec<String> {
    ["--follow-forks", "--summary-only", "--output", file].map(str::to_owned).into()
}

/// Parses a summary: a table whose last line is the total, with the number of calls in the fourth column.
pub(super) fn read(summary: &str) -> anyhow::Result<u64> {
    let total = summary.lines().find(|line| line.ends_with(" total"));
    let calls = total.and_then(|line| line.split_whitespace().nth(3)?.parse().ok());
    calls.with_context(|| format!("no total in what strace counted: {summary}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_total_is_read() {
        let summary = "\
% time     seconds  usecs/call     calls    errors syscall
------ ----------- ----------- --------- --------- ------------------
 75.37    0.099792         366       272        16 futex
 24.63    0.000003           4         5           total_of_a_kind
------ ----------- ----------- --------- --------- ------------------
100.00    0.132411          78      1694        35 total
";
        assert_eq!(read(summary).unwrap(), 1_694);
        assert!(read("strace: ptrace(PTRACE_TRACEME, ...): Operation not permitted").is_err());
    }
}
