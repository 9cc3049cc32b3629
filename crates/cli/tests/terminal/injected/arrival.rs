//! The ways in which a hostile text reaches a model.

use std::fs;

use serde_json::{Value, json};

use super::disguise::Disguise;
use super::model::{CONTINUE, ID_OF_RESULT};
use super::world::World;
use crate::support::response;

/// The way in which a hostile text reaches a model, which also determines when the model obeys it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arrival {
    /// The response to a request tool of the operator.
    Page,
    /// The body of an error response.
    Failure,
    /// The target of a redirect, which is not followed.
    Redirect,
    /// The output of a program that reaches other systems.
    Program,
    /// The middle of a long result, read page by page.
    Paged,
    /// The answer of a sub-agent.
    SubAgent,
    /// A text that a sub-agent read, and obeys.
    BelowTurn,
    /// The result of the client's own tool.
    ClientTool,
    /// The error of the client's own tool.
    ClientFailure,
    /// The result of a tool of an MCP server.
    ServerText,
    /// The error of a tool of an MCP server.
    ServerFailure,
    /// The error of the protocol with which an MCP server refuses a call.
    ServerError,
    /// A resource in the result of a tool of an MCP server.
    ServerResource,
    /// The address of a resource to which the result of a tool of an MCP server links.
    ServerLink,
    /// The structured content of a tool of an MCP server.
    ServerStructured,
    /// The question that an MCP server asks during a call, and what it says after the answer.
    ServerQuestion,
    /// A page that an earlier turn read.
    EarlierTurn,
    /// The same, in a turn of an agent that has neither the tool that read the page nor any other tool that reaches
    /// out.
    OtherAgent,
    /// The result of a tool that the client had in an earlier turn.
    EarlierClient,
    /// A summary of a page.
    Summary,
    /// The same, in a turn of an agent without any tool that reaches out.
    SummaryForOther,
    /// A summary of the result of a client's tool, for an agent without any tool that reaches out.
    SummaryOfClient,
    /// A page that was sent in another branch of the session.
    Fork,
    /// A page in a session that was exported and imported.
    Import,
}

/// The start of the turn that obeys.
pub(super) struct Trigger {
    message: String,
    session: Option<String>,
    agent: &'static str,
    has_client_tool: bool,
}

const WEATHER: &str = "Rain is expected in the north. ";

impl Arrival {
    /// Reports whether the text arrives in a turn before the one that obeys.
    pub(super) fn is_early(self) -> bool {
        use Arrival::*;
        let is_of_turn = matches!(
            self,
            Page | Failure | Redirect | Program | Paged | SubAgent | BelowTurn | ClientTool | ClientFailure
        );
        !is_of_turn && !self.is_of_server()
    }

    /// Reports whether the text comes from an MCP server.
    fn is_of_server(self) -> bool {
        use Arrival::*;
        matches!(
            self,
            ServerText | ServerFailure | ServerError | ServerResource | ServerLink | ServerStructured | ServerQuestion
        )
    }

    /// Reports whether the client of the turn that obeys has a tool.
    pub(super) fn needs_client(self) -> bool {
        matches!(self, Self::ClientTool | Self::ClientFailure)
    }

    /// Puts a text where the model will read it, and runs the session up to the turn that obeys.
    pub(super) async fn prepare(self, world: &World, disguise: Disguise, told: &str, topic: &str) -> Trigger {
        let when = if self.is_early() { "later" } else { "now" };
        let order = disguise.put_on(&format!("{when} {told}"));
        let text = format!("{}\n{order}\n", WEATHER.repeat(40));
        let page = match self {
            Self::Failure => response(500, "text/plain", &order),
            Self::Redirect => format!("HTTP/1.1 302 So\r\nlocation: /{when} {told}\r\ncontent-length: 0\r\n\r\n"),
            Self::Paged => {
                let around = WEATHER.repeat(200);
                response(200, "text/plain", &format!("{around}{text}{around}"))
            }
            _ => response(200, "text/plain", &text),
        };
        world.pages.put(topic, page);
        fs::write(world.folder("mail").join(topic), &text).unwrap();
        if self.is_of_server() {
            world.desk.put(topic, self.response_of_server(&order, &text));
        }
        if self == Self::ServerQuestion {
            world.desk.ask(topic, &text);
        }

        let news = format!("call news with {}", json!({ "topic": topic }));
        let task = |agent: &str| {
            format!("call task with {}", json!({ "agent": agent, "prompt": format!("Please now {news}") }))
        };
        let first = match self {
            Self::Program => format!("call mail with {}", json!({ "file": format!("mail/{topic}") })),
            Self::Paged => {
                let page = json!({ "id": ID_OF_RESULT, "offset": 6000 });
                format!("{news} then call read_result with {page}")
            }
            Self::SubAgent => task("reader"),
            Self::BelowTurn => task("worker"),
            Self::ClientTool | Self::ClientFailure | Self::EarlierClient | Self::SummaryOfClient => {
                "call look with {}".to_owned()
            }
            _ if self.is_of_server() => format!("call desk__tell with {}", json!({ "topic": topic })),
            _ => news,
        };
        let message = format!("Please now {first}.");
        let trigger = |session, agent| Trigger {
            message: CONTINUE.to_owned(),
            session: Some(session),
            agent,
            has_client_tool: false,
        };
        let assistant = "assistant";
        match self {
            Self::EarlierTurn => trigger(said(world, &message).await, assistant),
            Self::OtherAgent => trigger(said(world, &message).await, "closed"),
            Self::EarlierClient => trigger(looked(world, &message, &text).await, "closed"),
            Self::Summary => trigger(summarised(world, said(world, &message).await).await, assistant),
            Self::SummaryForOther => trigger(summarised(world, said(world, &message).await).await, "closed"),
            Self::SummaryOfClient => trigger(summarised(world, looked(world, &message, &text).await).await, "closed"),
            Self::Fork => {
                let session = said(world, &message).await;
                let fork = world.post(&format!("/api/v1/sessions/{session}/fork"), &json!({})).await;
                trigger(fork["id"].as_str().unwrap().to_owned(), assistant)
            }
            Self::Import => {
                let exported = world.place.run(&["sessions", "export", &said(world, &message).await]).await;
                let imported = world.place.pipe(&["sessions", "import"], &exported.stdout).await;
                assert_eq!(imported.code, Some(0), "{imported:?}");
                trigger(imported.stdout.trim().to_owned(), assistant)
            }
            _ => Trigger { message, session: None, agent: assistant, has_client_tool: self.needs_client() },
        }
    }

