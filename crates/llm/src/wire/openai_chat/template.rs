//! Fast path for the chunks that make up nearly all of a stream.
//!
//! Such a chunk only adds text or arguments, and otherwise equals the one before it (except for the padding that OpenAI
//! sends to hide the length). So its bytes are compared with those of the previous chunk instead of being parsed.
//!
//! Parsing every chunk instead would cost nearly six times the instructions for a token decoded, and a quarter more for a
//! lone token from socket to frame; `cargo xtask costs` counts both.

use std::borrow::Cow;

use memchr::memmem;
use turnkit_core::PartKind;

/// The key of the padding.
const PADDING: &str = "\"obfuscation\":";

/// The target of a chunk that has no other effect than adding to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Adds {
    /// Text or reasoning.
    Text(PartKind),
    /// The arguments of the call with this index. The chunk neither names nor identifies the call.
    Arguments(Option<u64>),
}

/// The bytes around the text of the last parsed chunk.
#[derive(Debug, Clone, Default)]
pub(super) struct Template {
    known: Option<(Adds, String)>,
    after: String,
    /// The bytes after the padding, if there is padding.
    after_padding: Option<String>,
}

impl Template {
    /// Remembers a chunk whose only effect is to add `text`, a slice of `data` between quotes.
    pub(super) fn learn(&mut self, data: &str, adds: Adds, text: &str) {
        self.known = None;
        let Some(start) = (text.as_ptr() as usize).checked_sub(data.as_ptr() as usize) else { return };
        let (Some(before), Some(after)) = (data.get(..start), data.get(start + text.len()..)) else { return };
        let (Some(before), Some(after)) = (before.strip_suffix('"'), after.strip_prefix('"')) else { return };
        let padded = memmem::find(after.as_bytes(), PADDING.as_bytes()).map(|at| after.split_at(at + PADDING.len()));
        let (after, padding) = padded.unwrap_or((after, ""));
        let after_padding = string(padding.as_bytes()).and_then(|(_, after)| std::str::from_utf8(after).ok());
        self.after_padding = after_padding.map(ToOwned::to_owned);
        self.after.clear();
        self.after.push_str(after);
        self.known = Some((adds, before.to_owned()));
    }

    /// Returns the text that a chunk adds, if the rest of the chunk equals the remembered one.
    pub(super) fn text<'a>(&self, data: &'a [u8]) -> Option<(Adds, Cow<'a, str>)> {
        let (adds, before) = self.known.as_ref()?;
        let (text, rest) = string(data.strip_prefix(before.as_bytes())?)?;
        let rest = rest.strip_prefix(self.after.as_bytes())?;
        let rest = match &self.after_padding {
            None => rest,
            Some(after) => string(rest)?.1.strip_prefix(after.as_bytes())?,
        };
        (rest.is_empty() && !text.is_empty()).then_some((*adds, text))
    }
}

/// Parses the JSON string at the beginning. Returns its text and the bytes after it.
fn string(json: &[u8]) -> Option<(Cow<'_, str>, &[u8])> {
    let text = json.strip_prefix(b"\"")?;
    let end = text.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..b' '))?;
    let (plain, rest) = text.split_at_checked(end)?;
    match rest.split_first()? {
        (b'"', rest) => Some((std::str::from_utf8(plain).ok()?.into(), rest)),
        (b'\\', _) => escaped(json),
        _ => None,
    }
}

fn escaped(json: &[u8]) -> Option<(Cow<'_, str>, &[u8])> {
    let mut values = serde_json::Deserializer::from_slice(json).into_iter::<String>();
    let text = values.next()?.ok()?;
    Some((text.into(), json.get(values.byte_offset()..)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a template that has learned this chunk, which adds `hello`.
    fn learned(chunk: &str, adds: Adds) -> Template {
        let text = chunk.split('"').find(|word| *word == "hello").unwrap();
        let mut template = Template::default();
        assert_eq!(template.text(chunk.as_bytes()), None);
        template.learn(chunk, adds, text);
        template
    }

    #[test]
    fn only_the_text_and_the_padding_may_differ() {
        let adds = Adds::Text(PartKind::Text);
        for padding in ["", r#","obfuscation":"xyz""#] {
            let chunk = |text: &str, padding: &str| format!(r#"{{"id":"1","delta":{{"content":"{text}"}}{padding}}}"#);
            let template = learned(&chunk("hello", padding), adds);

            let other_padding = padding.replace("xyz", "0123456789");
            for (text, padding, added) in [
                ("世界", padding, "世界"),
                ("a", &*other_padding, "a"),
                (r"a\n\u00e9\\", padding, "a\né\\"),
                (r#"\"\ud83d\ude00\""#, padding, "\"😀\""),
            ] {
                let chunk = chunk(text, padding);
                assert_eq!(template.text(chunk.as_bytes()), Some((adds, added.into())), "{chunk}");
            }
            for different in [
                chunk("", padding),
                chunk(r"a\ud83d", padding),
                chunk(r"a\", padding),
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

    #[test]
    fn arguments_are_distinguished_from_text_and_from_other_calls() {
        let adds = Adds::Arguments(Some(0));
        let chunk =
            |index: u64, arguments: &str| format!(r#"{{"index":{index},"function":{{"arguments":"{arguments}"}}}}"#);
        let template = learned(&chunk(0, "hello"), adds);
        assert_eq!(template.text(chunk(0, r#"{\"a\":"#).as_bytes()), Some((adds, r#"{"a":"#.into())));
        assert_eq!(template.text(chunk(1, "17").as_bytes()), None);
    }
}
