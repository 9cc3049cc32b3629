//! Google service accounts for tests.

use std::io;

use aws_lc_rs::encoding::{AsDer as _, Pkcs8V1Der};
use aws_lc_rs::rsa::{KeyPair, KeySize};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// Generates the JSON file of a service account with a new key. Its access tokens come from `token_uri`.
///
/// # Errors
/// The key cannot be generated.
pub fn service_account(token_uri: &str) -> io::Result<String> {
    let no_key = |_| io::Error::other("no key can be made");
    let key = KeyPair::generate(KeySize::Rsa2048).map_err(no_key)?;
    let der: Pkcs8V1Der<'_> = key.as_der().map_err(no_key)?;
    let lines: Vec<String> = STANDARD
        .encode(der.as_ref())
        .as_bytes()
        .chunks(64)
        .map(|line| String::from_utf8_lossy(line).into_owned())
        .collect();
    let (begin, end) = ("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----");
    let account = json!({
        "type": "service_account",
        "project_id": "project",
        "private_key_id": "1",
        "private_key": format!("{begin}\n{}\n{end}\n", lines.join("\n")),
        "client_email": "turnkit@project.iam.example",
        "client_id": "1",
        "token_uri": token_uri,
    });
    Ok(account.to_string())
}
