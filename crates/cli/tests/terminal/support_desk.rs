//! The example `support-desk`: an agent over two MCP servers behind an identity provider.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::future::join_all;
use serde_json::{Value, json};
use support_desk_identity_provider::{Client, Clock, ProviderOptions, system_clock};
use support_desk_shared::{RunningServer, ServerOptions};
use turnkit_testkit::http::{Frame, HttpClient};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Place, Server};

const SECRET: &str = "open-sesame";
/// The tools of both servers.
const TOOLS: usize = 14;
const DOCUMENTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/support-desk/documents");

/// The servers of the example, and turnkit with its configuration. Servers that are dropped run until the test ends.
pub(crate) struct Desk {
    pub(crate) place: Place,
    pub(crate) upstream: FakeUpstream,
    identity: Option<RunningServer>,
    organisations: Option<RunningServer>,
    variables: Vec<(&'static str, String)>,
}

impl Desk {
    async fn start(script: impl IntoIterator<Item = Response>) -> Self {
        Self::start_at(script, system_clock()).await
    }

    /// Starts the servers; `clock` has the time of issued tokens.
    async fn start_at(script: impl IntoIterator<Item = Response>, clock: Clock) -> Self {
        Self::configured(include_str!("../../../../examples/support-desk/turnkit.toml"), script, clock).await
    }

    /// Starts the servers, and gives turnkit this configuration.
    pub(crate) async fn configured(example: &str, script: impl IntoIterator<Item = Response>, clock: Clock) -> Self {
        let upstream = FakeUpstream::start(script).await.unwrap();
        let place = Place::asking(&upstream);
        let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
        assert!(example.contains("\nskills = \"documents\"\n"));
        place.write("turnkit.toml", &(provider + &example.replace("skills = \"documents\"", &skills())));

        let listen: SocketAddr = "127.0.0.1:0".parse().unwrap();
        let client = Client { id: "support-desk".to_owned(), secret: SECRET.to_owned() };
        let options = ProviderOptions { listen, client, token_life: 600, clock };
        let identity = support_desk_identity_provider::start(options).await.unwrap();
        let data = place.path().join("desk");
        let options = ServerOptions { listen, issuer: identity.url().to_owned(), data };
        let ticketing = support_desk_ticketing::start(&options).await.unwrap();
        let organisations = support_desk_organisations::start(&options).await.unwrap();
        let variables = vec![
            ("DESK_ISSUER", identity.url().to_owned()),
            ("DESK_TOKEN_URL", format!("{}/token", identity.url())),
            ("DESK_TICKETING_URL", format!("{}/mcp", ticketing.url())),
            ("DESK_ORGANISATIONS_URL", format!("{}/mcp", organisations.url())),
            ("DESK_CLIENT_ID", "support-desk".to_owned()),
            ("DESK_CLIENT_SECRET", SECRET.to_owned()),
        ];
        let (identity, organisations) = (Some(identity), Some(organisations));
        Self { place, upstream, identity, organisations, variables }
    }

    pub(crate) async fn serve(&self) -> Server {
        self.place.serve_with(&[], &self.variables()).await
    }

    /// Returns the variables of the configuration.
    pub(crate) fn variables(&self) -> Vec<(&str, &str)> {
        self.variables.iter().map(|(name, value)| (*name, value.as_str())).collect()
    }

    /// Returns the address of the identity provider.
    pub(crate) fn identity(&self) -> &str {
        self.identity.as_ref().unwrap().url().strip_prefix("http://").unwrap()
    }

    /// Returns how many tokens turnkit has got by this grant.
    pub(crate) async fn tokens(&self, grant: &str) -> Value {
        HttpClient::new(self.identity()).get("/statistics").await.unwrap().json()[grant].clone()
    }

    /// Returns the names of the servers' tools in a request for an answer.
    pub(crate) fn offered(&self, request: usize) -> BTreeSet<String> {
        let request = self.upstream.requests()[request].json();
        let tools = request["tools"].as_array().unwrap().iter();
        let names = tools.map(|tool| tool["function"]["name"].as_str().unwrap().to_owned());
        names.filter(|name| name.contains("__")).collect()
    }

    /// Returns the result of the last call, as the model reads it.
    pub(crate) fn last_result(&self) -> String {
        self.result(self.upstream.requests().len() - 1)
    }

