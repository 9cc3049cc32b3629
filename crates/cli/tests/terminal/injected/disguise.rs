//! Disguises that hide a text from people but not from a model.

/// The encoding of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Disguise {
    Plain,
    /// In a comment of a page.
    Comment,
    /// In an element that browsers do not show.
    Unseen,
    /// In a JSON string.
    Quoted,
    Percent,
    /// With a zero-width character after each character.
    ZeroWidth,
    Backwards,
    Rotated,
}

impl Disguise {
    pub(super) fn put_on(self, text: &str) -> String {
        match self {
            Self::Plain => format!("Important: {text}"),
            Self::Comment => format!("<!-- {text} -->"),
            Self::Unseen => format!("<div style=\"display:none;font-size:0\" aria-hidden=\"true\">{text}</div>"),
            Self::Quoted => serde_json::json!({ "headline": "Rain", "note": text }).to_string(),
            Self::Percent => text.bytes().map(|byte| format!("%{byte:02X}")).collect(),
            Self::ZeroWidth => text.chars().flat_map(|c| [c, ZERO_WIDTH]).collect(),
            Self::Backwards => text.chars().rev().collect(),
            Self::Rotated => rotated(text),
        }
    }
}

const ZERO_WIDTH: char = '\u{200b}';

/// Returns all possible readings of a text, the plainest first.
pub(super) fn readings(text: &str) -> Vec<String> {
    let unquoted = text.replace("\\\"", "\"").replace("\\\\", "\\");
    [text, &unquoted]
        .iter()
        .flat_map(|text| {
            let shown = text.replace(ZERO_WIDTH, "");
            let backwards = text.chars().rev().collect();
            [(*text).to_owned(), shown, percent_decoded(text), backwards, rotated(text)]
        })
        .collect()
}

fn rotated(text: &str) -> String {
    let rotate = |c: char, first: u8| char::from((c as u8 - first + 13) % 26 + first);
    let letter = |c: char| match c {
        'a'..='z' => rotate(c, b'a'),
        'A'..='Z' => rotate(c, b'A'),
        c => c,
    };
    text.chars().map(letter).collect()
}

fn percent_decoded(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut decoded = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let byte = piece.get(..2).and_then(|digits| u8::from_str_radix(digits, 16).ok());
        match byte {
            Some(byte) => {
                decoded.push(char::from(byte));
                decoded.push_str(&piece[2..]);
            }
            None => {
                decoded.push('%');
                decoded.push_str(piece);
            }
        }
    }
    decoded
}
