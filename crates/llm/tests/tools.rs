//! Tests tools with names and schemas that providers reject, against an upstream that rejects them.
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

use futures_util::TryStreamExt;
use serde_json::{Value, json};
use turnkit_core::ports::{CallContext, LlmProvider};
use turnkit_core::{
    Arguments, CallUid, ChatRequest, Delta, History, Message, ModelName, Params, Part, RawJson, Role, ToolCall,
    ToolChoice, ToolDefinition, ToolFlags, ToolResult, TurnId,
};
use turnkit_llm::{Endpoint, Provider, SchemaRule, Wire};
use turnkit_testkit::{FakeUpstream, Response};

const OWN: &str = "tickets.search";
const LEGAL: &str = "tickets_search_759f83f8";

fn tool(name: &str, schema: &str) -> ToolDefinition {
    ToolDefinition {
        name: name.to_owned(),
        description: "Finds tickets.".to_owned(),
        parameters: RawJson::parse(schema).unwrap(),
        flags: ToolFlags::default(),
        fingerprint: None,
    }
}

/// Returns a request with an earlier call of the tool in its history.
fn request() -> ChatRequest {
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let call = ToolCall {
        uid,
        provider_id: "call_1".to_owned(),
        name: OWN.to_owned(),
        arguments: Arguments("{}".to_owned()),
        extras: None,
    };
    let result = ToolResult::new(uid, OWN, "none");
    let said = |role, part| Message { role, parts: vec![part], ..Message::user("") };
    ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([
            Message::user("Find it."),
            said(Role::Assistant, Part::ToolCall(call)),
            said(Role::Tool, Part::ToolResult(result)),
        ]),
        tools: [tool(OWN, r#"{"anyOf":[{"properties":{"a":{},"b":{}},"required":["a"]}]}"#), tool(OWN, "{}")].into(),
        params: Params::default(),
        tool_choice: ToolChoice::Auto,
    }
}

async fn asked(wire: Wire, schema: SchemaRule, step: u16, written: &str) -> (Value, Vec<Delta>, Vec<String>) {
    let upstream = FakeUpstream::start([Response::calls(&[("call_2", written, "{}")])]).await.unwrap();
    let endpoint = Endpoint {
        base_url: Some(upstream.base_url()),
        schema,
        models: vec![ModelName("small".into())],
        ..Endpoint::new("main", wire)
    };
    let call = CallContext { turn: TurnId::default(), step, attempt: 1 };
    let opened = Provider::new(endpoint).unwrap().stream(request(), &call).await;
    let request = upstream.requests().remove(0);
    assert_eq!(request.violations, [], "{wire:?}");
    let Ok(opened) = opened else { return (request.json(), Vec::new(), Vec::new()) };
    let notices = opened.notices.iter().map(|notice| notice.text.clone()).collect();
    (request.json(), opened.deltas.try_concat().await.unwrap(), notices)
}

#[tokio::test]
async fn an_illegal_tool_name_is_sent_as_a_legal_one_and_mapped_back() {
    for (step, written) in [(1, LEGAL.to_owned()), (2, format!("functions.{LEGAL}:0"))] {
        let (body, deltas, notices) = asked(Wire::OpenaiChat, SchemaRule::AsDeclared, step, &written).await;
        assert_eq!(body["tools"].as_array().map(Vec::len), Some(1));
        assert_eq!(body["tools"][0]["function"]["name"], LEGAL);
        assert_eq!(body["messages"][1]["tool_calls"][0]["function"]["name"], LEGAL);
        assert!(deltas.contains(&Delta::call(0, "call_2", OWN)), "{deltas:?}");
        assert_eq!(notices.len(), 1, "{notices:?}");
    }
}

#[tokio::test]
async fn every_wire_sends_schemas_and_names_its_providers_take() {
    for wire in Wire::ALL {
        for (rule, required) in
            [(SchemaRule::AsDeclared, json!(["a"])), (SchemaRule::StrictRequired, json!(["a", "b"]))]
        {
            let (body, ..) = asked(wire, rule, 1, LEGAL).await;
            let schema = match wire {
                Wire::OpenaiChat => &body["tools"][0]["function"]["parameters"],
                Wire::OpenaiResponses => &body["tools"][0]["parameters"],
                Wire::Anthropic => &body["tools"][0]["input_schema"],
                Wire::Gemini => &body["tools"][0]["functionDeclarations"][0]["parametersJsonSchema"],
            };
            assert_eq!(
                *schema,
                json!({ "type": "object", "properties": { "a": {}, "b": {} }, "required": required }),
                "{wire:?}"
            );
        }
    }
}