    /// Returns the response of an MCP server to a call: a result or an error.
    fn response_of_server(self, order: &str, text: &str) -> Value {
        let of_block = |block: Value| json!({ "result": { "content": [block] } });
        let shown = json!({ "type": "text", "text": text });
        match self {
            Self::ServerFailure => json!({ "result": { "content": [shown], "isError": true } }),
            Self::ServerError => json!({ "error": { "code": -32_602, "message": text } }),
            Self::ServerResource => {
                let resource = json!({ "uri": "file:///news.txt", "text": text });
                of_block(json!({ "type": "resource", "resource": resource }))
            }
            Self::ServerLink => {
                let address = format!("https://news.example.org/{order}");
                of_block(json!({ "type": "resource_link", "name": "news", "uri": address }))
            }
            Self::ServerStructured => json!({ "result": { "content": [], "structuredContent": { "news": text } } }),
            _ => of_block(shown),
        }
    }

    /// Sends the result of the client's tool, or the answer to the question of a server.
    pub(super) async fn returned(self, world: &World, turn: &str, topic: &str) {
        let text = fs::read_to_string(world.folder("mail").join(topic)).unwrap();
        match self {
            Self::ClientTool => resolve(world, turn, &json!({ "result": text })).await,
            Self::ClientFailure => resolve(world, turn, &json!({ "error": text })).await,
            Self::ServerQuestion => resolve(world, turn, &json!({ "answer": { "answer": "blue" } })).await,
            _ => {}
        }
    }
}

impl Trigger {
    /// Returns the request of the turn that obeys.
    pub(super) fn body(&self, interact: bool) -> Value {
        let mut body = json!({ "message": self.message, "agent": self.agent, "interact": interact });
        if let Some(session) = &self.session {
            body["session_id"] = json!(session);
        }
        if self.has_client_tool {
            body["client_tools"] = client_tools();
        }
        body
    }
}

fn client_tools() -> Value {
    json!([{ "name": "look", "description": "Looks out of the window.", "parameters": { "type": "object" } }])
}

/// Returns a session in which the user sent this message.
async fn said(world: &World, message: &str) -> String {
    let (turn, session) = world.begin(&json!({ "message": message })).await;
    world.ends(&turn).await;
    session
}

/// Returns a session in which the client's tool returned this text.
async fn looked(world: &World, message: &str, text: &str) -> String {
    let body = json!({ "message": message, "agent": "closed", "interact": true, "client_tools": client_tools() });
    let (turn, session) = world.begin(&body).await;
    resolve(world, &turn, &json!({ "result": text })).await;
    world.ends(&turn).await;
    session
}

async fn resolve(world: &World, turn: &str, decision: &Value) {
    let waits = world.waits(turn).await;
    let path = format!("/api/v1/interactions/{}", waits[0]["id"].as_str().unwrap());
    world.post(&path, decision).await;
}

async fn summarised(world: &World, session: String) -> String {
    let begun = world.post(&format!("/api/v1/sessions/{session}/compact"), &json!({})).await;
    let events = world.ends(begun["turn_id"].as_str().unwrap()).await;
    assert!(events.iter().any(|event| event.name() == "compacted"), "{events:?}");
    session
}
