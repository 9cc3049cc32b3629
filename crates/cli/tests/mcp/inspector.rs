//! The command line of the Inspector, as a client of `POST /mcp` and of `turnkit mcp serve`.

use serde_json::{Value, json};

use crate::packages::Packages;
use crate::workspace::{Outcome, Workspace, outcome};

const AGENTS: &str = "[[agents]]\nname = \"support\"\ndescription = \"Answers questions.\"\n";

/// How the Inspector begins: with a handshake, or without one.
const ERAS: [&str; 2] = ["legacy", "modern"];

/// The Inspector, and the server that it examines.
struct Inspector<'a> {
    packages: &'a Packages,
    workspace: &'a Workspace,
    /// The words that select the server.
    target: Vec<String>,
}

impl Inspector<'_> {
    async fn run(&self, era: &str, words: &[&str]) -> Outcome {
        let mut command = self.workspace.command(&self.packages.node());
        // Without this variable, it looks for the keys of the desktop's user.
        command.env("MCP_INSPECTOR_SECRET_STORE", "memory");
        command.arg(self.packages.script("mcp-inspector")).arg("--cli").args(&self.target);
        command.args(["--format", "json", "--quiet", "--protocol-era", era]).args(words);
        outcome(command.spawn().unwrap()).await
    }

    /// Lists the agent and calls it.
    async fn check(&self, era: &str) {
        // It fails if other programs cannot use the schemas.
        let listed = self.run(era, &["--method", "tools/list", "--strict"]).await;
        assert_eq!(listed.code, Some(0), "{era}: {listed:?}");
        assert_eq!(result(&listed)["tools"][0]["name"], "support", "{era}: {listed:?}");

        let call = ["--method", "tools/call", "--tool-name", "support"];
        let arguments = ["--tool-args-json", r#"{"message":"What is 6 x 7?"}"#];
        let called = self.run(era, &[&call[..], &arguments].concat()).await;
        assert_eq!(called.code, Some(0), "{era}: {called:?}");
        assert_eq!(result(&called)["content"], json!([{ "type": "text", "text": "6 * 7 is 42." }]), "{era}");

        let missing = self.run(era, &call).await;
        assert_eq!(missing.code, Some(5), "{era}: {missing:?}");
        assert_eq!(result(&missing)["content"][0]["text"], "params.arguments.message: missing", "{era}");

        let unknown = self.run(era, &["--method", "tools/call", "--tool-name", "nobody"]).await;
        assert_eq!(unknown.code, Some(5), "{era}: {unknown:?}");
        assert!(unknown.stderr.contains("tool_not_found"), "{era}: {unknown:?}");
    }
}

/// Returns the result that the Inspector has printed.
fn result(done: &Outcome) -> Value {
    let printed: Value = serde_json::from_str(&done.stdout).unwrap_or_else(|error| panic!("{error}: {done:?}"));
    printed["result"].clone()
}

#[tokio::test]
async fn the_inspector_lists_and_calls_agents_over_http() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::new(AGENTS);
    let serving = workspace.serve().await;
    let target = vec![format!("{}/mcp", serving.url), "--transport".to_owned(), "http".to_owned()];
    let inspector = Inspector { packages: &packages, workspace: &workspace, target };
    for era in ERAS {
        inspector.check(era).await;
        let call = ["--method", "tools/call", "--tool-name", "support", "--tool-arg", "message=Hello"];
        let load = ["--load", "--load-requests", "50", "--load-concurrency", "10"];
        let loaded = inspector.run(era, &[&call[..], &load].concat()).await;
        assert_eq!(loaded.code, Some(0), "{era}: {loaded:?}");
    }
}

#[tokio::test]
async fn the_inspector_lists_and_calls_agents_over_pipes() {
    let Some(packages) = Packages::installed() else { return };
    let workspace = Workspace::new(AGENTS);
    let server = json!({ "command": env!("CARGO_BIN_EXE_turnkit"), "args": ["mcp", "serve"] });
    let servers = json!({ "mcpServers": { "turnkit": server } });
    std::fs::write(workspace.path().join("servers.json"), servers.to_string()).unwrap();
    let target = ["--config", "servers.json", "--server", "turnkit"].map(str::to_owned).to_vec();
    let inspector = Inspector { packages: &packages, workspace: &workspace, target };
    for era in ERAS {
        inspector.check(era).await;
    }
}
