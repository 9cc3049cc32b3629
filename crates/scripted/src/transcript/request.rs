//! Selects the wire format of a request by its path.

use serde_json::Value;

use super::{Violation, check_chat_completions, check_generate_content, check_messages, check_responses};

/// A check of a request body.
pub type Check = fn(&Value) -> Result<(), Vec<Violation>>;

/// Returns the check for a request posted to `path`, which includes the query. Returns `None` for a path at which no
/// wire format requests a streamed answer.
pub fn check_for(path: &str) -> Option<Check> {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let checks: [(&str, Check); 5] = [
        ("/chat/completions", check_chat_completions),
        ("/responses", check_responses),
        ("/messages", check_messages),
        (":streamRawPredict", check_messages),
        (":streamGenerateContent", check_generate_content),
    ];
    let (end, check) = checks.into_iter().find(|(end, _)| path.ends_with(end))?;
    // Without `alt=sse` the answer would be a list instead of events.
    (end != ":streamGenerateContent" || query.split('&').any(|pair| pair == "alt=sse")).then_some(check)
}
