//! Runs whole turns of the binary, one after another.

use tokio::runtime::Builder;
use turnkit_testkit::FakeUpstream;

use crate::Outcome;
use crate::server::Server;
use crate::upstream::Kind;

/// Runs `count` turns on a server under `counter`.
pub(crate) fn run(count: &str, kind: &str, counter: &[&str]) -> Outcome {
    let count: usize = count.parse()?;
    let kind = Kind::read(kind).ok_or_else(|| format!("`{kind}` is not a kind of turn"))?;
    Builder::new_current_thread().enable_all().build()?.block_on(async {
        let upstream = FakeUpstream::start([]).await?;
        let server = Server::start(&upstream, counter).await?;
        let mut client = server.connect().await?;
        for _ in 0..count {
            let script = kind.script();
            script.responses.into_iter().for_each(|response| upstream.push(response));
            client.turn(&script.gates).await?;
        }
        drop(client);
        server.stop().await
    })
}
