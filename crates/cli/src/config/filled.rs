//! Credentials of MCP servers: the values that `${NAME}` has filled in.

use toml::Spanned;
use toml::de::DeValue;
use turnkit_mcp::{looks_like_credential, names_credential, names_no_credential};

use super::environment::names_in;
use super::schema::Secret;

/// The keys of a server that the server sees. Secrets of `auth` are credentials wherever they come from.
const KEYS: [&str; 4] = ["command", "env", "headers", "url"];

/// Returns the values that variables have in the settings of a server. The name of a variable may say that its value is
/// no credential, as `HOME` does, and paths are none: results of tools repeat both.
pub(super) fn filled<'a>(server: &Spanned<DeValue<'_>>, lookup: &dyn Fn(&str) -> Option<&'a str>) -> Vec<Secret> {
    let DeValue::Table(settings) = server.get_ref() else { return Vec::new() };
    let seen = settings.iter().filter(|(key, _)| KEYS.contains(&key.get_ref().as_ref()));
    let names = seen.flat_map(|(_, value)| names_in(value));
    let values = names.filter_map(|name| lookup(&name).filter(|value| is_credential(&name, value)));
    values.map(|value| Secret(value.to_owned())).collect()
}

fn is_credential(name: &str, value: &str) -> bool {
    names_credential(name) || !(names_no_credential(name) || is_path(value))
}

/// Reports whether a value is a path, and not a key that begins like one.
fn is_path(value: &str) -> bool {
    let begins = ["/", "~/", "./", "../"].iter().any(|beginning| value.starts_with(beginning));
    begins && !value.split('/').any(looks_like_credential)
}

#[cfg(test)]
mod tests {
    use toml::de::DeTable;

    use super::*;

    #[test]
    fn values_of_variables_are_credentials_unless_they_say_otherwise() {
        let variables = [
            ("WEB_KEY", "web-key-1"),
            ("WEB", "web-value"),
            ("WEB_URL", "https://web.example.com"),
            ("HOME", "/home/anna"),
            ("DOCS", "/srv/docs"),
            ("FILES_TOKEN", "/files/token"),
        ];
        let lookup = |name: &str| variables.into_iter().find(|(known, _)| *known == name).map(|(_, value)| value);
        for (settings, expected) in [
            (r#"env = { NODE_ENV = "production" }"#, &[][..]),
            (r#"command = ["x", "--api-key", "${WEB_KEY}", "${HOME}/docs", "${DOCS}"]"#, &["web-key-1"]),
            (r#"url = "${WEB_URL}/${WEB_KEY}/mcp?team=${WEB}""#, &["web-key-1", "web-value"]),
            (r#"env = { A = "a-${WEB}", B = "${FILES_TOKEN}", C = "$${WEB_KEY}" }"#, &["web-value", "/files/token"]),
            (r#"headers = { x-key = "${WEB_KEY}:{user}" }"#, &["web-key-1"]),
            (r#"name = "${WEB}""#, &[]),
            (r#"env = { A = "${MISSING}" }"#, &[]),
        ] {
            let text = format!("[[mcp]]\n{settings}");
            let table = DeTable::parse(&text).unwrap();
            let server = table.get_ref().get("mcp").and_then(|servers| servers.get_ref().get(0)).unwrap();
            let values: Vec<String> = filled(server, &lookup).into_iter().map(|Secret(value)| value).collect();
            assert_eq!(values, expected, "{settings}");
        }
    }
}
