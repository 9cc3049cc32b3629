//! The only network client of a turnkit process: an HTTP client that follows no redirects, uses only the proxy it is
//! given and limits the size of responses. Apart from access tokens, it does not interpret the content of requests and
//! responses.
//!
//! ```no_run
//! use turnkit_net::{ClientOptions, HttpClient, Target};
//!
//! # async fn ask() -> Result<(), turnkit_net::NetError> {
//! let client = HttpClient::new(&ClientOptions::default());
//! let target = Target::new("https://example.org/answers")?.secret_header("authorization", "Bearer key")?;
//! let response = client.post(&target, "{}".into()).await?;
//! assert_eq!(response.status(), 200);
//! let body = response.into_body().collect(1024 * 1024).await?;
//! # Ok(())
//! # }
//! ```
//!
//! A [`TokenSource`] has access tokens of an identity provider, and [`GoogleTokens`] those of Google Cloud:
//!
//! ```no_run
//! use turnkit_net::{ClientOptions, HttpClient, Target, TokenEndpoint, TokenSettings, TokenSource};
//!
//! # async fn ask() -> Result<(), Box<dyn std::error::Error>> {
//! let client = HttpClient::new(&ClientOptions::default());
//! let endpoint = TokenEndpoint::Url("https://login.example/oauth/token".to_owned());
//! let settings = TokenSettings::new(endpoint, "support-desk", "the secret of this client");
//! let tokens = TokenSource::new(&settings, client.clone())?;
//! let target = tokens.token().await?.authorize(Target::new("https://tickets.example/mcp")?);
//! let response = client.get(&target).await?;
//! # Ok(())
//! # }
//! ```

mod client;
mod connect;
mod connection;
mod encoding;
mod error;
mod google;
mod google_error;
mod options;
mod pool;
mod proxy;
mod reach;
mod response;
mod target;
mod tcp;
mod timeout;
mod token;
mod tunnel;

pub use client::HttpClient;
pub use error::NetError;
pub use google::GoogleTokens;
pub use google_error::GoogleError;
pub use options::ClientOptions;
pub use proxy::Proxy;
pub use reach::Reach;
pub use response::{Body, Response};
pub use target::Target;
pub use timeout::{TIMEOUT_GRACE, timeout};
pub use token::{
    AccessToken, ClientAuth, Refusal, RefusalCode, SubjectToken, TokenEndpoint, TokenError, TokenGrant, TokenSettings,
    TokenSource,
};
