//! Tests of the sampling parameters of turns and of sessions.

use turnkit_core::ports::{SessionEdit, SessionStore as _};
use turnkit_core::{AgentReach, ClientCaps, Params, SamplingParams, SessionId, SessionKey};
use turnkit_engine::{RegenerateRequest, TurnRequest};
use turnkit_testkit::Reply;

use crate::support::{Host, Setup, World, ada, request};

fn temperature(temperature: f32) -> SamplingParams {
    SamplingParams { temperature: Some(temperature), ..SamplingParams::default() }
}

fn setup(answers: usize) -> Setup {
    Setup::from(vec![Reply::text("1"); answers]).with(|setup| {
        setup.settings.params = Params { temperature: Some(0.1), max_tokens: Some(9), ..Params::default() }
    })
}

/// Returns the parameters of each model call.
fn asked(host: &Host) -> Vec<(Option<f32>, Option<u32>)> {
    let calls = host.provider.calls();
    calls.iter().map(|call| (call.request.params.temperature, call.request.params.max_tokens)).collect()
}

async fn set(host: &Host, session: SessionId, params: SamplingParams) {
    let edit = SessionEdit { params: Some(params), ..SessionEdit::default() };
    host.sqlite.edit(&ada(), session, edit).await.unwrap();
}

#[test]
fn settings_of_a_turn_cost_no_statement() {
    World::new().life(setup(1), async |host| {
        let request = TurnRequest { params: temperature(0.5), ..request(SessionKey::New, "hi") };
        let accepted = host.service.accept(&ada(), request).await.unwrap();
        host.ends_for_its_client(&accepted).await;
        assert_eq!(host.store.counts(), [("accept", 1), ("checkpoint", 1)].into());
        assert_eq!(asked(&host), [(Some(0.5), Some(9))]);
    });
}

#[test]
fn settings_of_a_session_count_from_the_next_turn_that_begins() {
    World::new().life(setup(5), async |host| {
        let session = host.submit("one").await;
        host.ends_for_its_client(&session).await;
        for params in [temperature(0.3), SamplingParams { max_tokens: Some(5), ..temperature(0.4) }, temperature(0.2)] {
            set(&host, session.session, params).await;
            let next = host.adds(session.session, "more").await;
            host.ends_for_its_client(&next).await;
        }
        let shown = host.service.context(&ada(), session.session).await.unwrap().request.params;
        assert_eq!((shown.temperature, shown.max_tokens), (Some(0.2), Some(9)));
        let params = SamplingParams { max_tokens: Some(7), ..SamplingParams::default() };
        let (turn, caps) = (session.turn, ClientCaps { interact: false, resume: true });
        let again = RegenerateRequest {
            turn,
            agent: None,
            route: None,
            params,
            tools: None,
            mode: None,
            caps,
            reach: AgentReach::default(),
            idempotency: None,
            trace: None,
        };
        let again = host.service.regenerate(&ada(), again).await.unwrap();
        host.ends_for_its_client(&again).await;
        let of_turns = [(0.1, 9), (0.3, 9), (0.4, 5), (0.2, 9), (0.2, 7)];
        assert_eq!(asked(&host), of_turns.map(|(temperature, most)| (Some(temperature), Some(most))));
    });
}

#[test]
fn settings_out_of_bounds_are_refused_without_a_look_at_the_store() {
    World::new().life(setup(0), async |host| {
        for (params, why) in [
            (temperature(-1.0), "params.temperature: must be a number of at least 0, such as 0.2"),
            (
                SamplingParams { max_tokens: Some(0), ..SamplingParams::default() },
                "params.max_tokens: must be at least 1",
            ),
        ] {
            let request = TurnRequest { params, ..request(SessionKey::New, "hi") };
            assert_eq!(host.service.accept(&ada(), request).await.unwrap_err().to_string(), why);
        }
        assert_eq!(host.store.counts(), [].into());
    });
}
