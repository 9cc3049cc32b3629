//! Extracts the user's wishes from a message by rules.

use serde_json::json;

use super::arithmetic;

/// Maximum number of calls in one answer.
const MAX_WISHES: usize = 8;
/// Maximum length of the part of a message that is examined, in characters.
const MAX_CHARS: usize = 4_000;

const ASKS_DATE: [&str; 8] = [
    " what day ",
    " which day ",
    " what date ",
    " which date ",
    " the date ",
    " current date ",
    " today ",
    " weekday ",
];
const ASKS_TIME: [&str; 6] = [" what time ", " the time ", " current time ", " time is it ", " time in ", " time now "];
/// Words that end a place name.
const AFTER_PLACE: [&str; 9] = ["and", "or", "right", "now", "please", "today", "at", "is", "when"];
/// Words that cannot begin the name of a place with a time zone.
const NOT_A_PLACE: [&str; 8] = ["the", "a", "an", "my", "our", "your", "this", "that"];

/// A request that a tool could answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Wish {
    /// The value of an expression.
    Value(String),
    /// A date or time.
    Moment(Moment),
}

/// Whether the date or the time is wanted, and the place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Moment {
    pub(super) date: bool,
    pub(super) time: bool,
    pub(super) place: Option<String>,
}

impl Wish {
    /// Returns the tool that can answer.
    pub(super) fn tool(&self) -> &'static str {
        match self {
            Self::Value(_) => "calculator",
            Self::Moment(_) => "clock",
        }
    }

    /// Returns the arguments of the tool call, as JSON.
    pub(super) fn arguments(&self) -> String {
        match self {
            Self::Value(expression) => json!({ "expression": expression }),
            Self::Moment(Moment { place: Some(place), .. }) => json!({ "timezone": place }),
            Self::Moment(_) => json!({}),
        }
        .to_string()
    }
}

/// Returns the wishes in `message`: values first, then moments.
pub(super) fn wishes(message: &str) -> Vec<Wish> {
    let message: String = message.chars().take(MAX_CHARS).collect();
    let values = arithmetic::expressions(&message).into_iter().map(Wish::Value);
    let mut wishes: Vec<Wish> = Vec::new();
    for wish in values.chain(moments(&message).into_iter().map(Wish::Moment)).take(MAX_WISHES) {
        if !wishes.contains(&wish) {
            wishes.push(wish);
        }
    }
    wishes
}

/// Returns the requested moments, one for each place.
fn moments(message: &str) -> Vec<Moment> {
    let mut moments: Vec<Moment> = Vec::new();
    for clause in message.split(['.', ',', ';', ':', '!', '?', '\n']) {
        let Some(moment) = moment(clause) else { continue };
        match moments.iter_mut().find(|known| known.place == moment.place) {
            Some(known) => {
                known.date |= moment.date;
                known.time |= moment.time;
            }
            None => moments.push(moment),
        }
    }
    moments
}

fn moment(clause: &str) -> Option<Moment> {
    let words: Vec<&str> = clause.split_whitespace().collect();
    let plain = format!(" {} ", words.join(" ").to_lowercase().replace("today's", "today"));
    let says = |phrases: &[&str]| phrases.iter().any(|phrase| plain.contains(phrase));
    let (date, time) = (says(&ASKS_DATE), says(&ASKS_TIME));
    (date || time).then(|| Moment { date, time, place: place(&words) })
}

/// Returns the place after the last "in" of a clause.
fn place(words: &[&str]) -> Option<String> {
    let is = |word: &str, list: &[&str]| list.iter().any(|known| known.eq_ignore_ascii_case(word));
    let after = words.iter().rposition(|word| word.eq_ignore_ascii_case("in"))? + 1;
    let name: Vec<&str> =
        words.iter().skip(after).copied().take_while(|word| !is(word, &AFTER_PLACE)).take(3).collect();
    let first = name.first()?;
    (!is(first, &NOT_A_PLACE)).then(|| name.join(" ").trim_matches(['"', '\'', '(', ')']).to_owned())
}
