//! The headers of a request, which repeat parts of the body for programs between the client and the server. A body that
//! contradicts its headers is refused, because such a program may have judged the headers.

use std::borrow::Cow;

use axum::http::HeaderMap;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::fault::{Fault, FaultKind};
use super::message::Request;
use super::metadata::unsupported;
use super::revision;

const PROTOCOL_VERSION: &str = "mcp-protocol-version";
const METHOD: &str = "mcp-method";
const NAME: &str = "mcp-name";

/// Checks the header that names the revision. It is checked first, because it also contradicts a revision that the
/// server does not speak.
pub(super) fn check_version(headers: &HeaderMap, request: &Request) -> Result<(), Fault> {
    let version = only(headers, PROTOCOL_VERSION)?;
    match (request.metadata.version(), version) {
        (Some(in_body), in_header) if in_header != Some(in_body) => {
            Err(mismatch("mcp-protocol-version must be the io.modelcontextprotocol/protocolVersion of params._meta"))
        }
        (Some(_), _) => Ok(()),
        // The handshake selects the revision, so its header does not count.
        (None, _) if request.method == "initialize" => Ok(()),
        (None, Some(revision::STATELESS)) => {
            let message = "params._meta: lacks io.modelcontextprotocol/protocolVersion";
            Err(Fault::new(FaultKind::InvalidMetadata, message))
        }
        (None, Some(version)) if !revision::supported().any(|known| known == version) => Err(unsupported(version)),
        (None, _) => Ok(()),
    }
}

/// Checks the headers that name the method and the tool. Clients of earlier revisions do not send them.
pub(super) fn check_names(headers: &HeaderMap, request: &Request) -> Result<(), Fault> {
    if only(headers, METHOD)? != Some(request.method.as_str()) {
        return Err(mismatch("mcp-method must be the method of the body"));
    }
    let Some(name) = request.name.as_deref().filter(|_| request.method == "tools/call") else { return Ok(()) };
    let in_header = only(headers, NAME)?.and_then(decoded);
    if in_header.as_deref() != Some(name) {
        return Err(mismatch("mcp-name must be the params.name of the body"));
    }
    Ok(())
}

/// Returns the value of a header that may be given once.
fn only<'a>(headers: &'a HeaderMap, name: &str) -> Result<Option<&'a str>, Fault> {
    let mut values = headers.get_all(name).iter();
    let first = values.next();
    if values.next().is_some() {
        return Err(mismatch(&format!("{name} is given twice")));
    }
    first.map(|value| value.to_str().map_err(|_| mismatch(&format!("{name} is not ASCII text")))).transpose()
}

/// Returns the text of a header value, which is in base64 between two marks if it has other characters than ASCII.
fn decoded(value: &str) -> Option<Cow<'_, str>> {
    let Some(encoded) = value.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) else {
        return Some(value.into());
    };
    String::from_utf8(STANDARD.decode(encoded).ok()?).ok().map(Cow::Owned)
}

fn mismatch(message: &str) -> Fault {
    Fault::new(FaultKind::HeaderMismatch, message)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};
    use serde_json::{Value, json};

    use super::super::message::{Message, read};
    use super::super::revision::Revision;
    use super::*;

    fn checked(method: &str, params: &Value, headers: &[(&'static str, &'static str)]) -> Option<i64> {
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params });
        let Ok(Message::Request(request)) = read(body.to_string().as_bytes()) else { panic!("{body}") };
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let revision = check_version(&map, &request).and_then(|()| request.metadata.revision());
        let checked = revision.and_then(|revision| match revision {
            Revision::Initialized => Ok(()),
            Revision::Stateless => check_names(&map, &request),
        });
        checked.err().and_then(|fault| fault.to_json()["code"].as_i64())
    }

    #[test]
    fn headers_repeat_the_body() {
        let modern = json!({
            "name": "a",
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        });
        let version = (PROTOCOL_VERSION, "2026-07-28");
        let (method, name) = ((METHOD, "tools/call"), (NAME, "a"));
        for (headers, code) in [
            (vec![version, method, name], None),
            (vec![version, method, (NAME, "=?base64?YQ==?=")], None),
            (vec![method, name], Some(-32020)),
            (vec![(PROTOCOL_VERSION, "2025-11-25"), method, name], Some(-32020)),
            (vec![version, version, method, name], Some(-32020)),
            (vec![version, name], Some(-32020)),
            (vec![version, (METHOD, "tools/list"), name], Some(-32020)),
            (vec![version, method], Some(-32020)),
            (vec![version, method, (NAME, "b")], Some(-32020)),
            (vec![version, method, (NAME, "=?base64?!?=")], Some(-32020)),
        ] {
            assert_eq!(checked("tools/call", &modern, &headers), code, "{headers:?}");
        }
    }

    #[test]
    fn a_header_contradicts_an_unknown_revision_too() {
        let unknown = json!({ "_meta": { "io.modelcontextprotocol/protocolVersion": "v999.0.0" } });
        for (version, code) in [("2026-07-28", -32020), ("v999.0.0", -32022)] {
            let headers = [(PROTOCOL_VERSION, version), (METHOD, "tools/list")];
            assert_eq!(checked("tools/list", &unknown, &headers), Some(code), "{version}");
        }
    }

    #[test]
    fn a_client_of_an_earlier_revision_names_it_in_a_header_if_at_all() {
        for (method, headers, code) in [
            ("tools/list", vec![], None),
            ("tools/list", vec![(PROTOCOL_VERSION, "2025-03-26")], None),
            ("tools/list", vec![(PROTOCOL_VERSION, "2026-07-28")], Some(-32602)),
            ("tools/list", vec![(PROTOCOL_VERSION, "1999-01-01")], Some(-32022)),
            ("initialize", vec![(PROTOCOL_VERSION, "2026-07-28")], None),
        ] {
            assert_eq!(checked(method, &json!({}), &headers), code, "{method} {headers:?}");
        }
    }
}
