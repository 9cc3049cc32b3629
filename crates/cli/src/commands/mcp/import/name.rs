//! Names of servers that can begin the names of tools.

use std::collections::HashSet;

/// The longest name of a server.
const LONGEST: usize = 32;

/// The names that are taken.
#[derive(Default)]
pub(super) struct Names(HashSet<String>);

impl Names {
    /// Returns a legal name that is like `wanted` and not taken yet.
    pub(super) fn choose(&mut self, wanted: &str) -> String {
        let first = legal(wanted, LONGEST);
        let later = (2..).map(|number: u32| {
            let end = format!("-{number}");
            format!("{}{end}", legal(wanted, LONGEST.saturating_sub(end.len())))
        });
        let mut names = std::iter::once(first).chain(later);
        // There are more names than servers, so one of them is free.
        let name = names.find(|name| !self.0.contains(name)).unwrap_or_default();
        self.0.insert(name.clone());
        name
    }
}

/// Returns the name with letters, digits, `-` and single `_` only, at most `longest` bytes long.
fn legal(name: &str, longest: usize) -> String {
    let mut legal = String::new();
    for c in name.chars() {
        let c = if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
        let is_repeated = matches!(c, '-' | '_') && legal.ends_with(c);
        if legal.len() < longest && !is_repeated {
            legal.push(c);
        }
    }
    let legal = legal.trim_matches(|c: char| matches!(c, '-' | '_'));
    if legal.is_empty() { "server".to_owned() } else { legal.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_legal_and_stay_different() {
        let mut names = Names::default();
        let long = "x".repeat(40);
        for (wanted, expected) in [
            ("tickets", "tickets"),
            ("git-hub_2", "git-hub_2"),
            ("my server", "my-server"),
            ("my.server", "my-server-2"),
            ("@scope/server", "scope-server"),
            ("a__b_", "a_b"),
            ("測試", "server"),
            ("", "server-2"),
            (long.as_str(), &long[..32]),
        ] {
            assert_eq!(names.choose(wanted), expected, "{wanted}");
        }
        assert_eq!(names.choose(&long), format!("{}-2", &long[..30]));
    }
}
