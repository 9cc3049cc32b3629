//! The host: the process that is killed. It runs a service on a data directory, with a client at the other end of its
//! pipes.

mod context;
mod http;
mod model;
mod mutant;
mod pipes;
mod take_over;
mod tools;
mod trap;

use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use tokio::runtime::Handle;
use turnkit_broker::InProcess;
use turnkit_core::ports::{Broker, Clock as _, IdSource as _, Store};
use turnkit_engine::permission::{Decision, Rule};
use turnkit_engine::{
    Agent, AgentSettings, ContextSettings, Failpoints, Instructions, RandomIds, ServiceParts, SystemClock, TurnService,
};
use turnkit_store::{DataDirectory, SqliteOptions, SqliteStore};

use crate::kill::{HostTool, Over};
use crate::{Ledger, VirtualClock};
pub use model::Question;
pub use mutant::Mutant;
use mutant::mutated;
use take_over::{LEASE, Other};
pub use trap::Pass;
use trap::{Trap, die};

/// The file name of the database in the data directory.
pub const DATABASE: &str = "turnkit.db";
/// The file name of the [`Ledger`] of tool effects.
pub const LEDGER: &str = "ledger";
/// The file name of the questions to the model, one [`Question`] per line.
pub const QUESTIONS: &str = "questions";

/// The agent of turns without a person.
const AGENT: &str = "worker";
/// The agent of turns with a person. It has sub-agents whose reports are untrusted text, so some calls need approval
/// although no rule requires it.
pub const AGENT_FOR_PERSON: &str = "clerk";

/// The number of turns that run at once. It is smaller than the number of sessions, so that some turns wait.
const SLOTS: usize = 2;

/// The delay after which the text of a growing answer is saved. It is shorter than the model's pause.
const PARTIAL_SAVE: Duration = Duration::from_millis(1);

/// Options of a host.
#[derive(Debug, Clone, clap::Args)]
pub struct HostOptions {
    /// The data directory; created if it does not exist.
    pub directory: PathBuf,
    /// How clients reach the host.
    #[arg(long, default_value_t)]
    pub over: Over,
    /// The pass of a point at which the host kills itself.
    #[arg(long, value_name = "POINT:COUNT")]
    pub kill_at: Option<Pass>,
    /// The pass of a point at which another worker takes over all running turns while the host keeps running.
    #[arg(long, value_name = "POINT:COUNT", conflicts_with = "kill_at")]
    pub take_over_at: Option<Pass>,
    /// A bug to plant in the store.
    #[arg(long)]
    pub mutant: Option<Mutant>,
    /// The initial suspension, in milliseconds, of turns that saw two hosts die.
    #[arg(long, default_value_t = 0)]
    pub suspension_ms: u64,
    /// The maximum number of messages per request; 0 means no limit.
    #[arg(long, default_value_t = 0)]
    pub most_messages: u32,
}

/// Resumes unfinished turns, then executes the client's commands until standard input ends.
///
/// # Errors
/// The data directory cannot be used.
pub fn serve(options: &HostOptions) -> Result<(), Box<dyn Error>> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(run(options))
}

async fn run(options: &HostOptions) -> Result<(), Box<dyn Error>> {
    let directory = DataDirectory::lock(&options.directory)?;
    let database = SqliteOptions::at(directory.path().join(DATABASE));
    let leases = Arc::new(VirtualClock::fixed(SystemClock.now()));
    let mut sqlite = SqliteStore::open(&database)?;
    if options.take_over_at.is_some() {
        // Opening the store took over the turns of the previous process. From now on leases decide ownership.
        drop(sqlite);
        sqlite = SqliteStore::open_shared(&database, leases.clone(), LEASE)?;
    }
    let sqlite = Arc::new(sqlite);
    let store: Arc<dyn Store> = match options.mutant {
        Some(mutant) => mutated(sqlite.clone(), mutant),
        None => sqlite.clone(),
    };
    let broker: Arc<dyn Broker> = Arc::new(InProcess::default());
    let trap = Arc::new(Trap::at(options.kill_at.clone().or_else(|| options.take_over_at.clone())));
    if options.take_over_at.is_some() {
        let (worker, runtime) = (RandomIds.worker(SystemClock.now()), Handle::current());
        store.register(&worker).await?;
        let other = Other { store: store.clone(), worker, leases, broker: broker.clone(), runtime };
        trap.set(move || other.take_over());
    } else {
        trap.set(die);
    }
    sqlite.on_failpoint({
        let trap = trap.clone();
        move |name| trap.pass(name)
    });
    let service = TurnService::new(ServiceParts {
        first_suspension: Duration::from_millis(options.suspension_ms),
        ..parts(options, &directory, store, broker, &trap)?
    });
    service.resume_unfinished().await?;
    match options.over {
        Over::Pipes => {
            pipes::serve(&service, &sqlite).await;
            Ok(())
        }
        Over::Http => http::serve(service, sqlite).await,
    }
}

fn parts(
    options: &HostOptions,
    directory: &DataDirectory,
    store: Arc<dyn Store>,
    broker: Arc<dyn Broker>,
    trap: &Arc<Trap>,
) -> std::io::Result<ServiceParts> {
    let ledger = Ledger::open(directory.path().join(LEDGER))?;
    let provider = model::model(&directory.path().join(QUESTIONS), trap.clone())?;
    let asks = |tool: HostTool| Rule::new(tool.name(), Decision::Ask);
    let rules = vec![Rule::new("*", Decision::Allow), asks(HostTool::Transfer), asks(HostTool::Replace)];
    let agent = |name: &str, tools| Agent {
        name: name.to_owned(),
        flow: Arc::new(Instructions::default()),
        tools,
        settings: AgentSettings {
            rules: rules.clone(),
            partial_save: Some(PARTIAL_SAVE),
            context: ContextSettings { max_messages: options.most_messages, ..ContextSettings::default() },
            context_pipeline: Some(Arc::new(context::pipeline())),
            compactor: Some(Arc::new(context::Summaries)),
            ..AgentSettings::default()
        },
    };
    let agents = vec![
        agent(AGENT, tools::tools(&ledger, trap)),
        agent(AGENT_FOR_PERSON, tools::tools_for_person(&ledger, trap)),
    ];
    let passing = trap.clone();
    Ok(ServiceParts {
        store,
        broker,
        provider: Arc::new(provider),
        directory: None,
        agents,
        clock: Arc::new(SystemClock),
        ids: Arc::new(RandomIds),
        worker: RandomIds.worker(SystemClock.now()),
        slots: SLOTS,
        first_suspension: Duration::ZERO,
        failpoints: Failpoints::new(move |name| passing.pass(name)),
    })
}
