//! What the tests share: settings, and calls of tools.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;
use tokio::sync::Notify;
use turnkit_core::ports::{ReportProgress, Tool, ToolContext, ToolSet, ToolSource as _};
use turnkit_core::{CallUid, RawJson, Session, SessionId, Timestamp, ToolAnswer, ToolError, ToolOutput, TurnId};
use turnkit_mcp::{HttpServer, McpServer, McpServerSettings, Transport, Trust};
use turnkit_net::{ClientOptions, HttpClient, Target};

/// Returns the settings of a trusted server at this address.
pub(crate) fn settings(address: SocketAddr) -> McpServerSettings {
    let target = Target::new(&format!("http://{address}/mcp")).unwrap();
    with(Transport::Http(HttpServer::new(client(), target)))
}

pub(crate) fn client() -> HttpClient {
    HttpClient::new(&ClientOptions::default())
}

/// Returns the settings of a trusted server that is reached in this way.
pub(crate) fn with(transport: Transport) -> McpServerSettings {
    let mut settings = McpServerSettings::new("tickets", transport).unwrap();
    settings.trust = Trust::Annotations;
    settings
}

pub(crate) fn server(settings: McpServerSettings) -> McpServer {
    McpServer::new(settings).unwrap()
}

/// Returns the names of the tools that a server offers.
pub(crate) fn names(tools: &ToolSet) -> Vec<&str> {
    tools.tools().iter().map(|tool| tool.definition().name.as_str()).collect()
}

/// Returns a tool of a server by its name there.
pub(crate) async fn tool(server: &McpServer, name: &str) -> Arc<dyn Tool> {
    let tools = server.tools(None).await.unwrap();
    let name = format!("tickets__{name}");
    let tool = tools.tools().iter().find(|tool| tool.definition().name == name);
    Arc::clone(tool.unwrap())
}

pub(crate) async fn call(tool: &Arc<dyn Tool>, arguments: &Value) -> Result<ToolOutput, ToolError> {
    call_with(tool, arguments, None, &Reports::default()).await
}

pub(crate) async fn call_with(
    tool: &Arc<dyn Tool>,
    arguments: &Value,
    answer: Option<&ToolAnswer>,
    progress: &Reports,
) -> Result<ToolOutput, ToolError> {
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let arguments = RawJson::parse(&arguments.to_string()).unwrap();
    tool.call(&arguments, ToolContext { answer, progress, ..ToolContext::new(&session, uid) }).await
}

/// Returns the error of a call whose outcome is unknown for this reason.
pub(crate) fn unknown(reason: &str) -> ToolError {
    ToolError::OutcomeUnknown { reason: Some(reason.to_owned()) }
}

/// Keeps the progress reports of a call.
#[derive(Default)]
pub(crate) struct Reports {
    pub(crate) texts: Mutex<Vec<String>>,
    pub(crate) arrived: Arc<Notify>,
}

impl ReportProgress for Reports {
    fn report(&self, text: &str) {
        self.texts.lock().unwrap().push(text.to_owned());
        self.arrived.notify_one();
    }
}

/// Waits until a condition holds that nothing announces. Fails after ten seconds.
pub(crate) async fn until(mut holds: impl FnMut() -> bool) {
    for _ in 0..1_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert!(holds(), "the condition still does not hold");
}

/// Advances the time, without a pause in which the other end of a connection would seem to be late.
pub(crate) async fn pass(time: Duration) {
    tokio::time::pause();
    tokio::time::advance(time).await;
    tokio::time::resume();
}
