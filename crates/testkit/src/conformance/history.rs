//! The history that a turn continues.

use turnkit_core::ports::{Fork, MessagePage, SessionStore as _, TurnStore as _};
use turnkit_core::{
    Anchor, Arguments, BranchPoint, CallUid, Checkpoint, Claim, ClaimedTurn, Edits, Entry, History, Message, NewTurn,
    Part, PruneReason, PrunedResult, Role, SessionId, SessionKey, StopReason, Summary, ToolCall, ToolResult, TurnId,
    TurnStatus,
};

use super::fixture::{Error, answer, sent, texts};
use super::{Backend, Fixture, Outcome, running};

/// The history has the messages of the earlier turns of the branch, oldest first, without those of the turn itself.
pub async fn a_turn_sees_the_messages_of_the_turns_before_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    assert!(fixture.store().history(&first.claim).await?.is_empty());
    fixture.end(&first.claim, "1").await?;
    let other = fixture.start("another session").await?;
    fixture.end(&other.claim, "x").await?;

    let accept = fixture.says(SessionKey::Id(first.session.id), "two");
    let second = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    fixture.end(&second.claim, "2").await?;
    let accept = fixture.says(SessionKey::Id(first.session.id), "three");
    let third = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    assert_eq!((third.number, third.messages), (3, 5));
    assert_eq!(sent(&fixture.store().history(&third.claim).await?), ["one", "1", "two", "2"]);
    Ok(())
}

/// The dropped message never gets an answer, so the turn is not an ancestor of later turns.
pub async fn a_turn_that_ended_unstarted_is_not_in_the_history<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let dropped = fixture.enqueue(first.session.id, "never mind").await?;
    fixture.enqueue(first.session.id, "three").await?;
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;
    let third = fixture.end(&first.claim, "1").await?.ok_or("nothing was promoted")?;
    assert_eq!((third.number, third.messages), (3, 3));
    assert_eq!(sent(&fixture.store().history(&third.claim).await?), ["one", "1"]);
    assert_eq!(fixture.said_in(dropped).await?, ["never mind"]);
    Ok(())
}

/// A client that opens the session sees the question that is being answered.
pub async fn messages_of_a_session_include_the_running_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    fixture.end(&first.claim, "1").await?;
    let accept = fixture.says(SessionKey::Id(first.session.id), "two");
    let second = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    fixture.enqueue(first.session.id, "three").await?;
    fixture.store().checkpoint(&second.claim, fixture.boundary(&second.claim, 2, "2a")?).await?;
    let said = fixture.store().messages(&fixture.scope(), first.session.id).await?;
    assert_eq!(texts(&said), ["one", "1", "two", "2a"]);
    Ok(())
}

/// Turn numbers of two and three digits sort after those of one.
pub async fn a_long_history_comes_back_in_order<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let mut claimed = fixture.start("question 1").await?;
    let mut expected = Vec::new();
    for number in 1..=120 {
        expected.extend([format!("question {number}"), format!("answer {number}")]);
        fixture.end(&claimed.claim, &format!("answer {number}")).await?;
        let accept = fixture.says(SessionKey::Id(claimed.session.id), &format!("question {}", number + 1));
        claimed = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    }
    assert_eq!(sent(&fixture.store().history(&claimed.claim).await?), expected);
    assert_eq!(claimed.messages, 241);
    Ok(())
}

/// Creates the checkpoint that ends a turn, with a summary before its answer.
fn summarised<B: Backend>(
    fixture: &Fixture<B>,
    claim: &Claim,
    summary: Summary,
    text: &str,
) -> Result<Checkpoint, Error> {
    let last = fixture.ending(claim, 2, TurnStatus::Completed, text)?;
    Ok(Checkpoint { messages: vec![Entry::new(Message::of_summary(summary)), answer(text)], ..last })
}

fn of(text: &str, covers: u32, keeps: Option<u32>) -> Summary {
    Summary { text: text.to_owned(), covers, keeps, ..Summary::default() }
}

async fn say<B: Backend>(fixture: &Fixture<B>, session: SessionId, text: &str) -> Result<ClaimedTurn, Error> {
    running(fixture.store().accept(&fixture.scope(), fixture.says(SessionKey::Id(session), text)).await?)
}

/// Creates a session of three turns, the last of which summarised the first, and returns their claims.
async fn with_summary<B: Backend>(fixture: &Fixture<B>) -> Result<[ClaimedTurn; 3], Error> {
    let first = fixture.start("one").await?;
    fixture.end(&first.claim, "1").await?;
    let second = say(fixture, first.session.id, "two").await?;
    fixture.end(&second.claim, "2").await?;
    let third = say(fixture, first.session.id, "three").await?;
    let last = summarised(fixture, &third.claim, of("they met", 2, None), "3")?;
    fixture.store().checkpoint(&third.claim, last).await?;
    Ok([first, second, third])
}

