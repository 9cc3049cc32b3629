//! The headers that restrict what the page may do in a browser.

use axum::http::{HeaderName, HeaderValue};
use axum::response::Response;

/// The page loads nothing but its own files, sends requests to its own origin alone, is shown in no frame, and cannot
/// turn text into code: a text becomes a script's address only through the policy `turnkit` of `theme.js`.
const PROTECTIONS: [(&str, &str); 5] = [
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
         connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types turnkit",
    ),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    (
        "permissions-policy",
        "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), hid=(), magnetometer=(), \
         microphone=(), midi=(), payment=(), serial=(), usb=()",
    ),
    ("referrer-policy", "no-referrer"),
];

/// Adds the headers to a response. `x-content-type-options` is on every response of the server.
pub(super) fn protect(response: &mut Response) {
    let headers = PROTECTIONS.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
    response.headers_mut().extend(headers);
}
