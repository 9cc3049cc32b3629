//! Counts of instructions and allocations, from valgrind's callgrind.

use std::collections::BTreeMap;

use anyhow::Context;

/// The allocation functions of the C library. Rust's allocator and SQLite call no others.
const ALLOCATE: [&str; 5] = ["malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc"];

/// The counts of a program.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Counts {
    pub(super) instructions: u64,
    pub(super) allocations: u64,
}

/// Returns the command that runs a program and writes its counts to `file`.
pub(super) fn words(file: &str) -> Vec<String> {
    let options = ["--quiet", "--tool=callgrind"].map(str::to_owned);
    options.into_iter().chain([format!("--callgrind-out-file={file}")]).collect()
}

/// Parses a profile. The first occurrence of a function has the form `(id) name`, later ones `(id)`. `calls=N …`
/// follows the name of the called function, `cfn=…`.
pub(super) fn read(profile: &str) -> anyhow::Result<Counts> {
    let mut names = BTreeMap::new();
    let mut called = None;
    let (mut instructions, mut allocations) = (None, 0);
    for line in profile.lines() {
        let Some((key, value)) = line.split_once(['=', ':']) else { continue };
        match key {
            "fn" | "cfn" => {
                let (id, name) = value.split_once(' ').unwrap_or((value, ""));
                if !name.is_empty() {
                    names.insert(id, name);
                }
                called = (key == "cfn").then(|| names.get(id).copied().unwrap_or_default());
            }
            "calls" if called.is_some_and(|name| ALLOCATE.contains(&name)) => {
                let count = value.split(' ').next().unwrap_or_default();
                allocations += count.parse::<u64>().with_context(|| format!("no number of calls: {line}"))?;
            }
            "totals" => instructions = value.trim().parse().ok(),
            _ => {}
        }
    }
    Ok(Counts { instructions: instructions.context("the profile has no totals")?, allocations })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_of_the_allocator_are_counted_wherever_its_name_was_given() {
        let profile = "\
events: Ir
fl=(1) main.c
fn=(1) main
16 400
cob=(2) /lib/libc.so.6
cfn=(2) malloc
calls=3 50
20 300
cfn=(3) free
calls=9 60
20 100
fn=(4) other
cfn=(2)
calls=2 +7
30 200
fn=(2)
50 500
cfn=(5) _int_malloc
calls=5 70
50 100
totals: 1600
";
        assert_eq!(read(profile).unwrap(), Counts { instructions: 1_600, allocations: 5 });
        assert!(read("events: Ir\n").is_err());
    }
}
