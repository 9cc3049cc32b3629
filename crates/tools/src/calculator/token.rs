//! Splits an expression into tokens.

use rust_decimal::Decimal;

use super::{CalculationError, MAX_CHARS, Problem};

/// A token and the index of its first character.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) at: usize,
}

/// The kind of a token.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Kind {
    /// A number; `grouped` if commas group its thousands.
    Number {
        value: Decimal,
        grouped: bool,
    },
    /// A function or constant, in lower case.
    Name(String),
    Plus,
    Minus,
    Times,
    Over,
    /// A percentage or a remainder, which the parser distinguishes.
    Percent,
    Mod,
    Power,
    Open,
    Close,
    Comma,
    End,
}

impl Kind {
    /// Reports whether this token may start a value. Signs do not count.
    pub(crate) fn begins_value(&self) -> bool {
        matches!(self, Self::Number { .. } | Self::Name(_) | Self::Open)
    }
}

/// Returns all tokens of `expression`, ending with [`Kind::End`].
pub(crate) fn tokens(expression: &str) -> Result<Vec<Token>, CalculationError> {
    let chars: Vec<char> = expression.chars().take(MAX_CHARS + 1).collect();
    if chars.len() > MAX_CHARS {
        return Err(Problem::TooLong.at(MAX_CHARS));
    }
    let mut tokens = Vec::new();
    let mut rest = chars.as_slice();
    while let Some(&first) = rest.first() {
        let at = chars.len() - rest.len();
        let (kind, length) = match first {
            c if c.is_whitespace() => {
                rest = &rest[1..];
                continue;
            }
            '0'..='9' | '.' => number(rest).map_err(|problem| problem.at(at))?,
            c if c.is_alphabetic() => name(rest),
            '*' if rest.starts_with(&['*', '*']) => (Kind::Power, 2),
            _ => (sign(first).ok_or_else(|| Problem::Unexpected(first.to_string()).at(at))?, 1),
        };
        tokens.push(Token { kind, at });
        rest = rest.get(length..).unwrap_or_default();
    }
    tokens.push(Token { kind: Kind::End, at: chars.len() });
    Ok(tokens)
}

fn sign(c: char) -> Option<Kind> {
    Some(match c {
        '+' => Kind::Plus,
        '-' | '−' | '–' => Kind::Minus,
        '*' | '×' | '·' => Kind::Times,
        '/' | '÷' => Kind::Over,
        '%' => Kind::Percent,
        '^' => Kind::Power,
        '(' => Kind::Open,
        ')' => Kind::Close,
        ',' => Kind::Comma,
        _ => return None,
    })
}

fn name(rest: &[char]) -> (Kind, usize) {
    let length = rest.iter().take_while(|c| c.is_alphanumeric() || **c == '_').count();
    let word: String = rest.iter().take(length).flat_map(|c| c.to_lowercase()).collect();
    let kind = match word.as_str() {
        "of" | "times" => Kind::Times,
        "plus" => Kind::Plus,
        "minus" => Kind::Minus,
        "percent" => Kind::Percent,
        "mod" => Kind::Mod,
        _ => Kind::Name(word),
    };
    (kind, length)
}

/// Reads the number at the start of `rest`: digits, which may be grouped, a fraction and an exponent. Returns the token
/// and its length.
fn number(rest: &[char]) -> Result<(Kind, usize), Problem> {
    let mut length = digits(rest);
    let mut grouped = false;
    if (1..=3).contains(&length) {
        while is_group(&rest[length..]) {
            length += 4;
            grouped = true;
        }
    }
    if rest.get(length) == Some(&'.') {
        length += 1 + digits(&rest[length + 1..]);
    }
    let mantissa_end = length;
    length += exponent(&rest[length..]);

    let written: String = rest[..length].iter().filter(|c| **c != ',').collect();
    if !rest[..mantissa_end].iter().any(char::is_ascii_digit) {
        return Err(Problem::Unexpected(".".to_owned()));
    }
    let value =
        if length > mantissa_end { Decimal::from_scientific(&written) } else { Decimal::from_str_exact(&written) };
    let value = value.map_err(|_| Problem::TooManyDigits)?;
    Ok((Kind::Number { value, grouped }, length))
}

fn digits(rest: &[char]) -> usize {
    rest.iter().take_while(|c| c.is_ascii_digit()).count()
}

/// Reports whether `rest` starts with a comma and exactly three digits.
fn is_group(rest: &[char]) -> bool {
    rest.first() == Some(&',') && digits(&rest[1..]) == 3
}

/// Returns the length of an exponent such as `e-3`. Returns zero for a lone `e`, which is a constant.
fn exponent(rest: &[char]) -> usize {
    if !matches!(rest.first(), Some('e' | 'E')) {
        return 0;
    }
    let sign = usize::from(matches!(rest.get(1), Some('+' | '-')));
    match digits(&rest[1 + sign..]) {
        0 => 0,
        length => 1 + sign + length,
    }
}
