//! The proxy from the environment.

use turnkit_net::Proxy;

use super::ConfigError;
use super::schema::Environment;

/// Returns the proxy for providers with `https:` addresses.
pub(super) fn from_environment(environment: &Environment) -> Result<Option<Proxy>, ConfigError> {
    let proxy = Proxy::from_variables(|name| environment.get(name).cloned());
    proxy.map_err(|(name, error)| ConfigError::in_variable(name, error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proxy(variables: &[(&str, &str)]) -> Result<Option<Proxy>, ConfigError> {
        from_environment(&variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect())
    }

    #[test]
    fn the_first_variable_that_is_set_to_something_counts() {
        let of = |url: &str, exceptions: &str| Some(Proxy::new(url, exceptions).unwrap());
        for (variables, expected) in [
            (&[][..], None),
            (&[("HTTP_PROXY", "http://h:1"), ("NO_PROXY", "a")], None),
            (&[("HTTPS_PROXY", "")], None),
            (&[("HTTPS_PROXY", "http://h:1")], of("http://h:1", "")),
            (&[("https_proxy", "h:1"), ("no_proxy", "a.example")], of("http://h:1", "a.example")),
            (&[("HTTPS_PROXY", " "), ("https_proxy", "http://h:2")], of("http://h:2", "")),
            (
                &[("HTTPS_PROXY", "http://h:1"), ("https_proxy", "http://h:2"), ("NO_PROXY", "a"), ("no_proxy", "b")],
                of("http://h:1", "a"),
            ),
        ] {
            assert_eq!(proxy(variables).unwrap(), expected, "{variables:?}");
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_names_the_variable_and_not_the_password() {
        let message = proxy(&[("https_proxy", "socks5://me:hidden@h:1")]).unwrap_err().to_string();
        let expected = "environment variable https_proxy: not a usable address: only proxies whose address begins with \
                        http:// are supported";
        assert_eq!(message, expected);
    }
}
