//! Every wire through the binary. The upstream checks that requests follow the rules of the wire.

use serde_json::{Value, json};
use turnkit_testkit::google::service_account;
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Place, answers_once, response};

/// The responses and requests of an upstream in one wire.
struct WireFixture {
    api: &'static str,
    /// The path of requests, and the header with the key.
    path: &'static str,
    key: (&'static str, &'static str),
    text: fn(&str) -> Response,
    call: fn(&str, &str) -> Response,
    /// The contents of the tool results in a request.
    results: fn(&Value) -> Vec<Value>,
    /// The list of the provider's models.
    models: fn(&str) -> Value,
    /// The location of the output schema in a request.
    shape: &'static str,
    /// The locations of the instructions and of the messages in a request.
    instructions: &'static str,
    messages: &'static str,
}

const WIRES: [WireFixture; 4] = [
    WireFixture {
        api: "openai-chat",
        path: "/v1/chat/completions",
        key: ("authorization", "Bearer secret-key"),
        text: Response::text,
        call: |name, arguments| Response::calls(&[("call_1", name, arguments)]),
        results: |body| of(&body["messages"], |message| message.get("tool_call_id").map(|_| &message["content"])),
        models: |id| json!({ "data": [{ "id": id }] }),
        shape: "/response_format/json_schema/schema",
        instructions: "/messages/0",
        messages: "/messages",
    },
    WireFixture {
        api: "openai-responses",
        path: "/v1/responses",
        key: ("authorization", "Bearer secret-key"),
        text: |text| {
            let item = json!({ "type": "message", "role": "assistant", "content": [] });
            let done =
                json!({ "type": "message", "role": "assistant", "content": [{ "type": "output_text", "text": text }] });
            Response::stream()
                .event(&json!({ "type": "response.output_item.added", "output_index": 0, "item": item }))
                .event(&json!({ "type": "response.output_text.delta", "output_index": 0, "delta": text }))
                .event(&json!({ "type": "response.output_item.done", "output_index": 0, "item": done }))
                .event(
                    &json!({ "type": "response.completed", "response": { "status": "completed", "output": [done] } }),
                )
        },
        call: |name, arguments| {
            let item = json!({ "type": "function_call", "call_id": "call_abcdefghijkl", "name": name, "arguments": arguments });
            Response::stream()
                .event(&json!({ "type": "response.output_item.done", "output_index": 0, "item": item }))
                .event(
                    &json!({ "type": "response.completed", "response": { "status": "completed", "output": [item] } }),
                )
        },
        results: |body| of(&body["input"], |item| item.get("output")),
        models: |id| json!({ "data": [{ "id": id }] }),
        shape: "/text/format/schema",
        instructions: "/instructions",
        messages: "/input",
    },
    WireFixture {
        api: "anthropic",
        path: "/v1/messages",
        key: ("x-api-key", "secret-key"),
        text: |text| {
            block(&json!({ "type": "text", "text": "" }), &json!({ "type": "text_delta", "text": text }), "end_turn")
        },
        call: |name, arguments| {
            let start = json!({ "type": "tool_use", "id": "toolu_abcdefghijkl", "name": name, "input": {} });
            block(&start, &json!({ "type": "input_json_delta", "partial_json": arguments }), "tool_use")
        },
        results: |body| {
            let blocks =
                |message: &Value| of(&message["content"], |block| block.get("tool_use_id").map(|_| &block["content"]));
            body["messages"].as_array().into_iter().flatten().flat_map(blocks).collect()
        },
        models: |id| json!({ "data": [{ "type": "model", "id": id }] }),
        shape: "/output_config/format/schema",
        instructions: "/system",
        messages: "/messages",
    },
    WireFixture {
        api: "gemini",
        path: "/v1/models/small:streamGenerateContent?alt=sse",
        key: ("x-goog-api-key", "secret-key"),
        text: |text| candidate(&json!({ "text": text })),
        call: |name, arguments| {
            let arguments: Value = serde_json::from_str(arguments).unwrap();
            candidate(&json!({ "functionCall": { "name": name, "args": arguments } }))
        },
        results: |body| {
            let of_part = |part: &Value| {
                let response = part.pointer("/functionResponse/response")?;
                Some(response.get("output").unwrap_or(response).clone())
            };
            let parts = |content: &Value| -> Vec<Value> {
                content["parts"].as_array().into_iter().flatten().filter_map(of_part).collect()
            };
            body["contents"].as_array().into_iter().flatten().flat_map(parts).collect()
        },
        models: |id| json!({ "models": [{ "name": format!("models/{id}") }] }),
        shape: "/generationConfig/responseJsonSchema",
        instructions: "/systemInstruction",
        messages: "/contents",
    },
];

