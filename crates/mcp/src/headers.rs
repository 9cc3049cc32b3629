//! The operator's headers of a server, with placeholders for the owner of a session.

use std::fmt;

use turnkit_core::Scope;
use turnkit_net::Target;

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

    /// Adds the headers of requests for this owner to `target`.
    ///
    /// # Errors
    /// The headers name an owner, and there is none, or its name cannot be sent. The error contains the reason.
    pub(crate) fn sent_to(&self, mut target: Target, scope: Option<&Scope>) -> Result<Target, String> {
        for (name, template) in &self.0 {
            let value = filled(name, template, scope)?;
            let with_header =
                if is_name(template) { target.header(name, &value) } else { target.secret_header(name, &value) };
            target = with_header.map_err(|error| error.to_string())?;
        }
        Ok(target)
    }
}

/// Reports whether a header only names an owner. Results of tools name owners too, so these values are no secrets, which
/// would be removed from them.
fn is_name(template: &str) -> bool {
    let rest = template.replace(USER, "").replace(TENANT, "");
    rest.len() < template.len() && rest.len() < Secrets::SHORTEST
}

/// Fills the placeholders of a header in one pass, so that a name that looks like a placeholder stays a name.
fn filled(name: &str, template: &str, scope: Option<&Scope>) -> Result<String, String> {
    let (mut value, mut rest) = (String::new(), template);
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        value.push_str(before);
        let owner = |pick: fn(&Scope) -> &str| {
            let scope = scope.ok_or_else(|| format!("the header `{name}` needs a user, and this session has none"))?;
            sendable(name, pick(scope))
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

/// Checks that the name of a user or tenant can be the value of a header without changing its meaning.
fn sendable<'a>(header: &str, owner: &'a str) -> Result<&'a str, String> {
    match !owner.is_empty() && owner.bytes().all(|byte| byte.is_ascii_graphic()) {
        true => Ok(owner),
        false => Err(format!(
            "the header `{header}` cannot hold the name of this user or tenant: it may consist of visible ASCII only"
        )),
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
            ("{tenant}/{user}; {\"a\":1}", Some(&anna), Ok("acme/{tenant}anna; {\"a\":1}")),
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
    fn names_of_owners_are_no_secrets_but_keys_are() {
        let scope = Scope::new("acme", "anna.smith");
        for (template, expected) in [
            ("Bearer long-key", vec!["long-key"]),
            ("{user}", vec![]),
            ("{tenant}/{user}", vec![]),
            ("long-key:{user}", vec!["long-key:anna.smith"]),
        ] {
            let mut headers = Headers::default();
            headers.add("x-owner", template).unwrap();
            let target = headers.sent_to(Target::new("http://localhost/").unwrap(), Some(&scope)).unwrap();
            assert_eq!(target.secrets(), expected, "{template}");
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
        ] {
            assert_eq!(Headers::default().add(name, value).is_ok(), is_valid, "{name}: {value:?}");
        }
    }
}
