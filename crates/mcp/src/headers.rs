//! The operator's headers of a server, with placeholders for the owner of a session.

use std::fmt;

use turnkit_core::Scope;
use turnkit_net::Target;

use crate::credentials::{Credentials, names_credential};
use crate::secrets::Secrets;

/// Headers that the client or the protocol sets.
const RESERVED: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-length",
    "content-type",
    "host",
    "last-event-id",
    "mcp-method",
    "mcp-name",
    "mcp-protocol-version",
    "mcp-session-id",
    "transfer-encoding",
];
const USER: &str = "{user}";
const TENANT: &str = "{tenant}";

/// Headers that the operator adds to every request. Their values may be credentials, so they are never displayed.
#[derive(Clone, Default)]
pub(crate) struct Headers(Vec<(String, String)>);

/// The part of a scope that the headers name, so which connections differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Varies {
    /// All requests have the same headers.
    Never,
    /// The headers name the tenant.
    ByTenant,
    /// The headers name the user.
    ByUser,
}

impl Headers {
    /// Adds a header.
    ///
    /// # Errors
    /// The header cannot be sent, or the protocol sets it itself. The error contains the reason.
    pub(crate) fn add(&mut self, name: &str, value: &str) -> Result<(), String> {
        if RESERVED.iter().any(|reserved| name.eq_ignore_ascii_case(reserved)) {
            return Err("the protocol sets this header itself".to_owned());
        }
        if !value.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return Err("its value may hold visible ASCII characters and spaces only".to_owned());
        }
        if inner(&template_parts(value)).iter().any(|part| part.chars().all(char::is_alphanumeric)) {
            return Err("put a character such as `/` between the names of the tenant and the user".to_owned());
        }
        let example = Target::new("http://localhost/").and_then(|target| target.secret_header(name, value));
        example.map_err(|error| error.to_string())?;
        self.0.push((name.to_owned(), value.to_owned()));
        Ok(())
    }

    /// Returns the names of the headers.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str())
    }

    /// Returns the part of a scope that changes the headers.
    pub(crate) fn varies(&self) -> Varies {
        let any = |placeholder: &str| self.0.iter().any(|(_, value)| value.contains(placeholder));
        match (any(USER), any(TENANT)) {
            (true, _) => Varies::ByUser,
            (false, true) => Varies::ByTenant,
            (false, false) => Varies::Never,
        }
    }

    /// Returns the parts of the secret headers between the names of owners, which a server may repeat alone.
    pub(crate) fn secret_parts(&self, credentials: &Credentials) -> Vec<String> {
        let secret = self.0.iter().filter(|(name, template)| is_secret(name, template, credentials));
        secret.flat_map(|(_, template)| parts(template)).collect()
    }

    /// Adds the headers of requests for this owner to `target`. The target has those as secrets whose names say so, and
    /// those that hold one of the credentials.
    ///
    /// # Errors
    /// The headers name an owner, and there is none, or its name cannot be sent. The error contains the reason.
    pub(crate) fn sent_to(
        &self,
        mut target: Target,
        scope: Option<&Scope>,
        credentials: &Credentials,
    ) -> Result<Target, String> {
        for (name, template) in &self.0 {
            let value = filled(name, template, scope)?;
            let is_secret = is_secret(name, template, credentials);
            let added = if is_secret { target.secret_header(name, &value) } else { target.header(name, &value) };
            target = added.map_err(|error| error.to_string())?;
        }
        Ok(target)
    }
}

/// Reports whether the value of a header is a credential.
fn is_secret(name: &str, template: &str, credentials: &Credentials) -> bool {
    !is_name(template) && (names_credential(name) || credentials.are_in(template))
}

/// Returns the parts of a template between the names of owners, without its scheme and the characters that separate
/// them.
fn parts(template: &str) -> Vec<String> {
    let without_scheme = template.split_once(' ').map_or(template, |(_, rest)| rest).replace(TENANT, USER);
    let parts = without_scheme.split(USER).map(|part| part.trim_matches([' ', ':', ';', ',', '/', '|', '@']));
    parts.filter(|part| !part.is_empty()).map(str::to_owned).collect()
}

/// Reports whether a header only names an owner. Results of tools name owners too, so these values are no secrets, which
/// would be removed from them.
fn is_name(template: &str) -> bool {
    let rest = template.replace(USER, "").replace(TENANT, "");
    rest.len() < template.len() && rest.len() < Secrets::SHORTEST
}

/// Returns the parts of a template around its placeholders.
fn template_parts(template: &str) -> Vec<String> {
    template.replace(TENANT, USER).split(USER).map(str::to_owned).collect()
}

/// Returns the parts between two placeholders.
fn inner(parts: &[String]) -> &[String] {
    parts.get(1..parts.len().saturating_sub(1)).unwrap_or_default()
}

/// Returns the characters that end a name in a template. A name that holds one could read like another name, or like a
/// further field. Before the first name and after the last one, characters that are common in names end none.
fn separators(template: &str) -> Vec<char> {
    let (parts, ends) = (template_parts(template), |c: &char| !c.is_alphanumeric());
    let before = parts.first().into_iter().flat_map(|part| part.chars().rev().take_while(ends));
    let after = parts.last().into_iter().flat_map(|part| part.chars().take_while(ends));
    let between = inner(&parts).iter().flat_map(|part| part.chars().filter(ends));
    before.chain(after).filter(|c| !"-_.".contains(*c)).chain(between).collect()
}

