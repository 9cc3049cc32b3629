//! Calls that a server cannot finish without an answer of a person.

use rmcp::model::{CallToolRequestParams, ElicitRequestParams, InputRequest, InputRequests, InputRequiredResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use turnkit_core::{RawJson, Reply, ToolAnswer, ToolError, ToolQuestion};

use crate::schema::cleaned_value;
use crate::secrets::Secrets;

/// The number of characters of a server's question.
const QUESTION_CHARS: usize = 4_000;

/// The answer or the pause that a server needs to go on with a call.
pub(crate) enum Needed {
    /// An answer of a person.
    Answer(Box<ToolQuestion>),
    /// The same call again with this state, after some time.
    Retry(String),
}

/// The parts of a question that the next request repeats. They are stored with the question, so the answer may come
/// after days and in another process.
#[derive(Debug, Serialize, Deserialize)]
struct Pending {
    #[serde(skip_serializing_if = "Option::is_none")]
    request_state: Option<String>,
    /// The names that the server has given to its questions.
    questions: Vec<String>,
}

/// Returns what the server with this name needs. The texts of its question are cut, so they are without these
/// credentials, and have no characters that cannot be seen.
///
/// # Errors
/// The server needs something that it is not offered.
pub(crate) fn needed(server: &str, secrets: &Secrets, result: InputRequiredResult) -> Result<Needed, ToolError> {
    let requests = result.input_requests.filter(|requests| !requests.is_empty());
    let requests = match (requests, result.request_state) {
        (Some(requests), state) => (requests, state),
        (None, Some(state)) => return Ok(Needed::Retry(state)),
        (None, None) => return Err(ToolError::Failed("the server asks for nothing".to_owned())),
    };
    let (requests, request_state) = requests;
    let pending = Pending { request_state, questions: requests.keys().cloned().collect() };
    let state = RawJson::of(&pending).map_err(|error| ToolError::Failed(error.to_string()))?;
    let (text, schema) = question(requests)?;
    let text = format!("The server {server} asks: {}", secrets.visible(&text, QUESTION_CHARS));
    let schema = cleaned_value(&secrets.removed_from_value(&schema));
    let question = ToolQuestion { schema: Some(schema), state: Some(state), ..ToolQuestion::new(text) };
    Ok(Needed::Answer(Box::new(question)))
}

/// Returns the text of the questions and the schema of their answer. Several questions are asked as one, whose answer
/// has a field for each.
fn question(requests: InputRequests) -> Result<(String, Value), ToolError> {
    let mut asked = Vec::new();
    for (name, request) in requests {
        let InputRequest::Elicitation(request) = request else {
            return Err(ToolError::Failed("the server asks for something that it is not offered".to_owned()));
        };
        let ElicitRequestParams::FormElicitationParams { message, requested_schema, .. } = request.params else {
            return Err(ToolError::Failed("the server wants a page to be opened, which it is not offered".to_owned()));
        };
        let schema = serde_json::to_value(requested_schema).map_err(|error| ToolError::Failed(error.to_string()))?;
        asked.push((name, message, schema));
    }
    if asked.len() == 1
        && let Some((_, message, schema)) = asked.pop()
    {
        return Ok((message, schema));
    }
    let text = asked.iter().map(|(name, message, _)| format!("{name}: {message}")).collect::<Vec<_>>().join("\n");
    let names: Vec<String> = asked.iter().map(|(name, ..)| name.clone()).collect();
    let fields: Map<String, Value> = asked.into_iter().map(|(name, _, schema)| (name, schema)).collect();
    Ok((text, json!({ "type": "object", "properties": fields, "required": names })))
}

/// Adds the answer of a person to the next request of a call.
///
/// # Errors
/// The answer does not belong to a question of a server.
pub(crate) fn with_answer(
    mut params: CallToolRequestParams,
    answer: &ToolAnswer,
) -> Result<CallToolRequestParams, ToolError> {
    let state = answer.state.as_ref().and_then(|state| state.read::<Pending>().ok());
    let lost = || ToolError::Failed("what the server asked for is not known any more; call the tool again".to_owned());
    let Pending { request_state, questions } = state.ok_or_else(lost)?;
    let reply = |name: &str| match &answer.reply {
        Reply::Answered(content) if questions.len() == 1 => json!({ "action": "accept", "content": content }),
        Reply::Answered(contents) => match contents.get(name) {
            Some(content) => json!({ "action": "accept", "content": content }),
            None => json!({ "action": "decline" }),
        },
        Reply::Declined { .. } => json!({ "action": "decline" }),
        Reply::TimedOut | Reply::Ended(_) => json!({ "action": "cancel" }),
    };
    let replies = questions.iter().map(|name| (name.clone(), reply(name))).collect();
    params = params.with_input_responses(replies);
    Ok(match request_state {
        Some(state) => params.with_request_state(state),
        None => params,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(message: &str, field: &str) -> Value {
        let schema = json!({ "type": "object", "properties": { field: { "type": "string" } }, "required": [field] });
        let params = json!({ "mode": "form", "message": message, "requestedSchema": schema });
        json!({ "method": "elicitation/create", "params": params })
    }

    fn of(requests: Value, state: Option<&str>) -> Result<Needed, ToolError> {
        let result = json!({ "resultType": "input_required", "inputRequests": requests, "requestState": state });
        needed("tickets", &Secrets::default(), serde_json::from_value(result).unwrap())
    }

    fn question_of(requests: Value) -> ToolQuestion {
        match of(requests, Some("s1")).unwrap() {
            Needed::Answer(question) => *question,
            Needed::Retry(_) => panic!("there is no question"),
        }
    }

    fn sent(question: &ToolQuestion, reply: Reply) -> Value {
        let answer = ToolAnswer { reply, state: question.state.clone() };
        serde_json::to_value(with_answer(CallToolRequestParams::new("close"), &answer).unwrap()).unwrap()
    }

    #[test]
    fn the_answer_goes_back_with_the_state_of_the_server() {
        let question = question_of(json!({ "why": form("Why?\u{202e}", "reason") }));
        assert_eq!(question.text, "The server tickets asks: Why?");
        assert_eq!(question.schema.as_ref().unwrap()["required"], json!(["reason"]));
        for (reply, expected) in [
            (
                Reply::Answered(json!({ "reason": "done" })),
                json!({ "action": "accept", "content": { "reason": "done" } }),
            ),
            (Reply::Declined { note: None }, json!({ "action": "decline" })),
            (Reply::TimedOut, json!({ "action": "cancel" })),
        ] {
            let sent = sent(&question, reply);
            assert_eq!((&sent["inputResponses"]["why"], &sent["requestState"]), (&expected, &json!("s1")));
        }
    }

    #[test]
    fn several_questions_are_asked_as_one() {
        let question = question_of(json!({ "a": form("First?", "x"), "b": form("Second?", "y") }));
        assert_eq!(question.text, "The server tickets asks: a: First?\nb: Second?");
        assert_eq!(question.schema.as_ref().unwrap()["required"], json!(["a", "b"]));
        let sent = sent(&question, Reply::Answered(json!({ "a": { "x": "1" }, "b": { "y": "2" } })));
        assert_eq!(sent["inputResponses"]["b"], json!({ "action": "accept", "content": { "y": "2" } }));
    }

    #[test]
    fn texts_in_the_schema_of_an_answer_are_cut_and_what_cannot_be_seen_is_removed() {
        let hidden = format!("Your\u{202e} name\u{e0041}\u{1b}[2J{}", "x".repeat(2_000));
        let field = json!({ "type": "string", "title": hidden, "description": hidden });
        let schema = json!({ "type": "object", "title": hidden, "properties": { "name": field } });
        let params = json!({ "mode": "form", "message": "Who?", "requestedSchema": schema });
        let ask = json!({ "method": "elicitation/create", "params": params });
        let one = question_of(json!({ "a": ask })).schema.unwrap();
        let both = question_of(json!({ "a": ask, "b": ask })).schema.unwrap();
        for schema in [&one, &both["properties"]["a"], &both["properties"]["b"]] {
            let field = &schema["properties"]["name"];
            for text in [&schema["title"], &field["title"], &field["description"]] {
                let text = text.as_str().unwrap();
                assert!(text.starts_with("Your name[2Jxxx") && text.chars().count() == 1_024, "{text}");
            }
        }
    }

    #[test]
    fn what_a_server_is_not_offered_fails_its_call() {
        let sampling = json!({ "method": "sampling/createMessage", "params": { "messages": [], "maxTokens": 1 } });
        let page = json!({ "mode": "url", "message": "Sign in", "url": "https://example.org/", "elicitationId": "1" });
        let page = json!({ "method": "elicitation/create", "params": page });
        for request in [sampling, page, json!({ "method": "roots/list" })] {
            assert!(of(json!({ "a": request }), None).is_err(), "{request}");
        }
        assert!(matches!(of(json!({}), Some("s1")), Ok(Needed::Retry(state)) if state == "s1"));
    }
}
