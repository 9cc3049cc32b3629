//! Variables of the environment that keep secrets out of the configuration.

use std::collections::BTreeMap;

/// The variables that the configuration needs, each with the secret that it stands for. A variable that the imported
/// file names itself stands for none.
#[derive(Default)]
pub(super) struct Variables(BTreeMap<String, Option<String>>);

impl Variables {
    /// Returns the `${NAME}` of a variable for `secret`. Its name is like `wanted`; if another secret has that name, it
    /// begins with the name of the server.
    pub(super) fn stand_for(&mut self, wanted: &str, server: &str, secret: &str) -> String {
        let longer = variable_name(&format!("{server}_{wanted}"));
        let numbered = (2..).map(|number: u32| format!("{longer}_{number}"));
        let mut names = [variable_name(wanted), longer.clone()].into_iter().chain(numbered);
        let is_usable = |name: &String| self.0.get(name).is_none_or(|known| known.as_deref() == Some(secret));
        // There are more names than secrets, so one of them is free.
        let name = names.find(is_usable).unwrap_or_default();
        let reference = format!("${{{name}}}");
        self.0.insert(name, Some(secret.to_owned()));
        reference
    }

    /// Returns a text that refers to variables in the form of other programs, such as `${env:NAME}` or
    /// `${NAME:-default}`, in the form of this configuration. Defaults are dropped.
    pub(super) fn rewritten(&mut self, text: &str) -> String {
        let (mut out, mut rest) = (String::new(), text);
        while let Some((before, after)) = rest.split_once("${") {
            let Some((reference, after)) = after.split_once('}') else { break };
            let reference =
                ["env:", "input:"].iter().find_map(|kind| reference.strip_prefix(*kind)).unwrap_or(reference);
            let name = reference.split_once(':').map_or(reference, |(name, _)| name);
            let name = if is_variable_name(name) { name.to_owned() } else { variable_name(name) };
            out.push_str(before);
            out.push_str(&format!("${{{name}}}"));
            self.0.entry(name).or_insert(None);
            rest = after;
        }
        out.push_str(rest);
        out
    }

    /// Returns the names of all variables, in their order.
    pub(super) fn into_names(self) -> Vec<String> {
        self.0.into_keys().collect()
    }
}

fn is_variable_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// Returns the name in capital letters, digits and single underscores.
fn variable_name(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c.is_ascii_alphanumeric() {
            true => out.push(c.to_ascii_uppercase()),
            false if out.is_empty() || out.ends_with('_') => {}
            false => out.push('_'),
        }
    }
    let out = out.trim_end_matches('_');
    if is_variable_name(out) { out.to_owned() } else { format!("MCP_{out}").trim_end_matches('_').to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_variable_stands_for_one_secret() {
        let mut variables = Variables::default();
        for (wanted, server, secret, expected) in [
            ("API_KEY", "tickets", "one", "${API_KEY}"),
            ("API_KEY", "files", "one", "${API_KEY}"),
            ("API_KEY", "files", "two", "${FILES_API_KEY}"),
            ("API_KEY", "files", "three", "${FILES_API_KEY_2}"),
            ("my-server_api-key", "my-server", "four", "${MY_SERVER_API_KEY}"),
            ("1-key", "x", "five", "${MCP_1_KEY}"),
        ] {
            assert_eq!(variables.stand_for(wanted, server, secret), expected);
        }
        let names = ["API_KEY", "FILES_API_KEY", "FILES_API_KEY_2", "MCP_1_KEY", "MY_SERVER_API_KEY"];
        assert_eq!(variables.into_names(), names);
    }

    #[test]
    fn references_of_other_programs_are_rewritten() {
        let mut variables = Variables::default();
        for (text, expected) in [
            ("Bearer ${TOKEN}", "Bearer ${TOKEN}"),
            ("${env:TOKEN}/${input:api-key}", "${TOKEN}/${API_KEY}"),
            ("${HOST:-localhost}:80", "${HOST}:80"),
            ("${lower}", "${lower}"),
            ("${open", "${open"),
        ] {
            assert_eq!(variables.rewritten(text), expected);
        }
        assert_eq!(variables.into_names(), ["API_KEY", "HOST", "TOKEN", "lower"]);
    }
}