    /// Returns the result of the call before a request for an answer.
    pub(crate) fn result(&self, request: usize) -> String {
        let request = self.upstream.requests()[request].json();
        request["messages"].as_array().unwrap().last().unwrap()["content"].as_str().unwrap().to_owned()
    }
}

/// Returns the setting of the documents, whose folder is elsewhere.
fn skills() -> String {
    format!("skills = {}", json!(DOCUMENTS))
}

/// Runs a turn. Returns its events.
async fn turn(server: &Server) -> Vec<Frame> {
    turn_of(&server.client()).await
}

/// Runs a turn of this client. Returns its events.
pub(crate) async fn turn_of(client: &HttpClient) -> Vec<Frame> {
    let asked = json!({ "message": "Go" });
    let mut events = client.post_for_events("/api/v1/turns", &[], &asked).await.unwrap();
    events.rest().await.unwrap()
}

/// Returns the texts of the notices about missing tools.
pub(crate) fn missing(events: &[Frame]) -> Vec<String> {
    let notices = events.iter().filter(|frame| frame.name() == "notice").map(Frame::json);
    let missing = notices.filter(|notice| notice["code"] == "tools_missing");
    missing.map(|notice| notice["text"].as_str().unwrap().to_owned()).collect()
}

pub(crate) fn has_completed(events: &[Frame]) -> bool {
    events.last().is_some_and(|frame| frame.name() == "turn.ended" && frame.json()["status"] == "completed")
}

pub(crate) fn call(tool: &str, arguments: &str) -> Response {
    Response::calls(&[("c1", tool, arguments)])
}

#[tokio::test]
async fn concurrent_first_turns_cause_one_token_request_and_are_offered_the_tools_of_both_servers() {
    let desk = Desk::start(vec![Response::text("Hello."); 5]).await;
    let server = desk.serve().await;
    for events in join_all((0..4).map(|_| turn(&server))).await {
        assert!(has_completed(&events) && missing(&events).is_empty(), "{events:?}");
    }
    turn(&server).await;
    assert_eq!(desk.tokens("client_credentials").await, 1);
    for request in 0..5 {
        let offered = desk.offered(request);
        assert_eq!(offered.len(), TOOLS, "{offered:?}");
        assert!(offered.contains("ticketing__get_ticket"), "{offered:?}");
        assert!(offered.iter().any(|name| name.starts_with("organisations__")), "{offered:?}");
    }
}

#[tokio::test]
async fn results_and_errors_of_a_servers_tools_are_read_by_the_model() {
    let script = [
        call("ticketing__get_ticket", r#"{"id":5}"#),
        Response::text("Found."),
        call("ticketing__get_ticket", r#"{"id":99}"#),
        Response::text("Not found."),
    ];
    let desk = Desk::start(script).await;
    let server = desk.serve().await;
    assert!(has_completed(&turn(&server).await));
    assert!(desk.last_result().to_lowercase().contains("printer"), "{}", desk.last_result());
    assert!(has_completed(&turn(&server).await));
    let failure: Value = serde_json::from_str(&desk.last_result()).unwrap();
    assert_eq!(failure["code"], "EXECUTION_ERROR", "{failure}");
    assert!(failure["error"].as_str().unwrap().contains("99"), "{failure}");
}

#[tokio::test]
async fn a_document_and_a_ticket_are_read_in_one_turn_with_one_answer() {
    let said = "The customer should enter the code in the mail. Ticket 2 is about this.";
    let script = [
        call("read_skill", r#"{"name":"passwords"}"#),
        Response::calls(&[("c2", "ticketing__get_ticket", r#"{"id":2}"#)]),
        Response::text(said),
    ];
    let desk = Desk::start(script).await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events), "{events:?}");
    assert_eq!(events.last().unwrap().json()["text"], said);
    let last = desk.upstream.requests().last().unwrap().json();
    let messages = last["messages"].as_array().unwrap();
    let results: Vec<&str> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(results.len(), 2, "{last}");
    assert!(results[0].contains("A link to reset a password is valid for 30 minutes"), "{}", results[0]);
    assert!(results[1].contains("Cannot reset the password"), "{}", results[1]);
}

#[tokio::test]
async fn a_server_that_is_down_costs_a_notice_and_the_turn_goes_on_with_the_others() {
    let mut desk = Desk::start([call("ticketing__get_ticket", r#"{"id":5}"#), Response::text("Found.")]).await;
    desk.organisations.take().unwrap().stop().await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events), "{events:?}");
    let missing = missing(&events);
    assert!(missing.len() == 1 && missing[0].starts_with("the tools of organisations are missing: "), "{missing:?}");
    let offered = desk.offered(0);
    assert!(offered.len() == 8 && offered.iter().all(|name| name.starts_with("ticketing__")), "{offered:?}");
    assert!(desk.last_result().to_lowercase().contains("printer"), "{}", desk.last_result());
}

/// The first token is a day too old when it is issued, which only the servers notice.
#[tokio::test]
async fn a_token_that_the_servers_refuse_is_replaced_once() {
    let (issued, now) = (AtomicU64::new(0), system_clock());
    let clock: Clock = Arc::new(move || match issued.fetch_add(1, Ordering::SeqCst) {
        0 => now() - 86_400,
        _ => now(),
    });
    let desk = Desk::start_at([call("ticketing__get_ticket", r#"{"id":5}"#), Response::text("Found.")], clock).await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events) && missing(&events).is_empty(), "{events:?}");
    assert_eq!(desk.offered(0).len(), TOOLS);
    assert!(desk.last_result().to_lowercase().contains("printer"), "{}", desk.last_result());
    assert_eq!(desk.tokens("client_credentials").await, 2);
}

#[tokio::test]
async fn a_token_that_is_for_another_server_is_refused_and_the_turn_goes_on_with_the_others() {
    let (example, both) =
        (include_str!("../../../../examples/support-desk/turnkit.toml"), r#"["ticketing", "organisations"]"#);
    assert_eq!(example.matches(both).count(), 2);
    let of_another = example.replace(both, r#"["organisations"]"#);
    let desk = Desk::configured(&of_another, [Response::text("I cannot read tickets.")], system_clock()).await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events), "{events:?}");
    let missing = missing(&events);
    assert!(missing.len() == 1 && missing[0].starts_with("the tools of ticketing are missing: "), "{missing:?}");
    let offered = desk.offered(0);
    assert!(!offered.is_empty() && offered.iter().all(|name| name.starts_with("organisations__")), "{offered:?}");
}

#[tokio::test]
async fn a_question_has_at_most_15_calls_and_is_answered_with_what_the_model_has_read() {
    let calls: Vec<(String, String)> = (1..=16)
        .map(|number| (format!("c{number}"), json!({ "expression": format!("{number} + 1") }).to_string()))
        .collect();
    let calls: Vec<(&str, &str, &str)> =
        calls.iter().map(|(id, arguments)| (id.as_str(), "calculator", arguments.as_str())).collect();
    let desk = Desk::start([Response::calls(&calls), Response::text("These are 15 sums.")]).await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events), "{events:?}");
    let last = desk.upstream.requests().last().unwrap().json();
    let messages = last["messages"].as_array().unwrap().iter().filter(|message| message["role"] == "tool");
    let results: Vec<&str> = messages.map(|message| message["content"].as_str().unwrap()).collect();
    let refused =
        results.iter().map(|result| result.contains("this turn has used up its tool calls; answer with what"));
    assert_eq!(refused.collect::<Vec<_>>(), [[false; 15].as_slice(), &[true]].concat(), "{results:?}");
}

#[tokio::test]
async fn an_identity_provider_that_is_down_is_named_and_the_turn_goes_on() {
    let mut desk = Desk::start([Response::text("I have no tools.")]).await;
    let identity = desk.identity.take().unwrap();
    identity.stop().await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events), "{events:?}");
    let missing = missing(&events);
    assert_eq!(missing.len(), 2, "{missing:?}");
    for text in missing {
        assert!(text.contains("the identity provider 127.0.0.1 is unreachable"), "{text}");
        assert!(!text.contains(SECRET), "{text}");
    }
}

#[tokio::test]
async fn a_change_needs_the_approval_of_a_person() {
    let close = call("ticketing__close_ticket", r#"{"id":5,"resolution":"It works."}"#);
    let desk = Desk::start([close, Response::text("I may not.")]).await;
    let server = desk.serve().await;
    let events = turn(&server).await;
    assert!(has_completed(&events), "{events:?}");
    assert!(desk.last_result().contains("\"code\":\"USER_DENIED\""), "{}", desk.last_result());
}
