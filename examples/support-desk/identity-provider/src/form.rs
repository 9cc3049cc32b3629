//! The fields of a request.

use crate::error::OAuthError;

/// The fields of a form in their order. A name may occur several times.
pub(crate) struct Form {
    fields: Vec<(String, String)>,
}

impl Form {
    pub(crate) fn new(fields: Vec<(String, String)>) -> Self {
        Self { fields }
    }

    /// Returns the field with this name, which may occur once. An empty field counts as absent (RFC 6749, section 3.2).
    pub(crate) fn one(&self, name: &str) -> Result<Option<&str>, OAuthError> {
        let mut values = self.all(name);
        match (values.next(), values.next()) {
            (value, None) => Ok(value),
            (_, Some(_)) => Err(OAuthError::InvalidRequest(format!("the field {name} occurs twice"))),
        }
    }

    /// Returns the field with this name, which must occur once.
    pub(crate) fn required(&self, name: &str) -> Result<&str, OAuthError> {
        self.one(name)?.ok_or_else(|| OAuthError::InvalidRequest(format!("the field {name} is missing")))
    }

    /// Returns all fields with this name.
    pub(crate) fn all(&self, name: &str) -> impl Iterator<Item = &str> {
        let named = self.fields.iter().filter(move |(field, value)| field == name && !value.is_empty());
        named.map(|(_, value)| value.as_str())
    }

    /// Returns the audiences of the wanted token: the values of `audience` (RFC 8693) and of `resource` (RFC 8707).
    pub(crate) fn audiences(&self) -> Result<Vec<String>, OAuthError> {
        if let Some(relative) = self.all("resource").find(|resource| !resource.contains("://")) {
            return Err(OAuthError::InvalidTarget(format!("the resource {relative} is not an absolute address")));
        }
        let audiences: Vec<String> = self.all("audience").chain(self.all("resource")).map(str::to_owned).collect();
        if audiences.is_empty() {
            return Err(OAuthError::InvalidTarget("name the servers of the token as audience or resource".to_owned()));
        }
        Ok(audiences)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn audiences(fields: &[(&str, &str)]) -> Option<Vec<String>> {
        let fields = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Form::new(fields).audiences().ok()
    }

    #[test]
    fn a_token_is_for_every_audience_and_every_resource() {
        let both = [("audience", "ticketing"), ("resource", "http://a/mcp"), ("audience", "organisations")];
        assert_eq!(audiences(&both).unwrap(), ["ticketing", "organisations", "http://a/mcp"]);
    }

    #[test]
    fn a_token_for_no_server_or_for_a_relative_address_is_refused() {
        for fields in [&[("audience", "")][..], &[("resource", "/mcp")], &[]] {
            assert_eq!(audiences(fields), None, "{fields:?}");
        }
    }
}
