//! The credential of a request.

use axum::http::{HeaderMap, HeaderName, header};

const X_API_KEY: HeaderName = HeaderName::from_static("x-api-key");
const BEARER: &[u8] = b"bearer ";

/// The error for a request whose credentials use another scheme or contradict each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct AmbiguousCredentials;

/// Returns the one credential of a request, if it has any. The same credential may be sent in several forms.
pub(super) fn of(headers: &HeaderMap) -> Result<Option<&[u8]>, AmbiguousCredentials> {
    let bearers = headers.get_all(header::AUTHORIZATION).iter().map(|value| bearer(value.as_bytes()));
    let keys = headers.get_all(X_API_KEY).iter().map(|value| Ok(value.as_bytes()));
    let mut all = bearers.chain(keys);
    let Some(first) = all.next().transpose()? else { return Ok(None) };
    match all.all(|other| other == Ok(first)) {
        true => Ok(Some(first)),
        false => Err(AmbiguousCredentials),
    }
}

fn bearer(value: &[u8]) -> Result<&[u8], AmbiguousCredentials> {
    let (scheme, token) = value.split_at_checked(BEARER.len()).ok_or(AmbiguousCredentials)?;
    match scheme.eq_ignore_ascii_case(BEARER) {
        true => Ok(token.trim_ascii()),
        false => Err(AmbiguousCredentials),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_credential_counts_and_two_that_differ_do_not() {
        for (headers, credential) in [
            (&[][..], Ok(None)),
            (&[("authorization", "Bearer a")], Ok(Some(&b"a"[..]))),
            (&[("authorization", "bearer  a ")], Ok(Some(b"a"))),
            (&[("x-api-key", "a")], Ok(Some(b"a"))),
            (&[("authorization", "Bearer a"), ("x-api-key", "a")], Ok(Some(b"a"))),
            (&[("authorization", "Bearer a"), ("x-api-key", "b")], Err(AmbiguousCredentials)),
            (&[("x-api-key", "a"), ("x-api-key", "b")], Err(AmbiguousCredentials)),
            (&[("authorization", "Bearer a"), ("authorization", "Bearer b")], Err(AmbiguousCredentials)),
            (&[("authorization", "Basic YTpi")], Err(AmbiguousCredentials)),
            (&[("authorization", "Basic YTpi"), ("x-api-key", "a")], Err(AmbiguousCredentials)),
            (&[("authorization", "Bearer")], Err(AmbiguousCredentials)),
            (&[("authorization", "")], Err(AmbiguousCredentials)),
        ] {
            let mut map = HeaderMap::new();
            for (name, value) in headers {
                map.append(*name, value.parse().unwrap());
            }
            assert_eq!(of(&map), credential, "{headers:?}");
        }
    }
}
