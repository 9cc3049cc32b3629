//! Sentences for the user.

use serde::Deserialize;
use turnkit_core::{ToolCall, ToolResult};

use super::plan::{Moment, Wish};

/// Tells the user how to configure a model, in one sentence.
pub(super) const NO_MODEL: &str =
    "No model is configured: set a key such as OPENAI_API_KEY, or add [[providers]] to turnkit.toml, and start again.";
/// Maximum length of the repeated part of a message, in characters.
const QUOTED_CHARS: usize = 200;
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Describes the tool results, one sentence for each call, and the wishes that no tool could answer, one sentence each.
pub(super) fn results(results: &[(&ToolCall, &ToolResult)], wishes: &[Wish]) -> String {
    let is_of = |wish: &Wish, call: &ToolCall| wish.tool() == call.name && wish.arguments() == call.arguments.0;
    let outcomes = results.iter().map(|(call, result)| {
        let wish = wishes.iter().find(|wish| is_of(wish, call));
        sentence(wish, result)
    });
    let open = wishes.iter().filter(|wish| !results.iter().any(|(call, _)| is_of(wish, call)));
    let open = open.map(|wish| format!("I have no tool to {}.", goal(wish)));
    outcomes.chain(open).collect::<Vec<_>>().join(" ")
}

/// Repeats the message or its wishes, and explains why there is no further answer.
pub(super) fn echo(said: &str, wishes: &[&Wish]) -> String {
    let understood = if wishes.is_empty() {
        let mut quoted: String = said.chars().take(QUOTED_CHARS).collect();
        if quoted.len() < said.len() {
            quoted.push('…');
        }
        if quoted.trim().is_empty() { "You said nothing.".to_owned() } else { format!("You said: \"{quoted}\".") }
    } else {
        let goals: Vec<_> = wishes.iter().map(|wish| goal(wish)).collect();
        format!("You want me to {}, but I have no tool for it here.", goals.join(" and to "))
    };
    format!("{understood} {NO_MODEL}")
}

fn goal(wish: &Wish) -> String {
    match wish {
        Wish::Value(expression) => format!("compute {expression}"),
        Wish::Moment(Moment { date: true, .. }) => "tell the date".to_owned(),
        Wish::Moment(_) => "tell the time".to_owned(),
    }
}

fn sentence(wish: Option<&Wish>, result: &ToolResult) -> String {
    let content = result.content.trim();
    match wish {
        Some(wish) if !result.ok => format!("I could not {}: {content}.", goal(wish)),
        Some(Wish::Value(expression)) => format!("{expression} is {content}."),
        Some(Wish::Moment(wanted)) => moment(wanted, content).unwrap_or_else(|| format!("The clock says: {content}")),
        None if result.ok => format!("{} says: {content}", result.name),
        None => format!("{} failed: {content}", result.name),
    }
}

/// The result of the tool `clock`.
#[derive(Deserialize)]
struct Reading {
    weekday: String,
    date: String,
    time: String,
    timezone: String,
}

fn moment(wanted: &Moment, content: &str) -> Option<String> {
    let Reading { weekday, date, time, timezone } = serde_json::from_str(content).ok()?;
    let day = format!("{weekday}, {}", long_date(&date)?);
    let time = time.get(..5)?;
    let place = wanted.place.as_ref().map_or_else(|| timezone.clone(), |_| format!("in {timezone}"));
    Some(match wanted {
        Moment { date: true, time: true, .. } => format!("It is {day}, {time} {place}."),
        Moment { time: true, .. } => format!("It is {time} {place}."),
        Moment { place: Some(_), .. } => format!("It is {day} {place}."),
        Moment { place: None, .. } => format!("Today is {day}."),
    })
}

/// Converts `2026-11-21` to `21 November 2026`.
fn long_date(date: &str) -> Option<String> {
    let mut numbers = date.splitn(3, '-');
    let (year, month, day) = (numbers.next()?, numbers.next()?, numbers.next()?);
    let month: usize = month.parse().ok()?;
    let day: u8 = day.parse().ok()?;
    Some(format!("{day} {} {year}", MONTHS.get(month.checked_sub(1)?)?))
}