/// Fills the placeholders of a header in one pass, so that a name that looks like a placeholder stays a name.
fn filled(name: &str, template: &str, scope: Option<&Scope>) -> Result<String, String> {
    let (mut value, mut rest, separators) = (String::new(), template, separators(template));
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        value.push_str(before);
        let owner = |pick: fn(&Scope) -> &str| {
            let scope = scope.ok_or_else(|| format!("the header `{name}` needs a user, and this session has none"))?;
            sendable(name, pick(scope), &separators)
        };
        if let Some(after) = from.strip_prefix(USER) {
            value.push_str(owner(|scope| &scope.user.0)?);
            rest = after;
        } else if let Some(after) = from.strip_prefix(TENANT) {
            value.push_str(owner(|scope| &scope.tenant.0)?);
            rest = after;
        } else {
            value.push('{');
            rest = &from[1..];
        }
    }
    value.push_str(rest);
    Ok(value)
}

/// Checks that the name of a user or tenant can be a part of a header without changing the meaning of the others.
fn sendable<'a>(header: &str, owner: &'a str, separators: &[char]) -> Result<&'a str, String> {
    let refused = |why: &str| format!("the header `{header}` cannot hold the name of this user or tenant: {why}");
    if owner.is_empty() || !owner.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(refused("it may consist of visible ASCII only"));
    }
    match owner.chars().find(|c| separators.contains(c)) {
        Some(separator) => Err(refused(&format!("it contains `{separator}`, which ends names in this header"))),
        None => Ok(owner),
    }
}

/// Shows the names only.
impl fmt::Debug for Headers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_stand_for_the_owner_of_the_session() {
        let anna = Scope::new("acme", "{tenant}anna");
        for (template, scope, expected) in [
            ("Bearer key", None, Ok("Bearer key")),
            ("{user}", Some(&anna), Ok("{tenant}anna")),
            ("{tenant}/{user}; a=1", Some(&anna), Ok("acme/{tenant}anna; a=1")),
            ("{tenant}/{user}; {\"a\":1}", Some(&Scope::new("acme", "ben")), Ok("acme/ben; {\"a\":1}")),
            ("{user}", Some(&Scope::new("acme", "a/b:c;d")), Ok("a/b:c;d")),
            ("k@y-{user}", Some(&Scope::new("acme", "anna-m@acme.")), Ok("k@y-anna-m@acme.")),
            ("{tenant}/{user}", Some(&Scope::new("a/b", "c")), Err("it contains `/`")),
            ("{tenant}/{user}", Some(&Scope::new("a", "b/c")), Err("it contains `/`")),
            ("{tenant}-{user}", Some(&Scope::new("a", "b-c")), Err("it contains `-`")),
            ("{user};role=guest", Some(&Scope::new("a", "b;role=admin")), Err("it contains `;`")),
            ("{user}", None, Err("needs a user")),
            ("{user}", Some(&Scope::new("acme", "ann a")), Err("visible ASCII")),
            ("{user}", Some(&Scope::new("acme", "jürgen")), Err("visible ASCII")),
            ("{user}", Some(&Scope::new("acme", "a\r\nx: y")), Err("visible ASCII")),
            ("{user}", Some(&Scope::new("acme", "")), Err("visible ASCII")),
            ("{tenant}", Some(&Scope::new("a\u{202e}", "anna")), Err("visible ASCII")),
        ] {
            let filled = filled("x-owner", template, scope);
            match expected {
                Ok(expected) => assert_eq!(filled.as_deref(), Ok(expected), "{template}"),
                Err(part) => assert!(filled.as_ref().unwrap_err().contains(part), "{template} {filled:?}"),
            }
        }
    }

    #[test]
    fn headers_are_secrets_if_their_names_say_so_or_if_they_hold_a_credential() {
        let scope = Scope::new("acme", "anna.smith");
        let credentials = Credentials::new(["long-key".to_owned()]);
        for (name, template, expected, parts) in [
            ("authorization", "Bearer other-key", vec!["other-key"], vec!["other-key"]),
            ("x-api-key", "other-key", vec!["other-key"], vec!["other-key"]),
            ("x-desk", "Bearer long-key", vec!["long-key"], vec!["long-key"]),
            ("x-desk", "long-key:{user}", vec!["long-key:anna.smith"], vec!["long-key"]),
            ("x-key", "{tenant}/other-key:{user}", vec!["acme/other-key:anna.smith"], vec!["other-key"]),
            ("x-desk", "production", vec![], vec![]),
            ("x-desk", "{user}", vec![], vec![]),
            ("authorization", "{tenant}/{user}", vec![], vec![]),
        ] {
            let mut headers = Headers::default();
            headers.add(name, template).unwrap();
            let target = Target::new("http://localhost/").unwrap();
            let target = headers.sent_to(target, Some(&scope), &credentials).unwrap();
            assert_eq!(target.secrets(), expected, "{name}: {template}");
            assert_eq!(headers.secret_parts(&credentials), parts, "{name}: {template}");
        }
    }

    #[test]
    fn headers_of_the_protocol_and_line_breaks_are_refused() {
        for (name, value, is_valid) in [
            ("authorization", "Bearer {user}", true),
            ("Mcp-Session-Id", "1", false),
            ("HOST", "x", false),
            ("x y", "1", false),
            ("x", "a\r\nb: c", false),
            ("x", "ä", false),
            ("x", "{tenant}/{user}", true),
            ("x", "{tenant}{user}", false),
            ("x", "{tenant}and{user}", false),
        ] {
            assert_eq!(Headers::default().add(name, value).is_ok(), is_valid, "{name}: {value:?}");
        }
    }
}
