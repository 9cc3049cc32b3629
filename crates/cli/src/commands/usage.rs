//! `turnkit usage`: token usage and its cost.

use std::process::ExitCode;

use serde_json::json;
use turnkit_server::{UsageReport, UsageRow};

use crate::args::{Place, Usage};
use crate::data::Data;
use crate::failure::Failure;
use crate::query::UsageQuery;
use crate::terminal::{counted, line, remark};

pub(crate) async fn run(place: &Place, usage: &Usage) -> Result<ExitCode, Failure> {
    let wanted = UsageQuery::new(usage.from, usage.to, &usage.by)?;
    let report = match Data::open(place, usage.server.as_deref())? {
        Some(data) => data.usage(&wanted).await?,
        None => wanted.nothing(),
    };
    if usage.json {
        print(&json!(report).to_string())?;
    } else {
        print_report(&report)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn print_report(report: &UsageReport) -> Result<(), Failure> {
    if report.data.is_empty() {
        remark(&format!("no model calls from {} to {}", report.from, report.to));
        return Ok(());
    }
    for row in &report.data {
        print(&shown(&names(row), row))?;
    }
    if report.data.len() > 1 {
        print(&shown("total", &report.total))?;
    }
    Ok(())
}

/// Returns the group that the row is about, in words.
fn names(row: &UsageRow) -> String {
    let UsageRow { day, user, agent, provider, model, .. } = row;
    let day = day.map(|day| day.to_string());
    let words = [user, agent, provider, model].into_iter().flatten().map(ToString::to_string);
    day.into_iter().chain(words).collect::<Vec<_>>().join("  ")
}

fn shown(name: &str, row: &UsageRow) -> String {
    let UsageRow { calls, usage, cost, .. } = row;
    let input = usage.fresh.saturating_add(usage.cache_read).saturating_add(usage.cache_write);
    let unknown = match cost.unpriced_calls {
        0 => String::new(),
        calls => format!(" and {} of unknown cost", counted(calls, "call")),
    };
    let (calls, input) = (counted(*calls, "call"), counted(input, "token"));
    format!("{name}  {calls}  {input} in  {} out  {cost}{unknown}", usage.output)
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
