//! Access tokens of Google Cloud.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, PoisonError, RwLock};

use gcp_auth::{CustomServiceAccount, Token, TokenProvider};
use serde::Deserialize;
use tokio::sync::Mutex;

use crate::GoogleError;

const SCOPES: &[&str] = &["https://www.googleapis.com/auth/cloud-platform"];
/// The longest file of credentials that is read, in bytes.
const MAX_FILE: u64 = 64 * 1024;

/// Gives access tokens, each until shortly before it expires. One is asked for at a time, however many want it.
///
/// ```
/// use turnkit_net::GoogleTokens;
///
/// // What the machine has: GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login`, the service account
/// // of a machine in the cloud, or gcloud. It is looked for when the first token is needed.
/// let tokens = GoogleTokens::of_this_machine();
/// ```
pub struct GoogleTokens {
    /// The text of a service account's file; absent: what the machine has.
    account: Option<String>,
    token: RwLock<Option<Arc<Token>>>,
    /// Held while a token is asked for, so that whoever comes meanwhile waits for that one.
    source: Mutex<Option<Arc<dyn TokenProvider>>>,
}

impl GoogleTokens {
    /// Tokens for whatever credentials the machine has.
    pub fn of_this_machine() -> Self {
        Self::new(None)
    }

    /// Tokens for a service account, whose file is read here.
    ///
    /// # Errors
    /// [`GoogleError::File`] says what is wrong with the file.
    pub fn of_service_account(file: &Path) -> Result<Self, GoogleError> {
        let unusable = |why: String| GoogleError::File(format!("{}: {why}", file.display()));
        let length = std::fs::metadata(file).map_err(|error| unusable(error.to_string()))?.len();
        if length > MAX_FILE {
            return Err(unusable(format!("it is longer than {MAX_FILE} bytes")));
        }
        let text = std::fs::read_to_string(file).map_err(|error| unusable(error.to_string()))?;
        match serde_json::from_str::<Kind>(&text) {
            Ok(Kind { r#type }) if r#type == "service_account" => Ok(Self::new(Some(text))),
            Ok(Kind { r#type }) => Err(unusable(format!(
                "it holds credentials of the type {type:?}, and only service_account is read from a file; name no file \
                 for what `gcloud` or the machine has"
            ))),
            Err(_) => Err(unusable("it is not the JSON of a service account's key".to_owned())),
        }
    }

    fn new(account: Option<String>) -> Self {
        Self { account, token: RwLock::default(), source: Mutex::default() }
    }

    /// A token that can be sent. How long getting one may take is the caller's to bound.
    ///
    /// # Errors
    /// There are no credentials, or Google gave no token for them.
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

    /// Whoever was shown this token did not take it: the next one is a new one. A token that has been replaced meanwhile
    /// is forgotten already, so however many were refused with one token, one is asked for in its place.
    pub async fn forget(&self, refused: &str) {
        let mut source = self.source.lock().await;
        let mut token = self.token.write().unwrap_or_else(PoisonError::into_inner);
        if token.as_ref().is_some_and(|token| token.as_str() == refused) {
            *token = None;
            // It keeps the token too.
            *source = None;
        }
    }

    /// The token there is, unless it is about to expire.
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
