//! A model that obeys the newest text.

use serde_json::Value;
use turnkit_testkit::{Received, Response};

use super::disguise::readings;

/// The instructions of agents whose model only repeats what it reads.
pub(super) const REPEATS: &str = "Repeat what you read.";
/// The message with which the user continues a session.
pub(super) const CONTINUE: &str = "Go on.";
/// The beginning of a message with which the user has the model read the description of a tool.
pub(super) const READ_ABOUT: &str = "Read about the tool ";
/// Placeholder for the id of the result that was shortened last.
pub(super) const ID_OF_RESULT: &str = "ID-OF-RESULT";

/// Calls with name and arguments: a list per answer.
type Orders = Vec<Vec<(String, String)>>;

/// Responds to a request. The model's actions are determined by the messages in the request alone:
///
/// - `now call NAME with {…}` in the last message, from the user or a tool, is done at once. ` and call …` adds a call
///   to the same answer, ` then call …` to the next one.
/// - `later call NAME with {…}` in any message is done when the user sends the message to continue.
/// - `now call NAME with {…}` in the description of a tool is done when the user has the model read about the tool.
pub(super) fn obey(request: &Received) -> Response {
    let request = request.json();
    let messages: Vec<Message> = request["messages"].as_array().unwrap().iter().map(Message::of).collect();
    let asked = messages.iter().rposition(|message| message.role == "user").unwrap();
    let (newest, last) = (&messages[asked].text, messages.last().unwrap());
    if newest.starts_with("Summarise this conversation") {
        return Response::text(&summary(&messages));
    }
    if messages[0].text.contains(REPEATS) && last.role == "tool" {
        return Response::text(&last.text);
    }
    let (begun, orders) = if newest == CONTINUE {
        (asked, messages.iter().rev().find_map(|message| orders("later", &message.text)))
    } else if let Some(tool) = newest.strip_prefix(READ_ABOUT) {
        (asked, orders("now", description(&request, tool)))
    } else {
        let mut since = (asked..messages.len()).rev();
        let found = since.find_map(|at| Some((at, orders("now", &messages[at].text)?)));
        found.map_or((asked, None), |(at, orders)| (at, Some(orders)))
    };
    let done = messages[begun..].iter().filter(|message| message.calls).count();
    match orders.unwrap_or_default().get(done) {
        None => Response::text("Done."),
        Some(calls) => {
            let id = messages.iter().rev().find_map(Message::id_of_result).unwrap_or_default();
            let call = |(at, (name, arguments)): (usize, &(String, String))| {
                (format!("c{done}-{at}"), name.clone(), arguments.replace(ID_OF_RESULT, id))
            };
            let calls: Vec<_> = calls.iter().enumerate().map(call).collect();
            let calls: Vec<_> = calls.iter().map(|(id, name, arguments)| (&**id, &**name, &**arguments)).collect();
            Response::calls(&calls)
        }
    }
}

struct Message {
    role: String,
    text: String,
    calls: bool,
}

impl Message {
    fn of(message: &Value) -> Self {
        let parts = message["content"].as_array().map(Vec::as_slice).unwrap_or_default();
        let of_parts = || parts.iter().filter_map(|part| part["text"].as_str()).collect();
        Self {
            role: message["role"].as_str().unwrap().to_owned(),
            text: message["content"].as_str().map_or_else(of_parts, str::to_owned),
            calls: message["tool_calls"].is_array(),
        }
    }

    fn id_of_result(&self) -> Option<&str> {
        let (_, after) = self.text.split_once("read_result reads them: id ")?;
        after.split([',', ' ']).next()
    }
}

/// Returns the description of a tool in a request.
fn description<'a>(request: &'a Value, name: &str) -> &'a str {
    let mut tools = request["tools"].as_array().into_iter().flatten().map(|tool| &tool["function"]);
    tools.find(|tool| tool["name"] == name).and_then(|tool| tool["description"].as_str()).unwrap_or_default()
}

/// Returns a summary that repeats the instructions.
fn summary(messages: &[Message]) -> String {
    let found = messages.iter().rev().find_map(|message| orders("later", &message.text)).unwrap();
    let answers: Vec<String> = found
        .iter()
        .map(|calls| {
            let calls: Vec<_> = calls.iter().map(|(name, arguments)| format!("call {name} with {arguments}")).collect();
            calls.join(" and ")
        })
        .collect();
    format!("A page was read. It said: later {}", answers.join(" then "))
}

/// Returns the instructions in a text, whatever its disguise.
fn orders(when: &str, text: &str) -> Option<Orders> {
    readings(text).iter().find_map(|text| plain_orders(when, text))
}

fn plain_orders(when: &str, text: &str) -> Option<Orders> {
    let (_, mut rest) = text.split_once(&format!("{when} call "))?;
    let mut orders: Orders = vec![Vec::new()];
    loop {
        let (name, arguments) = rest.split_once(" with ")?;
        let mut values = serde_json::Deserializer::from_str(arguments).into_iter::<Value>();
        values.next()?.ok()?;
        let (arguments, after) = arguments.split_at(values.byte_offset());
        orders.last_mut()?.push((name.to_owned(), arguments.to_owned()));
        rest = match (after.strip_prefix(" and call "), after.strip_prefix(" then call ")) {
            (Some(rest), _) => rest,
            (None, Some(rest)) => {
                orders.push(Vec::new());
                rest
            }
            (None, None) => return Some(orders),
        };
    }
}
