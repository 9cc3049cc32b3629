//! A documentation page with its examples and their expected output.

use std::path::{Path, PathBuf};

/// The server address in the documentation.
pub(crate) const ADDRESS: &str = "http://127.0.0.1:8787";

pub(crate) struct Page {
    path: PathBuf,
    text: String,
    pub(crate) examples: Vec<Example>,
}

/// An `sh` block with a request to the server, and the block of output after it.
pub(crate) struct Example {
    pub(crate) script: String,
    pub(crate) output: String,
    /// The location of the output in the page, or where a missing output belongs.
    place: std::ops::Range<usize>,
}

impl Page {
    pub(crate) fn read(path: &str) -> Self {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
        let text = std::fs::read_to_string(&path).unwrap();
        let examples = examples(&text);
        Self { path, text, examples }
    }

    pub(crate) fn scripts(&self) -> Vec<&str> {
        self.examples.iter().map(|example| example.script.as_str()).collect()
    }

    /// Returns the first `toml` block: the configuration of the server that the examples need.
    pub(crate) fn configuration(&self) -> &str {
        let block = self.text.split("```toml\n").nth(1).unwrap_or_default();
        block.split("```\n").next().unwrap_or_default()
    }

    /// Writes the actual output into the page.
    pub(crate) fn renew(&mut self, printed: &[String]) {
        for (example, printed) in self.examples.iter().zip(printed).rev() {
            let block = format!("```text\n{}\n```\n", printed.trim_end());
            let block = if example.place.is_empty() { format!("\n{block}") } else { block };
            self.text.replace_range(example.place.clone(), &block);
        }
        std::fs::write(&self.path, &self.text).unwrap();
    }
}

fn examples(text: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut from = 0;
    while let Some(start) = text[from..].find("```sh\n").map(|at| from + at + "```sh\n".len()) {
        let end = start + text[start..].find("```\n").unwrap();
        let after = end + "```\n".len();
        from = after;
        let script = text[start..end].to_owned();
        if !script.contains(ADDRESS) {
            continue;
        }
        let (output, place) = match text[after..].strip_prefix("\n```text\n") {
            Some(rest) => {
                let output = &rest[..rest.find("```\n").unwrap()];
                (output.to_owned(), after + 1..after + "\n```text\n".len() + output.len() + "```\n".len())
            }
            None => (String::new(), after..after),
        };
        examples.push(Example { script, output, place });
    }
    examples
}

/// Returns `text` without the parts that differ from run to run.
pub(crate) fn comparable(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.trim();
    while let Some(first) = rest.chars().next() {
        let (shown, length) = match (uuid(rest), trace(rest), moment(rest), milliseconds(rest)) {
            (true, ..) => ("ID", 36),
            (_, true, ..) => ("\"trace_id\":\"ID", "\"trace_id\":\"".len() + 32),
            (_, _, true, _) => ("TIME", 24),
            (.., Some(digits)) => ("\"ms\":N", digits),
            _ => {
                out.push(first);
                rest = &rest[first.len_utf8()..];
                continue;
            }
        };
        out.push_str(shown);
        rest = &rest[length..];
    }
    out
}

fn has_shape(text: &str, shape: &str) -> bool {
    text.len() >= shape.len()
        && text.bytes().zip(shape.bytes()).all(|(byte, wanted)| match wanted {
            b'x' => byte.is_ascii_hexdigit(),
            b'9' => byte.is_ascii_digit(),
            _ => byte == wanted,
        })
}

fn uuid(text: &str) -> bool {
    has_shape(text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
}

fn trace(text: &str) -> bool {
    has_shape(text, "\"trace_id\":\"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\"")
}

fn moment(text: &str) -> bool {
    has_shape(text, "9999-99-99T99:99:99.999Z")
}

/// Returns the length of a duration in the text.
fn milliseconds(text: &str) -> Option<usize> {
    let name = ["\"ms\":", "\"first_ms\":"].into_iter().find(|name| text.starts_with(name))?;
    let digits = text[name.len()..].bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0).then_some(name.len() + digits)
}