/// Returns the results of `look` for the items of a list.
fn of(list: &Value, look: impl Fn(&Value) -> Option<&Value>) -> Vec<Value> {
    list.as_array().into_iter().flatten().filter_map(|thing| look(thing).cloned()).collect()
}

/// A message of one block.
fn block(start: &Value, delta: &Value, stop: &str) -> Response {
    Response::stream()
        .event(&json!({ "type": "message_start", "message": { "usage": { "input_tokens": 10, "output_tokens": 1 } } }))
        .event(&json!({ "type": "content_block_start", "index": 0, "content_block": start }))
        .event(&json!({ "type": "content_block_delta", "index": 0, "delta": delta }))
        .event(&json!({ "type": "content_block_stop", "index": 0 }))
        .event(&json!({ "type": "message_delta", "delta": { "stop_reason": stop }, "usage": { "output_tokens": 5 } }))
        .event(&json!({ "type": "message_stop" }))
}

fn candidate(part: &Value) -> Response {
    let content = json!({ "role": "model", "parts": [part] });
    Response::stream().event(&json!({ "candidates": [{ "content": content, "finishReason": "STOP" }] }))
}

fn place(api: &str, base_url: &str) -> Place {
    let place = Place::new();
    let provider = format!(
        "[[providers]]\nid = \"fake\"\napi = \"{api}\"\nbase_url = \"{base_url}\"\napi_key = \"secret-key\"\nmodels = [\"small\"]\n"
    );
    place.write("turnkit.toml", &provider);
    place
}

