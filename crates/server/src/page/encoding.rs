//! Compression of the page's files.

use std::io::Write;

use axum::http::{HeaderMap, header};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

/// Reports whether the client accepts a response in gzip.
pub(super) fn accepts_gzip(request: &HeaderMap) -> bool {
    let values = request.get_all(header::ACCEPT_ENCODING).into_iter().filter_map(|value| value.to_str().ok());
    values.flat_map(|value| value.split(',')).any(|encoding| {
        let (name, parameters) = encoding.split_once(';').unwrap_or((encoding, ""));
        let is_refused = parameters.trim().strip_prefix("q=").is_some_and(is_zero);
        name.trim().eq_ignore_ascii_case("gzip") && !is_refused
    })
}

fn is_zero(weight: &str) -> bool {
    weight.parse::<f32>().is_ok_and(|weight| weight == 0.0)
}

/// Compresses a file. Returns `None` if that makes it no smaller.
pub(super) fn gzip(content: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).ok()?;
    let compressed = encoder.finish().ok()?;
    (compressed.len() < content.len()).then(|| Bytes::from(compressed))
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use axum::http::HeaderValue;
    use flate2::read::GzDecoder;

    use super::*;

    #[test]
    fn gzip_is_sent_only_to_clients_that_accept_it() {
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=1.0, GZIP;q=0.8", true),
            ("gzip;q=0", false),
            ("gzip; q=0.000", false),
            ("br", false),
            ("x-gzip-like", false),
            ("", false),
        ] {
            let mut request = HeaderMap::new();
            request.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(accepts_gzip(&request), expected, "{accepted}");
        }
        assert!(!accepts_gzip(&HeaderMap::new()));
    }

    #[test]
    fn a_compressed_file_decompresses_to_the_same() {
        let content = b"the same words, the same words, the same words".repeat(9);
        let compressed = gzip(&content).unwrap();
        let mut again = Vec::new();
        GzDecoder::new(compressed.as_ref()).read_to_end(&mut again).unwrap();
        assert_eq!(again, content);
        assert_eq!(gzip(b"short"), None, "compressing it would make it longer");
    }
}
