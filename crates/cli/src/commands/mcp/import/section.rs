//! The section `[[mcp]]` of a server.

use turnkit_mcp::{ImportedServer, ImportedTransport, looks_like_credential};

use super::secret::is_secret;
use super::variables::Variables;
use crate::terminal::hides;

/// The words before a secret in the value of a header.
const SCHEMES: &[&str] = &["basic", "bearer", "token"];

/// Returns the lines of the section, and warnings about settings that are left out.
pub(super) fn section(name: &str, server: &ImportedServer, variables: &mut Variables) -> (String, Vec<String>) {
    let (mut lines, mut warnings) = (vec!["[[mcp]]".to_owned(), format!("name = {}", quoted(name))], Vec::new());
    match &server.transport {
        ImportedTransport::Stdio { argv, folder, environment } => {
            lines.push(format!("command = [{}]", words(name, argv, variables).join(", ")));
            let settings = environment.iter().map(|(key, value)| setting(name, key, value, variables));
            lines.extend(table("env", settings.collect()));
            if folder.is_some() {
                let path = format!("mcpServers.{}.cwd", server.name);
                warnings.push(format!("`{path}` is ignored: programs start in the folder of turnkit.toml"));
            }
        }
        ImportedTransport::Http { url, headers } => {
            lines.push(format!("url = {}", quoted(&address(name, url, variables))));
            let mut settings = Vec::new();
            for (header, value) in headers {
                match bearer_token(header, value) {
                    Some(token) => {
                        let token = quoted(&credential(name, header, token, variables));
                        lines.push(format!("auth = {{ type = \"bearer\", token = {token} }}"));
                    }
                    None => settings.push(setting(name, header, value, variables)),
                }
            }
            lines.extend(table("headers", settings));
        }
    }
    if server.is_disabled {
        lines.iter_mut().for_each(|line| line.insert_str(0, "# "));
        lines.insert(0, "# turned off in the imported file".to_owned());
    }
    (lines.join("\n") + "\n", warnings)
}

/// Returns the words of a command line.
fn words(server: &str, argv: &[String], variables: &mut Variables) -> Vec<String> {
    let before = std::iter::once(None).chain(argv.iter().map(Some));
    argv.iter().zip(before).map(|(word, before)| quoted(&argument(server, before, word, variables))).collect()
}

/// Returns a word of a command line. A secret may follow its option, as in `--token VALUE`, or its name, as in
/// `TOKEN=VALUE` or `X-Api-Key: VALUE`.
fn argument(server: &str, before: Option<&String>, word: &str, variables: &mut Variables) -> String {
    if word.contains("${") {
        return variables.rewritten(word);
    }
    if word.starts_with("http://") || word.starts_with("https://") {
        return address(server, word, variables);
    }
    for separator in ["=", ":"] {
        if let Some((name, value)) = word.split_once(separator)
            && is_secret(name, value.trim())
        {
            return format!("{name}{separator}{}", credential(server, name, value, variables));
        }
    }
    let option = before.filter(|option| option.starts_with('-') && !word.starts_with('-'));
    match option.filter(|option| is_secret(option, word)) {
        Some(option) => credential(server, option, word, variables),
        None if looks_like_credential(word) => credential(server, "key", word, variables),
        None => word.to_owned(),
    }
}

/// Returns a pair of a table.
fn setting(server: &str, name: &str, value: &str, variables: &mut Variables) -> String {
    let value = match value {
        value if value.contains("${") => variables.rewritten(value),
        value if is_secret(name, value) => credential(server, name, value, variables),
        value => value.to_owned(),
    };
    let is_bare = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    let name = if is_bare { name.to_owned() } else { quoted(name) };
    format!("{name} = {}", quoted(&value))
}

fn table(name: &str, settings: Vec<String>) -> Option<String> {
    (!settings.is_empty()).then(|| format!("{name} = {{ {} }}", settings.join(", ")))
}

/// Returns the token of a header with the scheme `Bearer`.
fn bearer_token<'a>(header: &str, value: &'a str) -> Option<&'a str> {
    let (scheme, token) = value.split_once(' ').filter(|_| header.eq_ignore_ascii_case("authorization"))?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

/// Returns a variable in place of a secret. The scheme before it stays.
fn credential(server: &str, name: &str, value: &str, variables: &mut Variables) -> String {
    if value.contains("${") {
        return variables.rewritten(value);
    }
    let trimmed = value.trim_start();
    let space = &value[..value.len() - trimmed.len()];
    let with_scheme = trimmed.split_once(' ').filter(|(scheme, _)| {
        let scheme = scheme.to_ascii_lowercase();
        SCHEMES.contains(&scheme.as_str())
    });
    let wanted = wanted(server, name);
    match with_scheme {
        Some((scheme, secret)) => format!("{space}{scheme} {}", variables.stand_for(&wanted, server, secret)),
        None => format!("{space}{}", variables.stand_for(&wanted, server, trimmed)),
    }
}

