//! Finds arithmetic in prose. Expressions are only located here; the calculator parses them again.

/// Spoken forms of operators, with the signs that the calculator reads.
const SPOKEN: [(&str, &str); 5] = [
    (" divided by ", " / "),
    (" multiplied by ", " * "),
    (" to the power of ", " ^ "),
    (" squared", "^2"),
    (" x ", " * "),
];

/// Words of a sentence that asks for a computation.
const ASKS: [&str; 7] = ["what", "how", "compute", "calculate", "evaluate", "solve", "please"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Function,
    Operator,
    Minus,
    Percent,
    Of,
    Open,
    Close,
    Comma,
    Other,
}

/// A token of the text: its kind and position.
#[derive(Debug, Clone, Copy)]
struct Piece {
    kind: Kind,
    start: usize,
    end: usize,
}

/// Returns the expressions in `message`, in order.
pub(super) fn expressions(message: &str) -> Vec<String> {
    let text = SPOKEN.iter().fold(message.to_lowercase(), |text, (spoken, sign)| text.replace(spoken, sign));
    sentences(&text).into_iter().flat_map(expressions_of).collect()
}

fn expressions_of(sentence: &str) -> Vec<String> {
    let pieces = pieces(sentence);
    let text = |run: &[Piece]| sentence.get(run.first()?.start..run.last()?.end);
    let is_meant = |run: &[Piece]| {
        !looks_like_prose(run, sentence)
            || is_asked(sentence)
            || text(run) == Some(sentence.trim().trim_end_matches(['.', '!']))
    };
    let runs = pieces.chunk_by(|left, right| left.kind.may_precede(right.kind)).filter_map(trimmed);
    runs.filter(|run| is_calculation(run) && is_meant(run)).filter_map(text).map(str::to_owned).collect()
}

/// Splits `text` into sentences and lines. A point inside a number does not end a sentence.
fn sentences(text: &str) -> Vec<&str> {
    let (mut sentences, mut start, mut end) = (Vec::new(), 0, 0);
    for word in text.split_inclusive(char::is_whitespace) {
        end += word.len();
        if word.ends_with('\n') || word.trim_end().ends_with(['.', '!', '?']) {
            sentences.extend(text.get(start..end));
            start = end;
        }
    }
    sentences.extend(text.get(start..));
    sentences
}

fn is_asked(sentence: &str) -> bool {
    let mut words = sentence.split(|c: char| !c.is_alphanumeric());
    sentence.contains(['?', '=']) || words.any(|word| ASKS.contains(&word))
}

/// Reports whether a run may be prose such as 24/7 or 3-4: only numbers with slashes and dashes, without spaces between
/// them.
fn looks_like_prose(run: &[Piece], sentence: &str) -> bool {
    let is_sign = |piece: &Piece| matches!(sentence.get(piece.start..piece.end), Some("/" | "-" | "−"));
    is_touching(run)
        && run.iter().all(|piece| matches!(piece.kind, Kind::Number | Kind::Open | Kind::Close) || is_sign(piece))
}

impl Kind {
    fn ends_value(self) -> bool {
        matches!(self, Self::Number | Self::Close | Self::Percent)
    }

    fn begins_value(self) -> bool {
        matches!(self, Self::Number | Self::Open | Self::Function | Self::Minus)
    }

    fn may_precede(self, next: Self) -> bool {
        match self {
            Self::Other => false,
            Self::Function => next == Self::Open,
            Self::Percent if matches!(next, Self::Of | Self::Number) => true,
            _ if self.ends_value() => {
                matches!(next, Self::Operator | Self::Minus | Self::Percent | Self::Close | Self::Comma)
            }
            _ => next.begins_value(),
        }
    }
}

fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut start, mut depth) = (0, 0usize);
    while let Some(rest) = text.get(start..).filter(|rest| !rest.is_empty()) {
        let (kind, length) = piece(rest);
        match kind {
            Some(Kind::Open) => depth += 1,
            Some(Kind::Close) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(kind) = kind {
            // A comma is part of an expression only among arguments.
            let kind = if kind == Kind::Comma && depth == 0 { Kind::Other } else { kind };
            pieces.push(Piece { kind, start, end: start + length });
        }
        start += length;
    }
    pieces
}

/// Returns the kind and the length of the first token of `rest`; white space has no kind.
fn piece(rest: &str) -> (Option<Kind>, usize) {
    let Some(first) = rest.chars().next() else { return (None, 0) };
    if first.is_ascii_digit() {
        return (Some(Kind::Number), number_length(rest));
    }
    if first.is_alphabetic() {
        let length = rest.find(|c: char| !c.is_alphanumeric()).unwrap_or(rest.len());
        return (Some(rest.get(..length).map_or(Kind::Other, word)), length);
    }
    let kind = match first {
        c if c.is_whitespace() => None,
        '+' | '*' | '/' | '^' | '×' | '÷' | '·' => Some(Kind::Operator),
        '-' | '−' => Some(Kind::Minus),
        '%' => Some(Kind::Percent),
        '(' => Some(Kind::Open),
        ')' => Some(Kind::Close),
        ',' => Some(Kind::Comma),
        _ => Some(Kind::Other),
    };
    (kind, first.len_utf8())
}

fn word(word: &str) -> Kind {
    match word {
        "plus" | "times" | "mod" => Kind::Operator,
        "minus" => Kind::Minus,
        "percent" => Kind::Percent,
        "of" => Kind::Of,
        "pi" => Kind::Number,
        "sqrt" | "abs" | "round" | "floor" | "ceil" | "min" | "max" | "sum" | "avg" | "ln" | "log" | "exp" => {
            Kind::Function
        }
        _ => Kind::Other,
    }
}

/// Returns the length of a number: digits, and points and commas between digits.
fn number_length(rest: &str) -> usize {
    let bytes = rest.as_bytes();
    let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let mut length = 0;
    while is_digit(length) || (matches!(bytes.get(length), Some(b'.' | b',')) && is_digit(length + 1)) {
        length += 1;
    }
    length
}

/// Strips tokens that cannot stand at the ends of an expression, such as a leading dash or the parentheses around the
/// sentence.
fn trimmed(mut run: &[Piece]) -> Option<&[Piece]> {
    loop {
        let (first, last) = (run.first()?, run.last()?);
        let surplus = count(run, Kind::Open).cmp(&count(run, Kind::Close));
        let dash = first.kind == Kind::Minus && run.get(1).is_none_or(|next| next.start > first.end);
        run = if !first.kind.begins_value() || dash || (first.kind == Kind::Open && surplus.is_gt()) {
            run.get(1..)?
        } else if !last.kind.ends_value() || (last.kind == Kind::Close && surplus.is_lt()) {
            run.get(..run.len() - 1)?
        } else {
            return surplus.is_eq().then_some(run);
        };
    }
}

/// Reports whether there is something to compute: a function, or two numbers that are not part of a date.
fn is_calculation(run: &[Piece]) -> bool {
    let is_date = run.len() == 5 && count(run, Kind::Number) == 3 && is_touching(run) && {
        let signs: Vec<Kind> = run.iter().map(|piece| piece.kind).filter(|kind| *kind != Kind::Number).collect();
        signs == [Kind::Minus; 2]
    };
    let alone = run.iter().all(|piece| matches!(piece.kind, Kind::Number | Kind::Comma | Kind::Open | Kind::Close));
    (count(run, Kind::Number) >= 2 && !alone && !is_date) || count(run, Kind::Function) > 0
}

fn count(run: &[Piece], kind: Kind) -> usize {
    run.iter().filter(|piece| piece.kind == kind).count()
}

/// Reports whether the run has no white space.
fn is_touching(run: &[Piece]) -> bool {
    run.windows(2).all(|pair| matches!(pair, [a, b] if a.end == b.start))
}
