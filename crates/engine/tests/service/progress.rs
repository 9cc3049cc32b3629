//! Tests of the progress reports that running calls send to the followers of their turn.

use std::time::Duration;

use serde_json::json;
use turnkit_core::{ToolFlags, ToolProgress, TurnId};
use turnkit_engine::{FeedItem, SessionFeed, SessionUpdate, TurnFeed};
use turnkit_testkit::tools::TestTool;
use turnkit_testkit::{Gate, Reply};

use crate::sub_agents::failures;
use crate::support::{Setup, World, ada, pass, until};

/// Sets up a process whose tool reports twice at once, and a third time after the gate opens.
fn copying(gate: &Gate) -> Setup {
    let gate = gate.clone();
    let copy = TestTool::new("copy", ToolFlags::read_only(), move |_, context| {
        let gate = gate.clone();
        Box::pin(async move {
            context.progress.report("1 of 3");
            context.progress.report("2 of 3");
            gate.pass().await;
            context.progress.report("3 of 3");
            Ok("copied".into())
        })
    });
    Setup::from(vec![Reply::new().call("copy", json!({})), Reply::text("Done.")]).tool(copy)
}

/// Returns the next report in the feed of a turn.
async fn reported(feed: &mut TurnFeed) -> String {
    loop {
        match feed.next().await.unwrap() {
            Some(FeedItem::Progress(progress)) => return progress.text.to_string(),
            Some(FeedItem::Event(_)) => {}
            other => panic!("no report: {other:?}"),
        }
    }
}

/// Returns the next report in the feed of a session.
async fn reported_in_session(feed: &mut SessionFeed) -> (TurnId, String) {
    loop {
        if let SessionUpdate::Progress { turn, progress } = feed.next(&mut Vec::new()).await.unwrap() {
            return (turn, progress.into_iter().map(|progress| progress.text.to_string()).collect());
        }
    }
}

#[test]
fn followers_of_the_turn_and_of_its_session_read_the_reports_of_a_running_call() {
    let (world, gate) = (World::new(), Gate::new());
    world.life(copying(&gate), async |host| {
        let accepted = host.submit("copy").await;
        let mut feed = host.follow(accepted.turn, None).await;
        let mut of_session = host.service.follow_session(&ada(), accepted.session, None).await.unwrap();
        assert_eq!(until(&mut feed, "tool.started").await.kind.name(), "tool.started");
        assert_eq!(reported(&mut feed).await, "1 of 3");
        assert_eq!(reported_in_session(&mut of_session).await, (accepted.turn, "1 of 3".to_owned()));
        pass(ToolProgress::INTERVAL).await;
        assert_eq!(reported(&mut feed).await, "2 of 3");
        assert_eq!(reported_in_session(&mut of_session).await, (accepted.turn, "2 of 3".to_owned()));
        let mut late = host.follow(accepted.turn, None).await;
        assert_eq!(reported(&mut late).await, "2 of 3");
        gate.open();
        let events = host.events(accepted.turn).await;
        assert_eq!(events, host.stored(accepted.turn).await, "reports are not events");
        let mut after = host.follow(accepted.turn, None).await;
        while let Some(item) = after.next().await.unwrap() {
            assert!(matches!(item, FeedItem::Event(_)), "{item:?}");
        }
    });
}

#[test]
fn the_model_reads_the_last_report_of_a_call_that_was_stopped_at_its_time_limit() {
    let (world, gate) = (World::new(), Gate::new());
    let limit = Duration::from_secs(30);
    let setup = copying(&gate).with(|setup| setup.settings.tool_call_limits.timeout = limit);
    world.life(setup, async |host| {
        let accepted = host.submit("copy").await;
        gate.reached().await;
        pass(limit).await;
        let events = host.events(accepted.turn).await;
        let why = "Error executing copy: the tool did not finish within 30 s; its last report was: 2 of 3";
        assert_eq!(failures(&events), [why]);
    });
}

#[test]
fn a_call_that_runs_again_after_a_crash_reports_again() {
    let (world, gate) = (World::new(), Gate::new());
    let turn = world.life(copying(&gate), async |host| {
        let accepted = host.submit("copy").await;
        assert_eq!(reported(&mut host.follow(accepted.turn, None).await).await, "1 of 3");
        accepted.turn
    });
    world.life(copying(&gate), async |host| {
        let mut feed = host.follow(turn, None).await;
        host.service.resume_unfinished().await.unwrap();
        assert_eq!(reported(&mut feed).await, "1 of 3");
        gate.open();
        host.ends(turn).await;
    });
}