/// A summary changes the history, not the messages of the session. It counts as a message, so a process that cached the
/// history can tell from the count that its copy is outdated.
pub async fn a_summary_leaves_out_the_messages_that_it_covers<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let [first, ..] = with_summary(&fixture).await?;
    let session = first.session.id;
    let fixture = fixture.restart().await?;
    let last = fixture.store().session_history(&fixture.scope(), session).await?;
    let next = say(&fixture, session, "four").await?;
    assert_eq!(next.messages, 8);
    let history = fixture.store().history(&next.claim).await?;
    assert_eq!((sent(&last), last.branch_len()), (sent(&history), history.branch_len()));
    assert_eq!(
        (sent(&history), history.branch_len()),
        (["they met", "two", "2", "three", "3"].map(str::to_owned).into(), 7)
    );
    let places: Vec<_> = history.shown().map(|shown| shown.place).collect();
    assert_eq!(places, [2, 3, 4, 6]);

    let said = ["one", "1", "two", "2", "three", "3", "four"];
    assert_eq!(texts(&fixture.store().messages(&fixture.scope(), session).await?), said);
    for (limit, context, expected) in [
        (9, false, vec!["four", "3", "three", "2", "two", "1", "one"]),
        (3, false, vec!["four", "3", "three"]),
        (3, true, vec!["four", "3", ""]),
        (9, true, vec!["four", "3", "", "three", "2", "two", "1", "one"]),
    ] {
        let page = MessagePage { limit, before: None, context };
        let found = fixture.store().message_page(&fixture.scope(), session, page).await?;
        assert_eq!(found.iter().map(|stored| stored.message.text()).collect::<Vec<_>>(), expected);
    }
    Ok(())
}

/// Each summary replaces the one before it, also within one turn, and may keep the question of that turn.
pub async fn the_newest_summary_counts<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let [first, ..] = with_summary(&fixture).await?;
    let fourth = say(&fixture, first.session.id, "four").await?;
    let mut middle = fixture.boundary(&fourth.claim, 2, "4a")?;
    middle.messages.extend([answer("4b"), Entry::new(Message::of_summary(of("", 9, Some(7)))), answer("4c")]);
    fixture.store().checkpoint(&fourth.claim, middle).await?;
    let queued = fixture.enqueue(first.session.id, "five").await?;
    let last = fixture.ending(&fourth.claim, 3, TurnStatus::Completed, "4d")?;
    fixture.store().checkpoint(&fourth.claim, last).await?;
    let fixture = fixture.restart().await?;
    let claimed = fixture.claim_all().await?;
    let fifth = claimed.first().filter(|fifth| fifth.claim.turn() == queued).ok_or("the turn was not claimed")?;
    let history = fixture.store().history(&fifth.claim).await?;
    assert_eq!((sent(&history), history.branch_len()), (["four", "4b", "4c", "4d"].map(str::to_owned).into(), 13));
    assert_eq!(history.shown().map(|shown| shown.place).collect::<Vec<_>>(), [7, 9, 11, 12]);
    fixture.end(&fifth.claim, "5").await?;
    let sixth = say(&fixture, first.session.id, "six").await?;
    assert_eq!(sent(&fixture.store().history(&sixth.claim).await?), ["four", "4b", "4c", "4d", "five", "5"]);
    Ok(())
}

/// Edits change the history of the branches that contain them, not the messages of the session.
pub async fn edits_leave_out_contents_of_results<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let uid = CallUid { turn: first.claim.turn(), step: 1, ordinal: 0 };
    let result = Part::ToolResult(ToolResult::new(uid, "read", "fn main() {}"));
    let (provider_id, name) = ("call_1".to_owned(), "read".to_owned());
    let call = ToolCall { uid, provider_id, name, arguments: Arguments::default(), extras: None };
    let mut last = fixture.ending(&first.claim, 2, TurnStatus::Completed, "1")?;
    let round = [Message::new(Role::Assistant, vec![Part::ToolCall(call)]), Message::new(Role::Tool, vec![result])];
    last.messages.splice(0..0, round.map(Entry::new));
    fixture.store().checkpoint(&first.claim, last).await?;
    let second = say(&fixture, first.session.id, "two").await?;
    let blank = vec![PrunedResult { place: 2, part: 0, reason: PruneReason::Stale }];
    let mut last = fixture.ending(&second.claim, 2, TurnStatus::Completed, "2")?;
    last.messages.insert(0, Entry::new(Message::of_edits(Edits { blank })));
    fixture.store().checkpoint(&second.claim, last).await?;

    let fixture = fixture.restart().await?;
    let contents = |history: &History| -> Vec<String> {
        let parts = history.iter().flat_map(|entry| entry.message().parts.clone());
        parts.filter_map(|part| if let Part::ToolResult(result) = part { Some(result.content) } else { None }).collect()
    };
    let session = first.session.id;
    let history = fixture.store().session_history(&fixture.scope(), session).await?;
    assert_eq!(
        (contents(&history), history.branch_len(), history.len()),
        (vec![PruneReason::Stale.placeholder().to_owned()], 7, 6)
    );
    let whole = vec!["fn main() {}".to_owned()];
    let (new, turn) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
    let fork = Fork { from: session, after: Some(first.claim.turn()), new, turn, title: None, at: fixture.now() };
    fixture.store().fork(&fixture.scope(), fork).await?;
    assert_eq!(contents(&fixture.store().session_history(&fixture.scope(), new).await?), whole);
    let said = fixture.store().messages(&fixture.scope(), session).await?;
    assert_eq!((said.len(), contents(&History::of(said))), (6, whole));
    for (context, expected) in [(false, 6), (true, 7)] {
        let page = MessagePage { limit: 9, before: None, context };
        assert_eq!(fixture.store().message_page(&fixture.scope(), session, page).await?.len(), expected);
    }
    Ok(())
}

