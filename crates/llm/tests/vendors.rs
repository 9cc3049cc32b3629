//! Tests the vendor-specific parts of requests, against an upstream that stands in for the vendor.
#![expect(clippy::unwrap_used, reason = "a failed expectation is how a test speaks")]

use std::sync::Arc;

use futures_util::TryStreamExt;
use serde_json::{Value, json};
use turnkit_core::ports::{CallContext, LlmProvider};
use turnkit_core::{
    ChatRequest, FinishReason, Fold, History, Message, ModelName, Params, Part, Thinking, ToolChoice, TurnId,
};
use turnkit_llm::profile::{ModelProfile, ThinkTags, ThinkingForm};
use turnkit_llm::wire::{AnswerDecoder, Vendor};
use turnkit_llm::{Endpoint, EndpointError, Provider, Secret, Wire};
use turnkit_testkit::{FakeUpstream, Received, Response};

/// Returns the request that an upstream in place of the vendor receives.
async fn received(endpoint: Endpoint) -> Received {
    received_with(endpoint, Params { max_tokens: Some(9), ..Params::default() }).await
}

async fn received_with(endpoint: Endpoint, params: Params) -> Received {
    let upstream = FakeUpstream::start([Response::text("hi")]).await.unwrap();
    let base_url = endpoint.base_url.as_deref().unwrap_or("/v1");
    let endpoint = Endpoint {
        base_url: Some(format!("http://{}{base_url}", upstream.address())),
        api_key: Some(Secret::new("the-key")),
        models: vec![ModelName("small".into())],
        ..endpoint
    };
    let request = ChatRequest {
        model: None,
        route: None,
        instructions: None,
        history: History::of([Message::user("hi")]),
        tools: Arc::new([]),
        params,
        tool_choice: ToolChoice::Auto,
    };
    let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    // The upstream's reply is only valid for Chat Completions.
    let _ = Provider::new(endpoint).unwrap().stream(request, &call).await;
    upstream.requests().remove(0)
}

fn of(vendor: &str, wire: Wire) -> Endpoint {
    Endpoint { vendor: Some(vendor.to_owned()), ..Endpoint::new("main", wire) }
}

/// Returns the fields of a request besides those that every vendor of Chat Completions gets.
fn more(request: &Received) -> Value {
    let Value::Object(mut body) = request.json() else { unreachable!("a body is an object") };
    body.retain(|name, _| !["model", "messages", "stream"].contains(&name.as_str()));
    body.into()
}

#[tokio::test]
async fn differences_between_vendors_of_a_wire_are_data() {
    let usage = json!({ "include_usage": true });
    for (vendor, expected) in [
        ("openai", json!({ "max_completion_tokens": 9, "stream_options": usage })),
        ("groq", json!({ "max_tokens": 9, "stream_options": usage })),
        ("mistral", json!({ "max_tokens": 9 })),
    ] {
        let request = received(of(vendor, Wire::OpenaiChat)).await;
        assert_eq!(more(&request), expected, "{vendor}");
        assert_eq!(request.header("authorization"), Some("Bearer the-key"), "{vendor}");
    }
}

#[tokio::test]
async fn a_key_goes_where_the_vendor_looks_for_it() {
    for (vendor, wire, header, value) in [
        ("anthropic", Wire::Anthropic, "x-api-key", "the-key"),
        ("deepseek", Wire::Anthropic, "x-api-key", "the-key"),
        ("moonshot", Wire::Anthropic, "authorization", "Bearer the-key"),
        ("azure", Wire::OpenaiResponses, "api-key", "the-key"),
        ("gemini", Wire::Gemini, "x-goog-api-key", "the-key"),
    ] {
        let request = received(of(vendor, wire)).await;
        assert_eq!(request.header(header), Some(value), "{vendor}");
        let names = ["authorization", "x-api-key", "api-key", "x-goog-api-key"];
        let keys = request.headers.iter().filter(|(name, _)| names.contains(&name.as_str()));
        assert_eq!(keys.count(), 1, "{vendor}: {:?}", request.headers);
    }
}

#[tokio::test]
async fn a_deployment_of_azure_is_named_in_the_path() {
    let settings =
        |pairs: &[(&str, &str)]| pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    for (given, version) in [(settings(&[]), "2024-10-21"), (settings(&[("api_version", "2030-01-01")]), "2030-01-01")]
    {
        let base_url = Some("/openai".to_owned());
        let endpoint = Endpoint { base_url, settings: given, ..of("azure-deployments", Wire::OpenaiChat) };
        let request = received(endpoint).await;
        let path = format!("/openai/deployments/small/chat/completions?api-version={version}");
        assert_eq!((request.path, request.violations), (path, vec![]));
    }
}

#[tokio::test]
async fn web_search_is_requested_if_configured_and_supported() {
    let searching = Endpoint { web_search: true, ..of("openrouter", Wire::OpenaiChat) };
    let body = received(searching).await.json();
    assert_eq!(body["plugins"], json!([{ "id": "web", "max_results": 5 }]));
    assert_eq!(body["web_search_options"], json!({ "search_context_size": "medium" }));
    assert_eq!(received(of("openrouter", Wire::OpenaiChat)).await.json().get("plugins"), None);
    let unknown = Endpoint { web_search: true, models: vec![ModelName("m".into())], ..of("groq", Wire::OpenaiChat) };
    assert_eq!(Provider::new(unknown).err(), Some(EndpointError::WebSearch { id: "main".to_owned() }));
}

