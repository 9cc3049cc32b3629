//! The short way for the chunks that make up nearly all of a stream.
//!
//! Such a chunk only adds text, and differs from the one before it in nothing but that text (and in the padding OpenAI
//! sends to hide its length). Comparing bytes costs a tenth of parsing them.

use turnkit_core::PartKind;

/// The key of the padding.
const PADDING: &str = "\"obfuscation\":\"";

/// What surrounds the text of the chunk that was parsed last.
#[derive(Debug, Clone, Default)]
pub(super) struct Template {
    known: Option<(PartKind, String)>,
    after: String,
    /// What follows the padding, where there is one; `after` then ends with its opening quote.
    after_padding: Option<String>,
}

impl Template {
    /// Remembers a chunk that does nothing but add `text`, a slice of `data` between quotes.
    pub(super) fn learn(&mut self, data: &str, kind: PartKind, text: &str) {
        self.known = None;
        let Some(start) = (text.as_ptr() as usize).checked_sub(data.as_ptr() as usize) else { return };
        let (Some(before), Some(after)) = (data.get(..start), data.get(start + text.len()..)) else { return };
        if !before.ends_with('"') || !after.starts_with('"') {
            return;
        }
        let padded = after.find(PADDING).map(|at| after.split_at(at + PADDING.len()));
        let (after, padding) = padded.unwrap_or((after, ""));
        self.after_padding = padding.find('"').map(|end| padding[end..].to_owned());
        self.after.clear();
        self.after.push_str(after);
        self.known = Some((kind, before.to_owned()));
    }

    /// The text a chunk adds, if the chunk is otherwise the remembered one.
    pub(super) fn text<'a>(&self, data: &'a [u8]) -> Option<(PartKind, &'a str)> {
        let (kind, before) = self.known.as_ref()?;
        let (text, rest) = plain_text(data.strip_prefix(before.as_bytes())?)?;
        let rest = rest.strip_prefix(self.after.as_bytes())?;
        let rest = match &self.after_padding {
            None => rest,
            Some(after) => plain_text(rest)?.1.strip_prefix(after.as_bytes())?,
        };
        (rest.is_empty() && !text.is_empty()).then_some((*kind, text))
    }
}

/// The rest of a JSON string up to its closing quote, and what follows from that quote on, if nothing in it is escaped.
fn plain_text(text: &[u8]) -> Option<(&str, &[u8])> {
    let end = text.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))?;
    let (plain, rest) = text.split_at_checked(end)?;
    rest.starts_with(b"\"").then_some((std::str::from_utf8(plain).ok()?, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_text_and_the_padding_may_differ() {
        for padding in ["", r#","obfuscation":"xyz""#] {
            let chunk = |text: &str, padding: &str| format!(r#"{{"id":"1","delta":{{"content":"{text}"}}{padding}}}"#);
            let learned = chunk("hello", padding);
            let text = learned.split('"').find(|word| *word == "hello").unwrap();
            let mut template = Template::default();
            assert_eq!(template.text(learned.as_bytes()), None);
            template.learn(&learned, PartKind::Text, text);

            assert_eq!(template.text(chunk("世界", padding).as_bytes()), Some((PartKind::Text, "世界")));
            let other_padding = padding.replace("xyz", "0123456789");
            assert_eq!(template.text(chunk("a", &other_padding).as_bytes()), Some((PartKind::Text, "a")));
            for different in [
                chunk("", padding),
                chunk(r"a\n", padding),
                chunk("a\nb", padding),
                chunk(r#"a","finish_reason":"stop"#, padding),
                chunk("a", padding) + " ",
                chunk("a", padding).replace("\"1\"", "\"2\""),
                chunk("a", r#","usage":{}"#),
                chunk("a", r#","obfuscation":"x","usage":{}"#),
                String::new(),
            ] {
                assert_eq!(template.text(different.as_bytes()), None, "{different}");
            }
        }
    }
}
