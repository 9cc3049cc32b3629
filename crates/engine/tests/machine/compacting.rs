//! Tests of turns that replace earlier messages with a summary.

use insta::assert_snapshot;
use turnkit_core::ports::CompactionCalls;
use turnkit_core::{Message, Summary, TurnStatus, Usage};
use turnkit_engine::machine::{Compaction, Input};

use crate::trace::{Trace, usage};

fn compaction(summary: Result<Message, &str>) -> Input {
    let summary = summary.map(|summary| (summary, 30)).map_err(str::to_owned);
    let calls = Some(CompactionCalls { provider: "p".into(), model: "m".into(), usage: usage() });
    Input::CompactionFinished(Box::new(Compaction { messages: 4, tokens_before: 90, summary, calls, ms: 5 }))
}

#[test]
fn a_summary_is_written_with_the_end_of_its_turn() {
    let summary = Message::of_summary(Summary { text: "They met.".to_owned(), covers: 4, ..Summary::default() });
    assert_snapshot!(Trace::compacting().takes("compacted", &compaction(Ok(summary))).end(), @r#"
    > compact: step 1 attempt 1
    < compacted
      says user: Summary(Summary { text: "They met.", covers: 4, keeps: None, untrusted: false, contexts: false }) (summary)
      logs compacted 4: done, 10 + 2 tokens, 0 unmetered
      logs turn ended: completed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn a_compaction_that_failed_writes_no_summary() {
    assert_snapshot!(Trace::compacting().takes("failed", &compaction(Err("it is empty"))).end(), @r"
    > compact: step 1 attempt 1
    < failed
      says assistant: notice compaction_failed
      logs compacted 4: it is empty, 10 + 2 tokens, 0 unmetered
      logs error compaction_failed (Turn, retryable)
      logs turn ended: failed, 10 + 2 tokens, 1 steps
      commits, ends
    > done: failed
    ");
}

#[test]
fn a_turn_with_nothing_to_summarise_completes() {
    assert_snapshot!(Trace::compacting().takes("nothing", &Input::NothingToCompact).end(), @r#"
    > compact: step 1 attempt 1
    < nothing
      logs Notice { code: "nothing_to_compact", text: "there is nothing to summarise: the session has no more than its newest messages" }
      logs turn ended: completed, 0 + 0 tokens, 1 steps
      commits, ends
    > done: completed
    "#);
}

#[test]
fn a_compaction_that_was_stopped_accounts_for_its_model_call() {
    let stopped =
        Input::CompactionStopped { status: TurnStatus::Cancelled, error: None, usage: Some(Usage::unmetered()) };
    assert_snapshot!(Trace::compacting().takes("stopped", &stopped).end(), @r"
    > compact: step 1 attempt 1
    < stopped
      logs compacted 0: it was stopped, 0 + 0 tokens, 1 unmetered
      logs turn ended: cancelled, 0 + 0 tokens, 1 steps
      commits, ends
    > done: cancelled
    ");
}

#[test]
fn a_compaction_is_resumed_and_handed_over() {
    assert_snapshot!(Trace::compacting().hands_over_call(None).resumes(2, 0).end(), @r"
    > compact: step 1 attempt 1
    < handed over
      logs retracted from 3, attempt 2, 1 lost
      commits
    > compact: step 1 attempt 1
    < resumed 2
      logs retracted from 10, attempt 2, 0 lost
      holds
    > compact: step 1 attempt 2
    ");
}

#[test]
fn a_turn_with_a_message_continues_after_a_compaction_with_the_next_attempt() {
    let summary = Message::of_summary(Summary { text: "They met.".to_owned(), covers: 4, ..Summary::default() });
    let trace = Trace::new().takes("compacted", &compaction(Ok(summary)));
    assert_snapshot!(trace.takes("failed", &compaction(Err("it is empty"))).end(), @r#"
    > call model: step 1 attempt 1
    < compacted
      says user: Summary(Summary { text: "They met.", covers: 4, keeps: None, untrusted: false, contexts: false }) (summary)
      logs compacted 4: done, 10 + 2 tokens, 0 unmetered
      commits
    > call model: step 1 attempt 2
    < failed
      logs compacted 4: it is empty, 10 + 2 tokens, 0 unmetered
      logs Notice { code: "compaction_failed", text: "earlier messages were not summarised: it is empty" }
      commits
    > call model: step 1 attempt 3
    "#);
}

#[test]
fn a_turn_with_a_message_that_is_stopped_in_a_compaction_accounts_for_its_model_call() {
    let stopped =
        Input::CompactionStopped { status: TurnStatus::Cancelled, error: None, usage: Some(Usage::unmetered()) };
    assert_snapshot!(Trace::new().takes("stopped", &stopped).end(), @r"
    > call model: step 1 attempt 1
    < stopped
      logs compacted 0: it was stopped, 0 + 0 tokens, 1 unmetered
      logs turn ended: cancelled, 0 + 0 tokens, 1 steps
      commits, ends
    > done: cancelled
    ");
}
