//! What a turn continues.

use turnkit_core::ports::{SessionStore as _, TurnStore as _};
use turnkit_core::{SessionKey, StopReason};

use super::fixture::texts;
use super::{Backend, Fixture, Outcome, running};

/// Its ancestors' messages, oldest first, and not its own.
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
    assert_eq!(texts(&fixture.store().history(&third.claim).await?), ["one", "1", "two", "2"]);
    Ok(())
}

/// Nobody has answered it, and nobody will: it is no ancestor of what follows.
pub async fn a_turn_that_ended_unstarted_is_not_in_the_history<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let first = fixture.start("one").await?;
    let dropped = fixture.enqueue(first.session.id, "never mind").await?;
    fixture.enqueue(first.session.id, "three").await?;
    fixture.store().request_stop(&fixture.scope(), dropped, StopReason::Cancelled, fixture.now()).await?;
    let third = fixture.end(&first.claim, "1").await?.ok_or("nothing was promoted")?;
    assert_eq!((third.number, third.messages), (3, 3));
    assert_eq!(texts(&fixture.store().history(&third.claim).await?), ["one", "1"]);
    assert_eq!(fixture.said_in(dropped).await?, ["never mind"]);
    Ok(())
}

/// Whoever opens a session sees what was just asked.
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

/// Numbers of two and three digits come after those of one.
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
    assert_eq!(texts(&fixture.store().history(&claimed.claim).await?), expected);
    assert_eq!(claimed.messages, 241);
    Ok(())
}
