//! Tests of sessions and turns in modes.

use std::sync::Arc;

use turnkit_core::ports::{SessionEdit, SessionStore as _};
use turnkit_core::{SessionKey, TurnStatus};
use turnkit_engine::{Instructions, Modes, Prompt, TurnRequest};
use turnkit_testkit::Reply;
use turnkit_testkit::tools::lookup;

use crate::support::{Setup, World, ada, request};

fn setup(answers: usize) -> Setup {
    Setup::from(vec![Reply::text("1"); answers]).tool(lookup()).with(|setup| {
        setup.flow = Arc::new(Instructions(Some("Be brief.".to_owned())));
        let own = [("plan", "Plan."), ("review", "Look for mistakes.")];
        let own = own.map(|(name, text)| (name.to_owned(), Prompt::fixed(text)));
        setup.settings.modes = Some(Modes::new(own));
    })
}

#[test]
fn a_mode_changes_the_instructions_alone_and_that_of_a_turn_wins() {
    World::new().life(setup(6), async |host| {
        let session = host.submit("0").await;
        host.ends(session.turn).await;
        let key = || SessionKey::Id(session.session);
        for (of_session, of_turn, expected) in [
            (None, None, "Be brief."),
            (Some("plan"), None, "Be brief.\n\nPlan."),
            (Some("plan"), Some("review"), "Be brief.\n\nLook for mistakes."),
            (Some("plan"), Some("general"), "Be brief."),
            (None, Some("plan"), "Be brief.\n\nPlan."),
        ] {
            let edit = SessionEdit { mode: Some(of_session.map(Into::into)), ..SessionEdit::default() };
            host.sqlite.edit(&ada(), session.session, edit).await.unwrap();
            let report = host.service.context(&ada(), session.session).await.unwrap().request;
            let mode = of_turn.map(Into::into);
            let turn = host.service.accept(&ada(), TurnRequest { mode, ..request(key(), "more") }).await.unwrap();
            assert_eq!(host.ends(turn.turn).await, TurnStatus::Completed);
            let sent = host.provider.calls().pop().unwrap().request;
            assert_eq!(sent.instructions.as_deref(), Some(expected));
            assert_eq!((sent.tools, sent.params, sent.model), (report.tools, report.params, report.model));
            assert!(report.history.iter().eq(sent.history.iter().take(report.history.len())));
            if of_turn.is_none() {
                assert_eq!(report.instructions, sent.instructions);
            }
        }
        let mode = Some("party".into());
        let refused = host.service.accept(&ada(), TurnRequest { mode, ..request(key(), "more") }).await.unwrap_err();
        let why = "mode: the agent has no such mode; its modes are build, explore, general, plan, review";
        assert_eq!(refused.to_string(), why);
    });
}

#[test]
fn an_own_text_of_the_mode_general_is_sent_to_turns_without_a_mode() {
    let setup = setup(1).with(|setup| {
        let own = ("general".to_owned(), Prompt::parse("You are in {{ mode }} mode.").unwrap());
        setup.settings.modes = Some(Modes::new([own]));
    });
    World::new().life(setup, async |host| {
        host.ends(host.submit("0").await.turn).await;
        let sent = host.provider.calls().pop().unwrap().request;
        assert_eq!(sent.instructions.as_deref(), Some("Be brief.\n\nYou are in general mode."));
    });
}
