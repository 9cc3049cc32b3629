//! Addresses with placeholders, such as `https://{resource}.example/v1`.

/// Returns the names of the placeholders, in order.
pub(crate) fn placeholders(template: &str) -> impl Iterator<Item = &str> {
    template.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
}

/// Replaces each placeholder of the template by its value.
///
/// # Errors
/// The name of a placeholder without a value.
pub(crate) fn filled(template: &str, value: impl Fn(&str) -> Option<String>) -> Result<String, &str> {
    let mut out = String::with_capacity(template.len());
    let mut rest = template;
    while let Some((before, (name, after))) =
        rest.split_once('{').and_then(|(before, tail)| Some((before, tail.split_once('}')?)))
    {
        out.push_str(before);
        out.push_str(&value(name).ok_or(name)?);
        rest = after;
    }
    out.push_str(rest);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_are_filled_and_missing_values_are_named() {
        let value = |name: &str| (name == "a").then(|| "1".to_owned());
        for (template, expected) in
            [("x", Ok("x")), ("{a}/{a}?b={a}", Ok("1/1?b=1")), ("{a}{b}", Err("b")), ("{a", Ok("{a")), ("", Ok(""))]
        {
            assert_eq!(filled(template, value).as_deref(), expected.as_ref().map(|text| *text), "{template}");
        }
        assert_eq!(placeholders("{a}/{b}?{a}").collect::<Vec<_>>(), ["a", "b", "a"]);
    }
}
