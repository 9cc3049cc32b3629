//! Structured logs, on standard error.

use tracing_subscriber::filter::LevelFilter;

use crate::config::{LogConfig, LogFormat, LogLevel};

/// Logs of a command a person runs. Unless asked for they hold errors only: a person sees nothing they did not ask for,
/// and no failure is silent.
pub(crate) fn for_a_person(verbose: u8) {
    start(LogFormat::Text, raised(LogLevel::Error, verbose.saturating_mul(2)));
}

/// Logs of a server, as configured.
pub(crate) fn for_a_server(config: &LogConfig, verbose: u8) {
    start(config.format, raised(config.level, verbose));
}

/// A level and what `-v` adds to it.
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

fn start(format: LogFormat, level: LevelFilter) {
    let lines = tracing_subscriber::fmt().with_max_level(level).with_writer(std::io::stderr);
    match format {
        LogFormat::Text => lines.init(),
        LogFormat::Json => lines.json().flatten_event(true).init(),
    }
}
