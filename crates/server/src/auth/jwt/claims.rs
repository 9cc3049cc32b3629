//! The claims of a verified token.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use turnkit_core::{AccessScopes, Scope, Timestamp};

use super::error::TokenError;
use crate::jwt_settings::JwtSettings;

/// The longest name of a user or a tenant, in bytes.
const NAME_BYTES: usize = 128;
/// The last second that counts as a time: the end of the year 9999.
const LAST_SECOND: u64 = 253_402_300_799;

/// The holder of a token, and what the token permits.
#[derive(Debug, Clone)]
pub(crate) struct Holder {
    pub(crate) scope: Scope,
    pub(crate) access: AccessScopes,
    /// When the token was issued, if it says so.
    pub(crate) issued_at: Option<Timestamp>,
    /// When the token expires: its `exp`.
    pub(crate) expires_at: Timestamp,
    /// When the token stops being accepted: its `exp`, and the leeway.
    pub(crate) accepted_until: Timestamp,
}

/// The claims in the payload of a token, whose signature the caller has verified.
#[derive(Debug)]
pub(super) struct Claims(BTreeMap<String, Value>);

impl Claims {
    /// Parses a payload.
    pub(super) fn read(payload: &[u8]) -> Result<Self, TokenError> {
        serde_json::from_slice(payload).map_err(|_| TokenError::Malformed("its payload is not a JSON object of claims"))
    }

    /// Checks the claims and returns the holder of the token.
    pub(super) fn holder(&self, settings: &JwtSettings, now: Timestamp) -> Result<Holder, TokenError> {
        self.check_issuer(settings)?;
        self.check_audience(settings)?;
        let expires_at = self.time("exp")?.ok_or_else(|| TokenError::claim("exp", "missing"))?;
        let accepted_until = expires_at.plus(settings.leeway);
        if accepted_until <= now {
            return Err(TokenError::Expired);
        }
        if self.time("nbf")?.is_some_and(|valid_from| valid_from > now.plus(settings.leeway)) {
            return Err(TokenError::claim("nbf", "the token is not valid yet"));
        }
        let access = self.access(&settings.scope_claim)?;
        // Not required, and some issuers write it with fractions, so it is no reason to refuse a token.
        let issued_at = self.time("iat").ok().flatten();
        Ok(Holder { scope: self.scope(settings)?, access, issued_at, expires_at, accepted_until })
    }

    /// Returns the user and the tenant. The names of the user at this machine's terminal are refused, because an issuer
    /// may let its users choose theirs.
    fn scope(&self, settings: &JwtSettings) -> Result<Scope, TokenError> {
        let local = Scope::local();
        // In every tenant, because keys of this user may exist in each.
        let user = self.unreserved(&settings.user_claim, &local.user.0)?;
        match &settings.tenant_claim {
            Some(claim) => Ok(Scope::new(self.unreserved(claim, &local.tenant.0)?, user)),
            None => Ok(Scope::new(local.tenant.0, user)),
        }
    }

    /// Returns a name, unless it is the `reserved` one of this machine.
    fn unreserved(&self, claim: &str, reserved: &str) -> Result<&str, TokenError> {
        match self.name(claim)? {
            name if name == reserved => Err(TokenError::claim(claim, "the name is reserved for this machine")),
            name => Ok(name),
        }
    }

    fn check_issuer(&self, settings: &JwtSettings) -> Result<(), TokenError> {
        match self.0.get("iss") {
            Some(Value::String(issuer)) if *issuer == settings.issuer => Ok(()),
            _ => Err(TokenError::claim("iss", "not the configured issuer")),
        }
    }

    fn check_audience(&self, settings: &JwtSettings) -> Result<(), TokenError> {
        let accepts = |name: &str| settings.audiences.iter().any(|own| own == name);
        let is_ours = |audience: &Value| audience.as_str().is_some_and(accepts);
        let ours = match self.0.get("aud") {
            Some(Value::Array(audiences)) => audiences.iter().any(is_ours),
            Some(audience) => is_ours(audience),
            None => false,
        };
        if ours { Ok(()) } else { Err(TokenError::claim("aud", "names no configured audience")) }
    }

    /// Returns a time in whole seconds, if the claim is present.
    fn time(&self, claim: &str) -> Result<Option<Timestamp>, TokenError> {
        let Some(value) = self.0.get(claim) else { return Ok(None) };
        let seconds = value.as_u64().filter(|seconds| *seconds <= LAST_SECOND);
        let millis = seconds.and_then(|seconds| i64::try_from(seconds * 1000).ok());
        let millis = millis.ok_or_else(|| TokenError::claim(claim, "not a number of seconds"))?;
        Ok(Some(Timestamp::from_millis(millis)))
    }

    /// Returns the name of a user or a tenant.
    fn name(&self, claim: &str) -> Result<&str, TokenError> {
        let Some(value) = self.0.get(claim) else { return Err(TokenError::claim(claim, "missing")) };
        let name = value.as_str().filter(|name| !name.trim().is_empty() && name.len() <= NAME_BYTES);
        let name = name.filter(|name| !name.chars().any(char::is_control));
        name.ok_or_else(|| TokenError::claim(claim, "not a text of 1 to 128 bytes without control characters"))
    }

    fn access(&self, claim: &str) -> Result<AccessScopes, TokenError> {
        let wrong = || TokenError::claim(claim, "neither a text nor a list of texts");
        match self.0.get(claim) {
            None => Ok(AccessScopes::default()),
            Some(Value::String(names)) => Ok(AccessScopes::parse_known(names.split_ascii_whitespace())),
            Some(Value::Array(names)) => {
                let names: Option<Vec<&str>> = names.iter().map(Value::as_str).collect();
                Ok(AccessScopes::parse_known(names.ok_or_else(wrong)?))
            }
            Some(_) => Err(wrong()),
        }
    }
}

/// Refuses a claim that is given twice: of two readers, one might take the first and the other the last.
impl<'de> Deserialize<'de> for Claims {
    fn deserialize<D: Deserializer<'de>>(payload: D) -> Result<Self, D::Error> {
        struct Object;

        impl<'de> Visitor<'de> for Object {
            type Value = Claims;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of claims")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Claims, A::Error> {
                let mut claims = BTreeMap::new();
                while let Some((name, value)) = map.next_entry::<String, Value>()? {
                    if claims.insert(name, value).is_some() {
                        return Err(A::Error::custom("a claim is given twice"));
                    }
                }
                Ok(Claims(claims))
            }
        }

        payload.deserialize_map(Object)
    }
}