/// A summary belongs to the turn that made it. A fork after an earlier turn does not contain it.
pub async fn a_fork_has_the_summaries_of_the_turns_it_takes_over<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let [first, second, third] = with_summary(&fixture).await?;
    for (after, expected) in
        [(&second, vec!["one", "1", "two", "2"]), (&third, vec!["they met", "two", "2", "three", "3"])]
    {
        let (new, turn) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
        let after = Some(after.claim.turn());
        let fork = Fork { from: first.session.id, after, new, turn, title: None, at: fixture.now() };
        fixture.store().fork(&fixture.scope(), fork).await?;
        let next = say(&fixture, new, "and now?").await?;
        assert_eq!(sent(&fixture.store().history(&next.claim).await?), expected);
    }
    Ok(())
}

/// A turn never has the summaries of another branch, whether it begins at once or waited in the queue.
pub async fn a_branch_has_the_summaries_of_the_turns_that_lead_to_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let [first, second, third] = with_summary(&fixture).await?;
    for (after, expected) in [
        (BranchPoint::After(second.claim.turn()), vec!["one", "1", "two", "2"]),
        (BranchPoint::After(third.claim.turn()), vec!["they met", "two", "2", "three", "3"]),
        (BranchPoint::Beginning, vec![]),
    ] {
        let accept = || NewTurn { after, ..fixture.says(SessionKey::Id(first.session.id), "and now?") };
        let at_once = running(fixture.store().accept(&fixture.scope(), accept()).await?)?;
        assert_eq!(sent(&fixture.store().history(&at_once.claim).await?), expected);
        fixture.store().accept(&fixture.scope(), accept()).await?;
        let queued = fixture.end(&at_once.claim, "now").await?.ok_or("the queued turn did not begin")?;
        assert_eq!(sent(&fixture.store().history(&queued.claim).await?), expected);
        fixture.end(&queued.claim, "later").await?;
    }
    Ok(())
}

/// The owner loads the token count with the stored turn, and the next turn gets it with the history. This also holds in
/// a fork and after a restart.
pub async fn the_size_that_a_provider_counted_is_kept_with_the_messages<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let scope = fixture.scope();
    let counted = |branch_len| Anchor {
        branch_len,
        tokens: 900,
        overhead: 100,
        model: "small".into(),
        is_reduced: branch_len > 1,
    };
    let first = fixture.start("one").await?;
    let session = first.session.id;
    assert_eq!(fixture.store().load(&first.claim).await?.anchor, None);
    let boundary = fixture.boundary(&first.claim, 2, "1")?;
    fixture.store().checkpoint(&first.claim, Checkpoint { anchor: Some(counted(1)), ..boundary }).await?;
    assert_eq!(fixture.store().load(&first.claim).await?.anchor, Some(counted(1)));
    let last = Checkpoint { anchor: Some(counted(2)), ..fixture.ending(&first.claim, 3, TurnStatus::Completed, "2")? };
    fixture.store().checkpoint(&first.claim, last).await?;

    let fixture = fixture.restart().await?;
    let store = fixture.store();
    let second = running(store.accept(&scope, fixture.says(SessionKey::Id(session), "two")).await?)?;
    assert_eq!(store.history(&second.claim).await?.anchor(), Some(&counted(2)));
    assert_eq!(store.session_history(&scope, session).await?.anchor(), None, "the running turn has not stored one");
    let boundary = fixture.boundary(&second.claim, 2, "3")?;
    store.checkpoint(&second.claim, Checkpoint { anchor: Some(counted(4)), ..boundary }).await?;
    let last = fixture.ending(&second.claim, 3, TurnStatus::Completed, "4")?;
    store.checkpoint(&second.claim, Checkpoint { anchor: None, ..last }).await?;
    assert_eq!(store.session_history(&scope, session).await?.anchor(), None, "it is not known any more");

    let (new, turn, at) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()), fixture.now());
    store.fork(&scope, Fork { from: session, after: Some(first.claim.turn()), new, turn, title: None, at }).await?;
    assert_eq!(store.session_history(&scope, new).await?.anchor(), Some(&counted(2)));
    Ok(())
}