#[tokio::test]
async fn a_tool_runs_and_the_session_continues_on_every_wire() {
    for WireFixture { api, path, key: (header, value), text, call, results, .. } in WIRES {
        let script = [call("calculator", r#"{"expression":"6*7"}"#), text("It is 42."), text("As I said.")];
        let upstream = FakeUpstream::start(script).await.unwrap();
        let place = place(api, &upstream.base_url());
        let first = place.run(&["chat", "-p", "What is 6 * 7?"]).await;
        assert_eq!((first.code, first.stdout.as_str()), (Some(0), "It is 42.\n"), "{api}: {first:?}");
        let session = place.last_session().await;
        let second = place.run(&["chat", "-p", "Sure?", "--session", &session]).await;
        assert_eq!((second.code, second.stdout.as_str()), (Some(0), "As I said.\n"), "{api}: {second:?}");
        let requests = upstream.requests();
        assert_eq!(requests.len(), 3, "{api}");
        for request in &requests {
            assert_eq!((request.path.as_str(), request.header(header)), (path, Some(value)), "{api}");
            assert_eq!(request.violations, [], "{api}");
        }
        assert_eq!(results(&requests[0].json()), [json!(null); 0], "{api}");
        assert_eq!(results(&requests[2].json()), [json!("42")], "{api}: {}", requests[2].json());
    }
}

#[tokio::test]
async fn a_failure_has_one_form_on_every_wire() {
    for WireFixture { api, text, call, results, .. } in WIRES {
        for (arguments, why, retryable) in [
            (r#"{"expression":5}"#, r#"invalid arguments: /expression: the value is not of type "string""#, true),
            (r#"{"expression":"1/0"}"#, "division by zero, at character 2", false),
        ] {
            let upstream = FakeUpstream::start([call("calculator", arguments), text("Well.")]).await.unwrap();
            let answered = place(api, &upstream.base_url()).run(&["chat", "-p", "What is it?"]).await;
            assert_eq!(answered.code, Some(0), "{api}: {answered:?}");
            let failure = match results(&upstream.requests()[1].json()).remove(0) {
                Value::String(text) => serde_json::from_str(&text).unwrap(),
                object => object,
            };
            let error = format!("Error executing calculator: {why}");
            assert!(answered.stderr.contains(&error), "{api}: {answered:?}");
            assert_eq!(failure, json!({ "error": error, "code": "EXECUTION_ERROR", "retryable": retryable }), "{api}");
        }
    }
}

/// Removes cache hints. For some vendors, a message has a hint how much of the request to cache, and later requests
/// move it.
fn without_cache_hints(value: &Value) -> Value {
    match value {
        Value::Object(fields) => {
            let kept = fields.iter().filter(|(key, _)| *key != "cache_control");
            kept.map(|(key, value)| (key.clone(), without_cache_hints(value))).collect()
        }
        Value::Array(values) => values.iter().map(without_cache_hints).collect(),
        value => value.clone(),
    }
}

#[tokio::test]
async fn context_precedes_the_message_and_requests_only_grow_on_every_wire() {
    for WireFixture { api, text, call, instructions, messages, .. } in WIRES {
        let calls = call("calculator", r#"{"expression":"6*7"}"#);
        let upstream = FakeUpstream::start([text("Hello."), calls, text("It is 42."), text("Bye.")]).await.unwrap();
        let place = place(api, &upstream.base_url());
        let configuration = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
        let agent = "[files]\nroots = [\"docs\"]\n[[agents]]\nname = \"a\"\ninstructions = \"Be kind.\"\n";
        place.write("turnkit.toml", &format!("{configuration}{agent}"));
        std::fs::create_dir(place.path().join("docs")).unwrap();
        place.write("docs/a.md", "# A");
        std::fs::write(place.path().join("docs/b.png"), b"\x89PNG\r\n\x1a\n\0").unwrap();
        let server = place.serve().await;
        let context = json!({ "files": ["a.md"], "images": ["b.png"], "tree": "." });
        let mut session = Value::Null;
        for (message, context) in [("Hi.", Value::Null), ("6 times 7?", context), ("Thanks.", Value::Null)] {
            let asked = json!({ "message": message, "session_id": session, "context": context });
            let stream = [("accept", "text/event-stream")];
            let mut events = server.client().post_for_events("/api/v1/turns", &stream, &asked).await.unwrap();
            session = events.rest().await.unwrap()[0].json()["session_id"].clone();
        }
        server.stop().await;
        let requests = upstream.requests();
        assert!(requests.iter().all(|request| request.violations.is_empty()), "{api}");
        let requests: Vec<Value> = requests.iter().map(|request| without_cache_hints(&request.json())).collect();
        let sent = |request: &Value| request.pointer(messages).unwrap().as_array().unwrap().clone();
        let last = serde_json::to_string(&sent(&requests[3])).unwrap();
        let said =
            ["Hi.", "Hello.", "# A", "a.md\\nb.png", "iVBORw0KGgoA", "6 times 7?", "calculator", "42.", "Thanks."];
        let places: Vec<_> = said.iter().map(|said| last.find(said)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{api}: {places:?} {last}");
        for pair in requests.windows(2) {
            assert_eq!(pair[0].pointer(instructions).unwrap(), pair[1].pointer(instructions).unwrap(), "{api}");
            assert!(pair[0].pointer(instructions).unwrap().to_string().contains("Be kind."), "{api}");
            assert!(sent(&pair[1]).starts_with(&sent(&pair[0])), "{api}");
        }
    }
}

#[tokio::test]
async fn a_provider_that_refuses_is_a_typed_error_on_every_wire() {
    for WireFixture { api, .. } in WIRES {
        let upstream = FakeUpstream::start([Response::status(429, "slow down")]).await.unwrap();
        let refused = place(api, &upstream.base_url()).run(&["chat", "-p", "Hello"]).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(1), ""), "{api}: {refused:?}");
        assert!(
            refused.stderr.contains("the provider limits the rate of requests (HTTP 429): slow down"),
            "{api}: {refused:?}"
        );
    }
}

#[tokio::test]
async fn a_truncated_answer_is_an_error_on_every_wire() {
    for WireFixture { api, text, .. } in WIRES {
        let half = text("Hello there").body().len() / 2;
        let upstream = FakeUpstream::start([text("Hello there").cut_at(half)]).await.unwrap();
        let broken = place(api, &upstream.base_url()).run(&["chat", "-p", "Hello"]).await;
        assert_eq!(broken.code, Some(1), "{api}: {broken:?}");
        assert!(broken.stderr.starts_with("error: "), "{api}: {broken:?}");
    }
}

#[tokio::test]
async fn an_agents_answers_match_its_configured_schema_on_every_wire() {
    let schema = r#"{"type":"object","properties":{"zip":{"type":"string"},"city":{"type":"string"}},"required":["zip","city"],"additionalProperties":false}"#;
    let answer = r#"{"zip":"1010","city":"Wien"}"#;
    for WireFixture { api, text, shape, .. } in WIRES {
        let upstream = FakeUpstream::start([text(answer), text(answer)]).await.unwrap();
        // Anthropic accepts schemas. Other vendors on its wire get the schema in the instructions.
        let vendor = if api == "anthropic" { "vendor = \"anthropic\"\n" } else { "" };
        let place = place(api, &upstream.base_url());
        let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
        place.write("shape.json", schema);
        for key in [format!("output_schema = '{schema}'"), "output_schema_file = \"shape.json\"".to_owned()] {
            place.write("turnkit.toml", &format!("{provider}{vendor}[[agents]]\nname = \"reader\"\n{key}\n"));
            let answered = place.run(&["chat", "-p", "Where?"]).await;
            assert_eq!((answered.code, answered.stdout.trim_end()), (Some(0), answer), "{api}: {answered:?}");
        }
        for request in upstream.requests() {
            let expected: Value = serde_json::from_str(schema).unwrap();
            assert_eq!(request.json().pointer(shape), Some(&expected), "{api}: {}", request.json());
            let body = String::from_utf8(request.body).unwrap();
            assert!(
                body.contains(r#""zip":{"type":"string"},"city":"#),
                "{api}: the order is that of the user: {body}"
            );
        }
    }
}

#[tokio::test]
async fn doctor_asks_every_wire_for_its_models() {
    for WireFixture { api, key: (header, value), models, .. } in WIRES {
        for (listed, said) in
            [("small", "ok    provider       fake: reachable, and the key is valid"), ("x", "does not list")]
        {
            let (address, asked) = answers_once(response(200, "application/json", &models(listed).to_string()));
            let report = place(api, &format!("http://{address}/v1")).run(&["doctor"]).await;
            let asked = asked();
            assert!(asked.starts_with("GET /v1/models"), "{api}: {asked}");
            assert!(asked.contains(&format!("{header}: {value}\r\n")), "{api}: {asked}");
            assert!(report.stdout.contains(said), "{api}: {report:?}");
        }
    }
}

#[tokio::test]
async fn a_vendor_selects_its_wire_and_extra_headers_and_fields_are_sent() {
    let upstream = FakeUpstream::start([Response::text("Found.")]).await.unwrap();
    let place = Place::new();
    let provider = format!(
        "[[providers]]\nid = \"fake\"\nvendor = \"openrouter\"\nbase_url = \"{}\"\napi_key = \"secret-key\"\nmodels = [\"small\"]\n\
         web_search = true\nheaders = {{ X-Title = \"turnkit\" }}\nbody = {{ seed = 7, provider = {{ sort = \"price\" }} }}\n",
        upstream.base_url()
    );
    place.write("turnkit.toml", &provider);
    let answered = place.run(&["chat", "-p", "Hello"]).await;
    assert_eq!((answered.code, answered.stdout.as_str()), (Some(0), "Found.\n"), "{answered:?}");
    let request = upstream.requests().remove(0);
    let body = request.json();
    assert_eq!((request.header("x-title"), &body["seed"]), (Some("turnkit"), &json!(7)));
    assert_eq!((&body["provider"]["sort"], &body["plugins"][0]["id"]), (&json!("price"), &json!("web")));
}

#[tokio::test]
async fn vertex_accepts_tokens_of_a_service_account() {
    for (api, path) in [
        ("gemini", "/v1/publishers/google/models/small:streamGenerateContent?alt=sse"),
        ("anthropic", "/v1/publishers/anthropic/models/small:streamRawPredict"),
    ] {
        let WireFixture { text, call, results, .. } = WIRES.into_iter().find(|wire| wire.api == api).unwrap();
        let script = [call("calculator", r#"{"expression":"6*7"}"#), text("It is 42.")];
        let upstream = FakeUpstream::start(script).await.unwrap();
        upstream.push_tokens([3600]);
        let place = Place::new();
        place.write("account.json", &service_account(&format!("{}/token", upstream.base_url())).unwrap());
        let provider = format!(
            "[[providers]]\nid = \"fake\"\nvendor = \"vertex\"\napi = \"{api}\"\nbase_url = \"{}\"\nmodels = [\"small\"]\n\
             settings = {{ project = \"p\" }}\ncredentials = \"account.json\"\n",
            upstream.base_url()
        );
        place.write("turnkit.toml", &provider);
        let answered = place.run(&["chat", "-p", "What is 6 * 7?"]).await;
        assert_eq!((answered.code, answered.stdout.as_str()), (Some(0), "It is 42.\n"), "{api}: {answered:?}");
        let requests = upstream.requests();
        assert_eq!(requests.len(), 3, "{api}: one token serves both steps");
        for request in &requests[1..] {
            assert_eq!((request.path.as_str(), request.header("authorization")), (path, Some("Bearer token-1")));
            assert_eq!(request.violations, [], "{api}");
        }
        assert_eq!(results(&requests[2].json()), [json!("42")], "{api}");
        if api == "anthropic" {
            assert_eq!(requests[2].json()["anthropic_version"], "vertex-2023-10-16");
        }

        let report = place.run(&["doctor"]).await;
        assert!(report.stdout.contains("fail  provider       fake: Google gave no access token"), "{api}: {report:?}");
        let refused = place.run(&["chat", "-p", "Hello"]).await;
        assert_eq!(refused.code, Some(1), "{api}: {refused:?}");
        assert!(refused.stderr.contains("fake: Google gave no access token"), "{api}: {refused:?}");
    }
}
