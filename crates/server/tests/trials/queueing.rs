//! Trial: the turns of a session run one at a time, in the order of their requests.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use serde_json::json;
use tempfile::tempdir;
use tokio::task::JoinSet;
use turnkit_core::ToolFlags;
use turnkit_core::ports::Tool;
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::trial::{Size, report};
use turnkit_testkit::{Gate, Reply, ScriptedProvider};

use crate::installation::Installation;

/// The number of messages that one session receives.
const MESSAGES: usize = 64;

/// The observations of the trial's tool, which every turn calls once.
#[derive(Default)]
struct Probe {
    inside: AtomicUsize,
    most_inside: AtomicUsize,
    order: Mutex<Vec<String>>,
}

impl Probe {
    /// Returns a tool that stays in its call long enough for concurrent calls to be observed.
    fn tool(self: &Arc<Self>, gate: &Gate) -> Arc<dyn Tool> {
        let (probe, gate) = (self.clone(), gate.clone());
        Arc::new(TestTool::new("probe", ToolFlags::read_only(), move |_, context| {
            let (probe, gate) = (probe.clone(), gate.clone());
            let turn = context.uid.turn.to_string();
            Box::pin(async move {
                let inside = probe.inside.fetch_add(1, Ordering::SeqCst) + 1;
                probe.most_inside.fetch_max(inside, Ordering::SeqCst);
                probe.order.lock().unwrap().push(turn);
                gate.pass().await;
                // Lets any concurrent call run now.
                tokio::task::yield_now().await;
                probe.inside.fetch_sub(1, Ordering::SeqCst);
                Ok("seen".into())
            })
        }))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_runs_one_turn_at_a_time_in_the_order_they_came() {
    let rounds = Size::from_env().of(4, 100);
    for round in 0..rounds {
        // In every other round, all messages are sent at once. In the other rounds, they are sent one after the other
        // while the first turn is held.
        one_session(round % 2 == 0).await;
    }
    let counted = format!("{rounds} sessions × {MESSAGES} messages: at most 1 turn at a time, in order, 0 failures");
    report("one session at once", counted);
}

async fn one_session(at_once: bool) {
    let data = tempdir().unwrap();
    let (probe, gate) = (Arc::new(Probe::default()), Gate::new());
    let model = ScriptedProvider::answering(|_, call| {
        Some(if call.step == 1 { Reply::new().call("probe", json!({})) } else { Reply::text("Done.") })
    });
    let installation = Arc::new(Installation::start(data.path(), Arc::new(model), vec![probe.tool(&gate)]).await);
    let session = installation.session().await;
    let posted = if at_once {
        gate.open();
        let mut posts = JoinSet::new();
        for number in 0..MESSAGES {
            let (installation, session) = (installation.clone(), session.clone());
            posts.spawn(async move { installation.say(&session, &number.to_string()).await });
        }
        posts.join_all().await;
        numbered(&installation, &session).await
    } else {
        let mut posted = Vec::new();
        for number in 0..MESSAGES {
            posted.push(installation.say(&session, &number.to_string()).await);
        }
        assert_eq!(numbered(&installation, &session).await, posted, "turns are numbered as they came");
        gate.open();
        posted
    };
    for turn in &posted {
        assert_eq!(installation.ended(turn).await, "completed");
    }
    assert_eq!(probe.most_inside.load(Ordering::SeqCst), 1, "turns that ran at the same time");
    assert_eq!(*probe.order.lock().unwrap(), posted, "turns run in the order of their numbers");
}

/// Returns the turns of a session, ordered by their numbers.
async fn numbered(installation: &Installation, session: &str) -> Vec<String> {
    let listed = installation.get(&format!("/api/v1/turns?session={session}&limit=200")).await;
    let mut turns: Vec<(u64, String)> = listed["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|turn| (turn["number"].as_u64().unwrap(), turn["id"].as_str().unwrap().to_owned()))
        .collect();
    turns.sort();
    assert_eq!(turns.len(), MESSAGES);
    turns.into_iter().map(|(_, id)| id).collect()
}