#[tokio::test]
async fn headers_and_fields_of_the_configuration_go_with_every_request() {
    let Value::Object(body) = json!({ "seed": 7, "plugins": [] }) else { unreachable!("an object") };
    let headers = [("HTTP-Referer", "https://app.example"), ("authorization", "Bearer another")];
    let headers = headers.map(|(name, value)| (name.to_owned(), Secret::new(value))).into();
    let endpoint = Endpoint { body, headers, web_search: true, ..of("openrouter", Wire::OpenaiChat) };
    let request = received(endpoint).await;
    assert_eq!(request.header("http-referer"), Some("https://app.example"));
    assert_eq!(request.header("authorization"), Some("Bearer another"));
    assert_eq!((&request.json()["seed"], &request.json()["plugins"]), (&json!(7), &json!([])));
}

#[tokio::test]
async fn a_field_that_a_wire_writes_is_not_written_twice() {
    for wire in Wire::ALL {
        let body: Value = serde_json::from_slice(&received(Endpoint::new("main", wire)).await.body).unwrap();
        let Value::Object(body) = body else { unreachable!("a body is an object") };
        for name in body.keys() {
            let endpoint = Endpoint {
                base_url: Some("http://h/v1".to_owned()),
                body: [(name.clone(), Value::Null)].into_iter().collect(),
                models: vec![ModelName("m".into())],
                ..Endpoint::new("main", wire)
            };
            let refused = Some(EndpointError::Field { id: "main".to_owned(), name: name.clone() });
            assert_eq!(Provider::new(endpoint).err(), refused, "{wire:?}");
        }
    }
}

#[test]
fn markup_rules_come_from_the_model_the_provider_or_the_vendor() {
    let detail = |think_tags| (ModelName("small".into()), ModelProfile { think_tags, ..ModelProfile::default() });
    for (vendor, provider, model, expected) in [
        ("openai", None, None, ThinkTags::Off),
        ("openai", Some(ThinkTags::Closing), None, ThinkTags::Closing),
        ("vllm", None, None, ThinkTags::Paired),
        ("vllm", Some(ThinkTags::Off), None, ThinkTags::Off),
        ("vllm", Some(ThinkTags::Off), Some(ThinkTags::Closing), ThinkTags::Closing),
    ] {
        let endpoint = Endpoint {
            api_key: Some(Secret::new("the-key")),
            models: vec![ModelName("small".into())],
            models_detail: vec![detail(model)],
            think_tags: provider,
            text_calls: Some(true),
            ..of(vendor, Wire::OpenaiChat)
        };
        let markup = Provider::new(endpoint).unwrap().profile("small").markup();
        assert_eq!((markup.think_tags, markup.text_calls), (expected, true), "{vendor} {provider:?} {model:?}");
    }
}

#[tokio::test]
async fn the_configuration_of_a_model_decides_its_requests() {
    let configured =
        ModelProfile { thinking_form: Some(ThinkingForm::Budget), max_output: Some(20_000), ..ModelProfile::default() };
    for (models_detail, expected) in [
        (vec![], json!({ "type": "adaptive" })),
        (vec![(ModelName("small".into()), configured)], json!({ "type": "enabled", "budget_tokens": 20_000 - 8_192 })),
    ] {
        let params = Params { thinking: Some(Thinking::Max), ..Params::default() };
        let endpoint = Endpoint { models_detail, ..of("anthropic", Wire::Anthropic) };
        let request = received_with(endpoint, params).await;
        assert_eq!(request.json()["thinking"], expected);
    }
}

#[tokio::test]
async fn markup_that_a_server_leaves_in_the_text_does_not_reach_the_user() {
    let said = "<think>hm</think>Let me see.<tool_call>{\"name\":\"look\",\"arguments\":{}}</tool_call>";
    let upstream = FakeUpstream::start([Response::text(said)]).await.unwrap();
    let endpoint = Endpoint {
        base_url: Some(upstream.base_url()),
        models: vec![ModelName("small".into())],
        text_calls: Some(true),
        ..of("vllm", Wire::OpenaiChat)
    };
    let request = ChatRequest { history: History::of([Message::user("hi")]), ..ChatRequest::default() };
    let call = CallContext { turn: TurnId::default(), step: 1, attempt: 1 };
    let opened = Provider::new(endpoint).unwrap().stream(request, &call).await.unwrap();
    let deltas: Vec<_> = opened.deltas.try_concat().await.unwrap();
    let mut fold = Fold::new(TurnId::default(), 1);
    deltas.iter().for_each(|delta| fold.push(delta).unwrap());
    let answer = fold.finish().unwrap();
    assert_eq!(answer.parts.iter().map(Part::streamed).collect::<Vec<_>>(), ["hm", "Let me see.", "{}"]);
    assert_eq!(answer.finish, FinishReason::ToolCalls);
}

#[test]
fn custom_calls_are_run_by_vendors_that_run_them() {
    let call =
        json!({ "type": "custom_tool_call", "id": "ctc_1", "call_id": "call_1", "name": "x_search", "input": "cats" });
    let body = json!({ "status": "completed", "output": [call] }).to_string();
    for (host, is_run) in
        [("api.x.ai", true), ("eu-west-1.api.x.ai", true), ("api.openai.com", false), ("vendor.example", false)]
    {
        let mut decoder = AnswerDecoder::new(Wire::OpenaiResponses, &Vendor::of(Wire::OpenaiResponses, host));
        let mut deltas = Vec::new();
        decoder.body(body.as_bytes(), &mut deltas).unwrap();
        let mut fold = Fold::new(TurnId::default(), 1);
        deltas.iter().for_each(|delta| fold.push(delta).unwrap());
        let answer = fold.finish().unwrap();
        assert_eq!(matches!(answer.parts[..], [Part::ProviderTool(_)]), is_run, "{host}: {:?}", answer.parts);
        assert_eq!(answer.finish == FinishReason::Stop, is_run, "{host}");
    }
}
