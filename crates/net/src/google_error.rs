//! Errors of requesting an access token of Google Cloud, and whether a retry may succeed.

/// The reason why there is no access token. No variant carries a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GoogleError {
    /// The credentials file cannot be used.
    #[error("{0}")]
    File(String),
    /// The machine has no credentials.
    #[error(
        "this machine has no Google credentials: name the file of a service account, or run `gcloud auth \
         application-default login`"
    )]
    NoCredentials,
    /// The credentials were rejected, or are not valid credentials.
    #[error("Google gave no access token: {0}")]
    Refused(String),
    /// Google could not be reached, or issued no token. The two cases cannot always be told apart; the first may be
    /// temporary.
    #[error("Google gave no access token: {0} (is the network up, and is the account still there?)")]
    Unreachable(String),
}

impl GoogleError {
    /// Maps an error of requesting a token with credentials that were found.
    pub(crate) fn of_request(error: &gcp_auth::Error) -> Self {
        match error {
            // Errors of the HTTP request, of `gcloud` (which sends a request itself), or of a response that is not from
            // Google.
            gcp_auth::Error::Str("token request failed" | "running `gcloud` command failed")
            | gcp_auth::Error::Http(..)
            | gcp_auth::Error::Io(..)
            | gcp_auth::Error::Json(..)
            | gcp_auth::Error::Other(..) => Self::Unreachable(error.to_string()),
            error => Self::Refused(error.to_string()),
        }
    }

    /// Maps an error of looking up the machine's credentials.
    pub(crate) fn of_search(error: &gcp_auth::Error) -> Self {
        match error {
            // A request with the user's credentials file failed, so the file exists.
            gcp_auth::Error::NoAuthMethod(_, _, file) if is_request_error(file) => Self::Unreachable(file.to_string()),
            gcp_auth::Error::NoAuthMethod(_, server, _) if is_request_error(server) && !is_name_not_found(server) => {
                Self::Unreachable(server.to_string())
            }
            gcp_auth::Error::NoAuthMethod(..) => Self::NoCredentials,
            // The file named by the environment variable.
            error => Self::Refused(error.to_string()),
        }
    }
}

/// Reports whether a token request failed.
fn is_request_error(error: &gcp_auth::Error) -> bool {
    matches!(
        error,
        gcp_auth::Error::Other(..) | gcp_auth::Error::Http(..) | gcp_auth::Error::Str("token request failed")
    )
}

/// Reports whether the host name of a server could not be resolved. Outside Google Cloud, the name of the metadata
/// server does not resolve.
fn is_name_not_found(error: &gcp_auth::Error) -> bool {
    let mut causes = std::iter::successors(std::error::Error::source(error), |cause| cause.source());
    causes.any(|cause| cause.to_string().contains("dns error"))
}

#[cfg(test)]
mod tests {
    use std::io;

    use gcp_auth::Error;

    use super::*;

    /// An error with a cause, like the error of a failed request.
    #[derive(Debug, thiserror::Error)]
    #[error("client error (Connect)")]
    struct Failed(#[source] io::Error);

    fn request(cause: &str) -> Error {
        Error::Other("HTTP request failed", Box::new(Failed(io::Error::other(cause.to_owned()))))
    }

    fn no_credentials(server: Error, file: Error) -> Error {
        Error::NoAuthMethod(Box::new(no_file()), Box::new(server), Box::new(file))
    }

    fn no_file() -> Error {
        Error::Io("failed to open application credentials file", io::ErrorKind::NotFound.into())
    }

    #[test]
    fn existing_credentials_may_be_unreachable_and_missing_ones_are_none() {
        let refused = || Error::Str("token request failed");
        for (error, expected) in [
            (no_credentials(request("dns error"), no_file()), "none"),
            (no_credentials(request("tcp connect error"), no_file()), "unreachable"),
            (no_credentials(refused(), no_file()), "unreachable"),
            (no_credentials(request("dns error"), request("tcp connect error")), "unreachable"),
            (no_credentials(request("dns error"), request("dns error")), "unreachable"),
            (no_credentials(request("dns error"), refused()), "unreachable"),
            (no_file(), "refused"),
        ] {
            let found = match GoogleError::of_search(&error) {
                GoogleError::NoCredentials => "none",
                GoogleError::Unreachable(_) => "unreachable",
                _ => "refused",
            };
            assert_eq!(found, expected, "{error:?}");
        }
    }

    #[test]
    fn an_unavailable_token_is_unreachable_and_a_key_that_cannot_sign_is_refused() {
        for (error, is_unreachable) in [
            (request("dns error"), true),
            (Error::Str("token request failed"), true),
            (Error::Str("running `gcloud` command failed"), true),
            (Error::Io("failed to run `gcloud`", io::ErrorKind::NotFound.into()), true),
            (Error::Str("failed to sign with credentials key"), false),
        ] {
            assert_eq!(
                matches!(GoogleError::of_request(&error), GoogleError::Unreachable(_)),
                is_unreachable,
                "{error:?}"
            );
        }
    }
}
