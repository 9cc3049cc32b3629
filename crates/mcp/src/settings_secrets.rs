//! The credentials that the settings of a server hold.

use turnkit_net::Target;

use crate::credentials::{looks_like_credential, names_credential};
use crate::settings::{McpServerSettings, Transport};

impl McpServerSettings {
    /// Returns the credentials in the settings, without the headers that are sent for an owner.
    pub(crate) fn secrets(&self) -> Vec<String> {
        let given = self.credentials.iter();
        match &self.transport {
            Transport::Stdio { argv, launch } => {
                let variables = launch.environment.iter().flat_map(|(name, value)| in_variable(name, value));
                given.map(str::to_owned).chain(variables).chain(in_words(argv)).collect()
            }
            Transport::Http(server) => {
                let given = given.filter(|value| !names_host(value, &server.target));
                given.map(str::to_owned).chain(in_address(&server.target.url())).collect()
            }
        }
    }
}

fn in_variable(name: &str, value: &str) -> Vec<String> {
    match names_credential(name) {
        true => vec![value.to_owned()],
        false => in_address(value),
    }
}

/// Returns the words of a program that an option or a name before them marks as credentials, as in `--token VALUE`,
/// `TOKEN=VALUE` and `https://example.com/?token=VALUE`.
fn in_words(argv: &[String]) -> Vec<String> {
    let in_addresses = argv.iter().flat_map(|word| in_address(word));
    let with_names = argv.iter().filter(|word| !word.contains("://")).filter_map(|word| word.split_once('='));
    let after_options = argv.windows(2).filter_map(|pair| match pair {
        [option, value] if option.starts_with('-') && !option.contains('=') && !value.starts_with('-') => {
            Some((option.as_str(), value.as_str()))
        }
        _ => None,
    });
    let named = with_names.chain(after_options).filter(|(name, _)| names_credential(name));
    in_addresses.chain(named.map(|(_, value)| value.to_owned())).collect()
}

/// Returns the password in an address, the values in its query whose names mark them as credentials, and the parts of
/// its path that look like one. Others, such as the name of a project, occur in results too.
fn in_address(text: &str) -> Vec<String> {
    let Some((_, rest)) = text.split_once("://") else { return Vec::new() };
    let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
    let mut parts = address.split('/');
    let user = parts.next().and_then(|authority| Some(authority.rsplit_once('@')?.0));
    let password = user.map(|user| user.split_once(':').map_or(user, |(_, password)| password));
    let named = query.split('&').filter_map(|field| field.split_once('='));
    let named = named.filter(|(name, _)| names_credential(name)).map(|(_, value)| value);
    let parts = parts.filter(|part| looks_like_credential(part));
    password.into_iter().chain(named).chain(parts).map(str::to_owned).collect()
}

/// Reports whether a value is the host of an address, a part of it, or an address there. Results of tools name it too.
fn names_host(value: &str, target: &Target) -> bool {
    let url = target.url();
    let origin = url.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let is_there = || Target::new(value).is_ok_and(|other| other.host() == target.host());
    origin.contains(&value.to_ascii_lowercase()) || is_there()
}

#[cfg(test)]
mod tests {
    use turnkit_net::{ClientOptions, HttpClient};
    use turnkit_process::LaunchSettings;

    use super::*;
    use crate::credentials::Credentials;
    use crate::settings::HttpServer;

    const KEY: &str = "0123456789abcdef0123456789abcdef";

    fn secrets(transport: Transport, given: &[&str]) -> Vec<String> {
        let mut settings = McpServerSettings::new("web", transport).unwrap();
        settings.credentials = Credentials::new(given.iter().map(|&value| value.to_owned()));
        settings.secrets()
    }

    #[test]
    fn names_and_looks_mark_credentials_in_an_address() {
        let with_key = format!("https://a.example/{KEY}/mcp");
        for (url, given, expected) in [
            ("https://a.example/mcp", &[][..], &[][..]),
            ("https://a.example/mcp?project=desk-tickets&flag", &[], &[]),
            ("https://a.example/mcp?project=desk&API_KEY=abc%2F1&access_token=def", &[], &["abc%2F1", "def"]),
            ("https://a.example/mcp?auth=abc&authMode=basic", &[], &["abc"]),
            (with_key.as_str(), &[], &[KEY]),
            ("https://a.example/web-key-1/mcp", &["web-key-1"], &["web-key-1"]),
            ("https://a.example:8443/mcp", &["https://A.example:8443", "a.example", "https://a.example:8443/mcp"], &[]),
        ] {
            let client = HttpClient::new(&ClientOptions::default());
            let http = HttpServer::new(client, Target::new(url).unwrap());
            assert_eq!(secrets(Transport::Http(http), given), expected, "{url}");
        }
    }

    #[test]
    fn names_mark_credentials_of_a_program() {
        for (words, expected) in [
            (&["x", "--api-key", "s3cret", "--level", "debug"][..], &["s3cret"][..]),
            (&["x", "--token=s3cret", "LEVEL=debug"], &["s3cret"]),
            (&["x", "--token", "--verbose"], &[]),
            (&["x", "https://h/mcp?key=s3cret&a=1"], &["s3cret"]),
            (&["x", "--url", "http://s3cret@h/mcp"], &["s3cret"]),
        ] {
            let environment =
                [("DATABASE_URL", "db://desk:pass-word@h/desk"), ("TOKEN", "of-env"), ("TZ", "Europe/Berlin")];
            let environment = environment.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            let launch = LaunchSettings { folder: "/".into(), environment, launcher: Vec::new() };
            let argv = words.iter().map(|&word| word.to_owned()).collect();
            let expected = [&["given", "pass-word", "of-env"][..], expected].concat();
            assert_eq!(secrets(Transport::Stdio { argv, launch }, &["given"]), expected, "{words:?}");
        }
    }
}
