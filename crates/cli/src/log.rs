//! Structured logs, on standard error.

use std::fmt;
use std::panic::{self, PanicHookInfo};

use tracing_appender::non_blocking::WorkerGuard;
use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::time::FormatTime;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use turnkit_core::ports::Clock as _;
use turnkit_engine::SystemClock;

use crate::config::{LogConfig, LogFormat, LogLevel};

/// Starts the log of a command that a person runs. It contains only errors unless `-v` asks for more, so that no
/// failure is silent and nothing unrequested is shown.
pub(crate) fn for_a_person(verbose: u8) {
    start(LogFormat::Text, raised(LogLevel::Error, verbose.saturating_mul(2)), std::io::stderr);
}

/// Starts the log of a server, as configured. A panic is a log line like any other, so readers of the log need no
/// second format.
///
/// A separate thread writes the lines, so that no request waits for a reader of standard error. Lines that do not fit
/// into the thread's queue are dropped. Dropping the guard writes the queued lines.
pub(crate) fn for_a_server(config: &LogConfig, verbose: u8) -> WorkerGuard {
    let (writer, guard) = tracing_appender::non_blocking(std::io::stderr());
    start(config.format, raised(config.level, verbose), writer);
    panic::set_hook(Box::new(panicked));
    guard
}

fn panicked(panic: &PanicHookInfo<'_>) {
    let place = panic.location().map(ToString::to_string).unwrap_or_default();
    let said = panic.payload_as_str().unwrap_or("no text");
    tracing::error!(place, panic = ?said, "panicked");
}

/// Returns the level that `-v`, given `by` times, makes of a configured level.
fn raised(level: LogLevel, by: u8) -> LevelFilter {
    const LEVELS: [LevelFilter; 5] =
        [LevelFilter::ERROR, LevelFilter::WARN, LevelFilter::INFO, LevelFilter::DEBUG, LevelFilter::TRACE];
    let configured = match level {
        LogLevel::Error => 0,
        LogLevel::Warn => 1,
        LogLevel::Info => 2,
        LogLevel::Debug => 3,
    };
    LEVELS.get(configured + usize::from(by)).copied().unwrap_or(LevelFilter::TRACE)
}

/// Formats times as the API does.
struct ApiTime;

impl FormatTime for ApiTime {
    fn format_time(&self, line: &mut Writer<'_>) -> fmt::Result {
        write!(line, "{}", SystemClock.now())
    }
}

fn start<W: for<'a> MakeWriter<'a> + Send + Sync + 'static>(format: LogFormat, level: LevelFilter, writer: W) {
    let lines = tracing_subscriber::fmt().with_timer(ApiTime).with_max_level(level).with_writer(writer);
    match format {
        LogFormat::Text => lines.finish().with(logged(level)).init(),
        LogFormat::Json => lines.json().flatten_event(true).finish().with(logged(level)).init(),
    }
}

/// Selects the lines up to this level, without those of the library that speaks with MCP servers: it logs what servers
/// send, unbounded and with the credentials in it. `turnkit-mcp` reports its failures.
fn logged(level: LevelFilter) -> Targets {
    Targets::new().with_default(level).with_target("rmcp", LevelFilter::OFF)
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::panic::catch_unwind;
    use std::sync::{Arc, Mutex};

    use serde_json::Value;
    use tracing::subscriber::with_default;

    use super::*;

    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn messages_of_servers_are_not_logged_by_the_library_that_reads_them() {
        let log = Log::default();
        let into = log.clone();
        let subscriber = tracing_subscriber::fmt().with_max_level(LevelFilter::TRACE).with_writer(move || into.clone());
        with_default(subscriber.finish().with(logged(LevelFilter::TRACE)), || {
            tracing::error!(target: "rmcp::service", "a message");
            tracing::trace!("a line of turnkit");
        });
        let written = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        assert!(written.contains("a line of turnkit") && !written.contains("a message"), "{written}");
    }

    #[test]
    fn a_panic_is_one_line_with_its_location_and_reason() {
        let log = Log::default();
        let into = log.clone();
        let subscriber = tracing_subscriber::fmt().json().flatten_event(true).with_writer(move || into.clone());
        let usual = panic::take_hook();
        panic::set_hook(Box::new(panicked));
        let outcome = with_default(subscriber.finish(), || catch_unwind(|| panic!("two\nlines")));
        panic::set_hook(usual);
        assert!(outcome.is_err());
        let written = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let line: Value = serde_json::from_str(&written).unwrap();
        assert_eq!(line["message"], "panicked");
        assert_eq!(line["panic"], r#""two\nlines""#);
        assert!(line["place"].as_str().unwrap().contains("log.rs:"), "{line}");
    }
}
