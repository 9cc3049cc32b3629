//! Turns that survive the process: start it, kill it in the middle, start it again. Its data goes to the folder that is
//! named on the command line.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::PathBuf;
use std::sync::Arc;

use turnkit::broker::InProcess;
use turnkit::core::ports::{Clock as _, IdSource as _};
use turnkit::core::{BranchPoint, ClientCaps, SamplingParams, Scope, SessionKey};
use turnkit::engine::{
    Agent, AgentSettings, Failpoints, FeedItem, FollowFrom, Instructions, RandomIds, ServiceParts, SystemClock,
    TurnRequest, TurnService,
};
use turnkit::llm::offline::OfflineResponder;
use turnkit::store::{DataDirectory, SqliteOptions, SqliteStore};
use turnkit::{EventKind, Message};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| "turnkit-durable".into(), PathBuf::from);
    let _directory = DataDirectory::lock(&folder)?; // one process at a time
    let store = Arc::new(SqliteStore::open(&SqliteOptions::at(folder.join("turnkit.db")))?);
    let clock = Arc::new(SystemClock);
    let worker = RandomIds.worker(clock.now()); // a fresh id at each start
    let service = TurnService::new(ServiceParts {
        store,
        broker: Arc::new(InProcess::default()),
        provider: Arc::new(OfflineResponder),
        directory: None,
        agents: vec![Agent {
            name: "assistant".to_owned(),
            flow: Arc::new(Instructions(Some("Be brief.".to_owned()))),
            tools: Vec::new(),
            settings: AgentSettings::default(),
        }],
        clock,
        ids: Arc::new(RandomIds),
        worker,
        slots: 100,
        first_suspension: TurnService::FIRST_SUSPENSION,
        failpoints: Failpoints::default(),
    });
    println!("resumed {} turns", service.resume_unfinished().await?);

    let scope = Scope::local();
    let request = TurnRequest {
        session: SessionKey::Name("diary".parse()?),
        agent: None,
        route: None,
        params: SamplingParams::default(),
        tools: None,
        client_tools: Vec::new(),
        mode: None,
        message: Message::user("Hello again."),
        files: Vec::new(),
        context: None,
        caps: ClientCaps { interact: false, resume: true },
        busy: None,
        idempotency: None,
        after: BranchPoint::Head,
        trace: None,
    };
    let receipt = service.accept(&scope, request).await?; // from here on the turn is safe
    let mut feed = service.follow(&scope, receipt.turn, FollowFrom::Start).await?;
    while let Some(item) = feed.next().await? {
        if let FeedItem::Event(event) = item {
            println!("{} {}", event.cursor(feed.number()), event.kind.name());
            if let EventKind::TurnEnded { text, .. } = event.kind {
                println!("{text}");
            }
        }
    }
    Ok(())
}
