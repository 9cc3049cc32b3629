//! An identity provider for the support desk. It stands in for the one of a company.
//!
//! `POST /token` issues access tokens to the one registered client: for itself (`client_credentials`), and for a user
//! whose token it has (token exchange, RFC 8693). Tokens are JWTs signed with ES256. Their keys are published below
//! `/.well-known/openid-configuration`, and change with `POST /rotate`. `POST /login` takes the place of a login page.
//! It asks for no password, so this provider is for demonstrations and tests only.

mod claims;
mod client;
mod clock;
mod error;
mod exchange;
mod form;
mod issuer;
mod key_failure;
mod keys;
mod provider;
mod routes;
mod signing_key;
mod start;
mod statistics;

pub use client::Client;
pub use clock::{Clock, system_clock};
pub use provider::USERS;
pub use start::{ProviderOptions, start};