/// Returns the name that a variable should have. Names of variables stay; others begin with that of the server.
fn wanted(server: &str, name: &str) -> String {
    let is_variable = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    match name {
        name if name.bytes().all(is_variable) => name.to_owned(),
        name if name.eq_ignore_ascii_case("authorization") => format!("{server}_token"),
        name => format!("{server}_{name}"),
    }
}

/// Returns an address with variables in place of its password, and of secrets in its path and its query.
fn address(server: &str, url: &str, variables: &mut Variables) -> String {
    if url.contains("${") {
        return variables.rewritten(url);
    }
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    let (authority, rest) = rest.split_at(end);
    let authority = match authority.rsplit_once('@') {
        Some((user, host)) => match user.split_once(':') {
            Some((user, password)) => format!("{user}:{}@{host}", credential(server, "password", password, variables)),
            None => format!("{}@{host}", credential(server, "password", user, variables)),
        },
        None => authority.to_owned(),
    };
    let (path, query) = rest.split_once('?').map_or((rest, None), |(path, query)| (path, Some(query)));
    let path: Vec<String> = path.split('/').map(|segment| part(server, segment, variables)).collect();
    let path = path.join("/");
    let Some(query) = query else { return format!("{scheme}://{authority}{path}") };
    let pairs = query.split('&').map(|pair| match pair.split_once('=') {
        Some((name, value)) if is_secret(name, value) => {
            format!("{name}={}", credential(server, name, value, variables))
        }
        _ => part(server, pair, variables),
    });
    format!("{scheme}://{authority}{path}?{}", pairs.collect::<Vec<_>>().join("&"))
}

/// Returns a part of a path or a query.
fn part(server: &str, text: &str, variables: &mut Variables) -> String {
    match looks_like_credential(text) {
        true => credential(server, "key", text, variables),
        false => text.to_owned(),
    }
}

/// Returns a text as a TOML string. Characters that a terminal would not show are escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() || hides(c) => out.push_str(&format!("\\U{:08X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_of_a_section_is_read_back_unchanged() {
        for text in ["plain", "a \"b\" \\c", "two\nlines\tx", "\u{1b}[31m \u{202e} \u{e0041} \u{7f}", "größe 測試"]
        {
            let document: toml::Table = format!("text = {}", quoted(text)).parse().unwrap();
            assert_eq!(document["text"].as_str(), Some(text));
            assert!(!quoted(text).contains(|c: char| c.is_control() || hides(c)), "{text:?}");
        }
    }

    #[test]
    fn secrets_of_a_command_line_become_variables() {
        for (argv, expected) in [
            (&["npx", "-y", "mcp-files", "/srv"][..], r#""npx", "-y", "mcp-files", "/srv""#),
            (&["x", "--api-key", "s3cret"], r#""x", "--api-key", "${WEB_API_KEY}""#),
            (&["x", "--token=s3cret"], r#""x", "--token=${WEB_TOKEN}""#),
            (&["docker", "run", "-e", "WEB_KEY=s3cret"], r#""docker", "run", "-e", "WEB_KEY=${WEB_KEY}""#),
            (&["x", "Authorization: Bearer s3cret"], r#""x", "Authorization: Bearer ${WEB_TOKEN}""#),
            (&["x", "ghp_0123456789abcdef"], r#""x", "${WEB_KEY}""#),
            (&["x", "https://h/?key=s3cret&a=1"], r#""x", "https://h/?key=${WEB_KEY}&a=1""#),
            (&["x", "${env:HOME}/files"], r#""x", "${HOME}/files""#),
            (&["x", "--token", "--verbose"], r#""x", "--token", "--verbose""#),
        ] {
            let argv: Vec<String> = argv.iter().map(|&word| word.to_owned()).collect();
            assert_eq!(words("web", &argv, &mut Variables::default()).join(", "), expected);
        }
    }

    #[test]
    fn secrets_of_an_address_become_variables() {
        for (url, expected) in [
            ("https://h.example.com/mcp", "https://h.example.com/mcp"),
            ("https://anna:s3cret@h/mcp", "https://anna:${WEB_PASSWORD}@h/mcp"),
            ("https://s3cret@h", "https://${WEB_PASSWORD}@h"),
            ("https://h/0123456789abcdef0123456789abcdef/mcp", "https://h/${WEB_KEY}/mcp"),
            ("https://h?api_key=s3cret&team=a", "https://h?api_key=${WEB_API_KEY}&team=a"),
            ("${BASE}/mcp?key=${KEY}", "${BASE}/mcp?key=${KEY}"),
        ] {
            assert_eq!(address("web", url, &mut Variables::default()), expected);
        }
    }

    #[test]
    fn the_scheme_of_a_header_stays() {
        for (header, value, expected) in [
            ("Authorization", "Basic s3cret", r#"Authorization = "Basic ${WEB_TOKEN}""#),
            ("X-Api-Key", "s3cret", r#"X-Api-Key = "${WEB_X_API_KEY}""#),
            ("X-Team", "support", r#"X-Team = "support""#),
            ("a b", "${env:TEAM}", r#""a b" = "${TEAM}""#),
        ] {
            assert_eq!(setting("web", header, value, &mut Variables::default()), expected);
        }
    }
}
