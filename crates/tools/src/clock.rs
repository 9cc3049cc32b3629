//! A tool that returns the date and the time.

use std::sync::Arc;

use chrono::{DateTime, SecondsFormat, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use turnkit_core::ports::{self, BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolOutput};

use crate::{arguments, find_zone};

/// The tool `clock {timezone?}`. Its result is a JSON object with `weekday`, `date`, `time`, `timezone` and `iso`.
pub struct Clock {
    definition: ToolDefinition,
    clock: Arc<dyn ports::Clock>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ClockArguments {
    timezone: Option<String>,
}

#[derive(Serialize)]
struct Reading {
    weekday: String,
    date: String,
    time: String,
    timezone: &'static str,
    iso: String,
}

impl Clock {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "clock";

    /// Creates a tool that reads `clock`.
    pub fn new(clock: Arc<dyn ports::Clock>) -> Self {
        let description =
            "Tells the current weekday, date and time in a time zone; in UTC if none is given. Answers with JSON.";
        let schema = r#"{"type":"object","properties":{"timezone":{"type":"string","description":"IANA time zone such as Europe/Prague, or a city that has one, such as Prague"}},"additionalProperties":false}"#;
        Self { definition: arguments::read_only(Self::NAME, description, schema), clock }
    }

    fn read(&self, zone: Tz) -> Result<Reading, ToolError> {
        let utc = DateTime::<Utc>::from_timestamp_millis(self.clock.now().millis())
            .ok_or_else(|| ToolError::Failed("the clock is outside of the calendar".to_owned()))?;
        let now = utc.with_timezone(&zone);
        Ok(Reading {
            weekday: now.format("%A").to_string(),
            date: now.format("%Y-%m-%d").to_string(),
            time: now.format("%H:%M:%S").to_string(),
            timezone: zone.name(),
            iso: now.to_rfc3339_opts(SecondsFormat::Secs, true),
        })
    }
}

impl Tool for Clock {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let ClockArguments { timezone } = arguments::read(arguments)?;
            let zone = match timezone.as_deref().map(str::trim) {
                None | Some("") => Tz::UTC,
                Some(name) => find_zone(name).map_err(|error| ToolError::InvalidArguments(error.to_string()))?,
            };
            let reading = serde_json::to_string(&self.read(zone)?);
            reading.map(ToolOutput::from).map_err(|error| ToolError::Failed(error.to_string()))
        })
    }
}
