//! Checks the length of files, so that each is easy to grasp. Tests are exempt.

use anyhow::Context;

use super::Outcome;
use crate::Repository;
use crate::tokens::Tokens;

const CEILING: usize = 500;
const MEDIAN: usize = 200;

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let mut files = Vec::new();
    for source in repository.sources()?.into_iter().filter(|source| !source.is_test()) {
        let tokens = Tokens::parse(&source.text).with_context(|| format!("cannot read {}", source.path))?;
        files.push((source.text.lines().count() - tokens.test_lines(), source.path));
    }
    files.sort();
    let lines: Vec<usize> = files.iter().map(|(lines, _)| *lines).collect();
    let largest = lines.last().copied().unwrap_or(0);
    let looked_at = format!("{} files, median {} lines, largest {largest}", lines.len(), median(&lines));
    Ok(Outcome::new(too_long(&files), looked_at))
}

/// Returns the problems of files with these lengths, which are sorted.
fn too_long(files: &[(usize, String)]) -> Vec<String> {
    let over = files.iter().filter(|(lines, _)| *lines > CEILING);
    let mut problems: Vec<String> =
        over.map(|(lines, path)| format!("{path} has {lines} lines; {CEILING} is the ceiling")).collect();
    let lines: Vec<usize> = files.iter().map(|(lines, _)| *lines).collect();
    if median(&lines) >= MEDIAN {
        problems.push(format!("the median file has {} lines; it should have fewer than {MEDIAN}", median(&lines)));
    }
    problems
}

fn median(sorted: &[usize]) -> usize {
    sorted.get(sorted.len() / 2).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(lengths: &[usize]) -> Vec<(usize, String)> {
        lengths.iter().map(|lines| (*lines, format!("{lines}.rs"))).collect()
    }

    #[test]
    fn a_file_over_the_ceiling_is_caught() {
        assert_eq!(too_long(&files(&[10, 20, 500])), Vec::<String>::new());
        assert_eq!(too_long(&files(&[10, 20, 501])), ["501.rs has 501 lines; 500 is the ceiling"]);
    }

    #[test]
    fn a_median_that_grew_is_caught() {
        assert_eq!(too_long(&files(&[10, 199, 300])).len(), 0);
        assert_eq!(too_long(&files(&[10, 200, 300])).len(), 1);
    }
}
