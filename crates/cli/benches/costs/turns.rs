//! Runs whole turns of the binary, one after another.

use tokio::runtime::Builder;
use turnkit_testkit::FakeUpstream;

use crate::Outcome;
use crate::mcp_servers::McpServers;
use crate::server::Server;
use crate::upstream::Kind;

/// Runs `count` turns on a server under `counter`.
pub(crate) fn run(count: &str, kind: &str, counter: &[&str]) -> Outcome {
    let count: usize = count.parse()?;
    let kind = Kind::read(kind).ok_or_else(|| format!("`{kind}` is not a kind of turn"))?;
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let upstream = FakeUpstream::start([]).await?;
        let servers = McpServers::start(kind.mcp_servers()).await?;
        let server = Server::start(&upstream, &servers, counter).await?;
        server.read_tools(&servers).await?;
        let mut client = server.connect().await?;
        for _ in 0..count {
            let script = kind.script();
            script.responses.into_iter().for_each(|response| upstream.push(response));
            client.turn(&script.gates).await?;
        }
        drop(client);
        check(&upstream, &servers)?;
        server.stop().await
    })
}

/// Checks that the last turn had the deferred tools of the servers, so that their cost was counted.
fn check(upstream: &FakeUpstream, servers: &McpServers) -> Outcome {
    let request = upstream.requests().pop().ok_or("no turn was run")?.json();
    let tools = request["tools"].as_array().ok_or("the model was sent no tools")?;
    let has_search = tools.iter().any(|tool| tool["function"]["name"] == "tool_search");
    if has_search == servers.is_empty() {
        Err("the deferred tools are not those of the servers".into())
    } else {
        Ok(())
    }
}
