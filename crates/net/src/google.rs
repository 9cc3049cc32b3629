//! Access tokens of Google Cloud.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use gcp_auth::{CustomServiceAccount, Token, TokenProvider};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::GoogleError;

const SCOPES: &[&str] = &["https://www.googleapis.com/auth/cloud-platform"];
/// Maximum size of a credentials file, in bytes.
const MAX_FILE: u64 = 64 * 1024;

/// Source of access tokens, each used until shortly before it expires. Concurrent callers share one token request.
///
/// ```
/// use turnkit_net::GoogleTokens;
///
/// // The credentials of this machine: GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login`, the
/// // service account of a machine in the cloud, or gcloud. They are looked up when the first token is needed.
/// let tokens = GoogleTokens::default_credentials();
/// ```
pub struct GoogleTokens {
    /// The content of a service account's key file. `None` means the credentials of this machine.
    account: Option<String>,
    token: RwLock<Option<Arc<Token>>>,
    /// Locked while a token is requested, so that other callers wait for the same token.
    source: Mutex<Option<Arc<dyn TokenProvider>>>,
}

impl GoogleTokens {
    /// Creates a source of tokens for the default credentials of this machine.
    pub fn default_credentials() -> Self {
        Self::new(None)
    }

    /// Creates a source of tokens for a service account. Reads its key file immediately.
    ///
    /// # Errors
    /// [`GoogleError::File`] describes what is wrong with the file.
    pub fn from_service_account(file: &Path) -> Result<Self, GoogleError> {
        let unusable = |why: String| GoogleError::File(format!("{}: {why}", file.display()));
        let length = std::fs::metadata(file).map_err(|error| unusable(error.to_string()))?.len();
        if length > MAX_FILE {
            return Err(unusable(format!("larger than {MAX_FILE} bytes")));
        }
        let text = std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
        match serde_json::from_str::<Kind>(&text) {
            Ok(Kind { r#type }) if r#type == "service_account" => Ok(Self::new(Some(text))),
            Ok(Kind { r#type }) => Err(unusable(format!(
                "unsupported credential type {type:?}: only `service_account` is read from a file; omit the file to \
                 use the credentials of `gcloud` or of this machine"
            ))),
            Err(_) => Err(unusable("not the JSON of a service account's key".to_owned())),
        }
    }

    fn new(account: Option<String>) -> Self {
        Self { account, token: RwLock::default(), source: Mutex::default() }
    }

    /// Returns a valid token. There is no time limit: the caller sets one.
    ///
    /// # Errors
    /// No credentials were found, or Google issued no token for them.
    pub async fn token(&self) -> Result<Arc<str>, GoogleError> {
        if let Some(token) = self.kept() {
            return Ok(token);
        }
        let mut source = self.source.lock().await;
        if let Some(token) = self.kept() {
            return Ok(token);
        }
        let provider = match &*source {
            Some(provider) => Arc::clone(provider),
            None => Arc::clone(source.insert(self.provider().await?)),
        };
        let token = provider.token(SCOPES).await.map_err(|error| GoogleError::of_request(&error))?;
        let text = token.as_str().into();
        *self.token.write().unwrap_or_else(PoisonError::into_inner) = Some(token);
        Ok(text)
    }

    /// Drops a token that a server has rejected, so that the next call requests a new one. Has no effect if the token
    /// has been replaced already: concurrent rejections of one token lead to a single request.
    pub async fn forget(&self, refused: &str) {
        let mut source = self.source.lock().await;
        let mut token = self.token.write().unwrap_or_else(PoisonError::into_inner);
        if token.as_ref().is_some_and(|token| token.as_str() == refused) {
            *token = None;
            // The provider caches the token too.
            *source = None;
        }
    }

    /// Returns the current token, unless it is about to expire.
    fn kept(&self) -> Option<Arc<str>> {
        let token = self.token.read().unwrap_or_else(PoisonError::into_inner);
        token.as_ref().filter(|token| !token.has_expired()).map(|token| token.as_str().into())
    }

    async fn provider(&self) -> Result<Arc<dyn TokenProvider>, GoogleError> {
        match &self.account {
            Some(text) => {
                let account = CustomServiceAccount::from_json(text);
                Ok(Arc::new(account.map_err(|error| GoogleError::File(format!("the service account: {error}")))?))
            }
            None => gcp_auth::provider().await.map_err(|error| GoogleError::of_search(&error)),
        }
    }
}

#[derive(Deserialize)]
struct Kind {
    r#type: String,
}

impl fmt::Debug for GoogleTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("GoogleTokens").field("has_file", &self.account.is_some()).finish_non_exhaustive()
    }
}
