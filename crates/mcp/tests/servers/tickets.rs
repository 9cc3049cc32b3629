//! A server of tickets that the protocol's own library runs.

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, InputRequiredResult,
    ListToolsResult, PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ServerCapabilities,
    ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use serde_json::{Value, json};
use tokio::sync::Notify;

/// The names of the tools, in the order of the list.
pub(crate) const NAMES: [&str; 8] = [
    "tickets__find",
    "tickets__close",
    "tickets__report",
    "tickets__wait",
    "tickets__picture",
    "tickets__refuse",
    "tickets__ask",
    "tickets__change",
];

/// The state that the server needs between two rounds of a call, byte by byte.
const STATE: &str = "s.1/with+special=chars \"and\" spaces";

/// A server of tickets. Clones share their state.
#[derive(Clone)]
pub(crate) struct Tickets {
    pub(crate) state: Arc<State>,
    pub(crate) newest: ProtocolVersion,
}

#[derive(Default)]
pub(crate) struct State {
    pub(crate) closed: AtomicU32,
    pub(crate) is_changed: AtomicBool,
    pub(crate) go_on: Arc<Notify>,
    pub(crate) was_cancelled: Notify,
}

impl Tickets {
    /// Creates a server that speaks protocols up to this one.
    pub(crate) fn new(newest: ProtocolVersion) -> Self {
        Self { state: Arc::default(), newest }
    }
}

fn tool(name: &str, annotations: Value) -> Tool {
    let tool = json!({ "name": name, "inputSchema": { "type": "object" }, "annotations": annotations });
    serde_json::from_value(tool).unwrap()
}

fn text(text: impl Into<String>) -> CallToolResponse {
    CallToolResult::success(vec![ContentBlock::text(text)]).into()
}

impl ServerHandler for Tickets {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_tool_list_changed().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("tickets\u{1b}[0m", "1.2"))
    }

    fn supported_protocol_versions(&self) -> Cow<'static, [ProtocolVersion]> {
        Cow::Borrowed(ProtocolVersion::known_up_to(&self.newest))
    }

    async fn list_tools(
        &self,
        page: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let reads = json!({ "readOnlyHint": true });
        Ok(match page.and_then(|page| page.cursor).as_deref() {
            None => {
                let tools = vec![tool("find", reads), tool("close", json!({}))];
                ListToolsResult { next_cursor: Some("second".to_owned()), ..ListToolsResult::with_all_items(tools) }
            }
            Some(_) => {
                let mut names = vec!["report", "wait", "picture", "refuse", "ask", "change"];
                if self.state.is_changed.load(Ordering::SeqCst) {
                    names.push("reopen");
                }
                ListToolsResult::with_all_items(names.into_iter().map(|name| tool(name, json!({}))).collect())
            }
        })
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        Ok(match &*call.name {
            "find" => text("ticket 7"),
            "close" => {
                self.state.closed.fetch_add(1, Ordering::SeqCst);
                text("closed")
            }
            "report" => {
                let token = context.meta.get_progress_token().unwrap();
                let progress = ProgressNotificationParam::new(token, 1.0).with_message("half\u{7} done by key-12345");
                _ = context.peer.notify_progress(progress).await;
                self.state.go_on.notified().await;
                text("reported")
            }
            "wait" => {
                self.state.go_on.notify_one();
                context.ct.cancelled().await;
                self.state.was_cancelled.notify_one();
                text("too late")
            }
            "picture" => {
                let mut result = CallToolResult::structured(json!({ "open": 3 }));
                let (picture, broken) = ("iVBORw0KGgoAAAANSUhEUg==", "aGVsbG8=");
                let images = [picture, broken].map(|base64| ContentBlock::image(base64, "image/png"));
                result.content = std::iter::once(ContentBlock::text("three")).chain(images).collect();
                result.into()
            }
            "refuse" => CallToolResult::error(vec![ContentBlock::text("there is no ticket 9")]).into(),
            "ask" => match call.input_responses {
                None => question().into(),
                Some(answers) => {
                    assert_eq!(call.request_state.as_deref(), Some(STATE));
                    text(format!("closed: {}", answers["reason"]))
                }
            },
            "change" => {
                self.state.is_changed.store(true, Ordering::SeqCst);
                _ = context.peer.notify_tool_list_changed().await;
                text("changed")
            }
            _ => return Err(ErrorData::invalid_params("there is no such tool", None)),
        })
    }
}

fn question() -> InputRequiredResult {
    let schema = json!({ "type": "object", "properties": { "why": { "type": "string" } }, "required": ["why"] });
    let params = json!({ "mode": "form", "message": "Why?", "requestedSchema": schema });
    let request = serde_json::from_value(json!({ "method": "elicitation/create", "params": params })).unwrap();
    InputRequiredResult::new(Some([("reason".to_owned(), request)].into()), Some(STATE.to_owned()))
}
