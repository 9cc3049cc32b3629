//! The head of a request, as passed to decoders.

use axum::http::{HeaderMap, Uri, header};

/// The head of a request.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    pub(crate) headers: &'a HeaderMap,
    /// The path and the query of the request.
    pub(crate) uri: &'a Uri,
}

impl Head<'_> {
    /// Reports whether the client names `media_type` among the types it accepts. `*/*` does not count.
    pub(crate) fn accepts(&self, media_type: &str) -> bool {
        let accepted = self.headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
        accepted.flat_map(|value| value.split(',')).any(|range| {
            let mut words = range.split(';').map(str::trim);
            words.next().is_some_and(|name| name.eq_ignore_ascii_case(media_type)) && !words.any(is_refusal)
        })
    }
}

/// Reports whether a parameter of a media type rules the type out.
fn is_refusal(parameter: &str) -> bool {
    let weight = parameter.strip_prefix("q=").or(parameter.strip_prefix("Q="));
    weight.and_then(|weight| weight.parse::<f32>().ok()).is_some_and(|weight| weight <= 0.0)
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;

    use super::*;

    #[test]
    fn a_type_is_accepted_if_it_is_named_and_not_ruled_out() {
        for (accept, accepts) in [
            ("text/event-stream", true),
            ("application/json, Text/Event-Stream ; q=0.1", true),
            ("text/event-stream;charset=utf-8", true),
            ("text/event-stream;q=0", false),
            ("application/json, text/event-stream; Q=0.000", false),
            ("*/*", false),
            ("text/event-streams", false),
        ] {
            let headers = HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]);
            let head = Head { headers: &headers, uri: &Uri::from_static("/") };
            assert_eq!(head.accepts("text/event-stream"), accepts, "{accept}");
        }
    }
}
