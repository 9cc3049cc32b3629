//! Text templates with placeholders for arguments, as the operator writes them in the settings of a tool.

mod invalid;
mod parameters;
mod values;

pub use invalid::InvalidTemplate;
pub use parameters::Parameters;
pub(crate) use values::Values;

/// A text in which `{name}` stands for an argument and `{{name}}` for the literal text `{name}`. Other braces are
/// literal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Template(Vec<Piece>);

#[derive(Debug, Clone, PartialEq, Eq)]
enum Piece {
    Text(String),
    Placeholder(String),
}

impl Template {
    /// Parses the text of a template. Every text is a valid template.
    pub(crate) fn parse(text: &str) -> Self {
        let (mut pieces, mut fixed, mut rest) = (Vec::new(), String::new(), text);
        while let Some(at) = rest.find('{') {
            fixed.push_str(&rest[..at]);
            rest = &rest[at..];
            if let Some((name, after)) = rest.strip_prefix('{').and_then(escaped) {
                fixed.push_str(&format!("{{{name}}}"));
                rest = after;
            } else if let Some((name, after)) = placeholder(rest) {
                if !fixed.is_empty() {
                    pieces.push(Piece::Text(std::mem::take(&mut fixed)));
                }
                pieces.push(Piece::Placeholder(name.to_owned()));
                rest = after;
            } else {
                fixed.push('{');
                rest = &rest[1..];
            }
        }
        fixed.push_str(rest);
        if !fixed.is_empty() {
            pieces.push(Piece::Text(fixed));
        }
        Self(pieces)
    }

    /// Returns the name of the argument, if the template consists of a single placeholder.
    pub(crate) fn whole(&self) -> Option<&str> {
        match &self.0[..] {
            [Piece::Placeholder(name)] => Some(name),
            _ => None,
        }
    }

    /// Returns the text, if it contains no placeholder.
    pub(crate) fn fixed(&self) -> Option<&str> {
        match &self.0[..] {
            [] => Some(""),
            [Piece::Text(text)] => Some(text),
            _ => None,
        }
    }

    /// Returns the names of all placeholders.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|piece| match piece {
            Piece::Placeholder(name) => Some(name.as_str()),
            Piece::Text(_) => None,
        })
    }

    /// Inserts arguments, each formatted by `write`. Returns `None` if one of them is absent.
    pub(crate) fn fill(&self, values: &Values, write: impl Fn(String) -> String) -> Option<String> {
        let mut filled = String::new();
        for piece in &self.0 {
            match piece {
                Piece::Text(text) => filled.push_str(text),
                Piece::Placeholder(name) => filled.push_str(&write(values.text(name)?)),
            }
        }
        Some(filled)
    }
}

/// Returns the name of the placeholder at the start of `text`, and the text after it.
fn placeholder(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.strip_prefix('{')?.split_once('}')?;
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.');
    (!name.is_empty() && name.chars().all(is_name)).then_some((name, after))
}

/// Returns the same for a placeholder that is followed by one more brace.
fn escaped(text: &str) -> Option<(&str, &str)> {
    let (name, after) = placeholder(text)?;
    Some((name, after.strip_prefix('}')?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_placeholder_is_a_name_in_braces_and_other_braces_stand_for_themselves() {
        let values: Values = serde_json::from_str(r#"{"a":"A","b_1":2,"gone":null}"#).unwrap();
        for (text, names, filled) in [
            ("", &[][..], Some("")),
            ("plain", &[], Some("plain")),
            ("{a}", &["a"], Some("<A>")),
            ("x{a}{b_1}y", &["a", "b_1"], Some("x<A><2>y")),
            ("{{a}}", &[], Some("{a}")),
            ("{{{a}}}", &[], Some("{{a}}")),
            ("{}", &[], Some("{}")),
            ("{ a }", &[], Some("{ a }")),
            ("{a: {b: 1}}", &[], Some("{a: {b: 1}}")),
            ("{a", &[], Some("{a")),
            ("{gone}", &["gone"], None),
            ("x{other}", &["other"], None),
        ] {
            let template = Template::parse(text);
            assert_eq!(template.names().collect::<Vec<_>>(), names, "{text}");
            assert_eq!(template.fill(&values, |value| format!("<{value}>")).as_deref(), filled, "{text}");
            assert_eq!(template.whole().is_some(), text == "{a}" || text == "{gone}", "{text}");
        }
    }
}
