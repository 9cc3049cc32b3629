//! The one way out of a turnkit process: an HTTP client that follows no redirects, reads no proxy from the environment
//! and bounds what it accepts. What it carries means nothing to it.
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

mod client;
mod connect;
mod connection;
mod error;
mod google;
mod google_error;
mod pool;
mod response;
mod target;

pub use client::{ClientOptions, HttpClient};
pub use error::NetError;
pub use google::GoogleTokens;
pub use google_error::GoogleError;
pub use response::{Body, Response};
pub use target::Target;
