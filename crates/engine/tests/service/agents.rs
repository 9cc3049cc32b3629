//! Tests of the agent that answers if the request names none, and of its policy for busy sessions.

use turnkit_core::{AcceptError, BusyPolicy, SessionId, SessionKey, StoreError, TurnId};
use turnkit_testkit::{Gate, Reply};

use crate::support::{Host, Setup, World, ada, request};

fn two_agents(script: Vec<Reply>) -> Setup {
    Setup::from(script).with(|setup| setup.others = vec![("clerk", BusyPolicy::Reject)])
}

async fn begins(host: &Host, session: SessionKey, agent: &str) -> (TurnId, SessionId) {
    let mut asked = request(session, "hi");
    asked.agent = Some(agent.to_owned());
    let receipt = host.service.accept(&ada(), asked).await.unwrap();
    host.ends(receipt.turn).await;
    (receipt.turn, receipt.session)
}

#[test]
fn a_session_keeps_the_agent_that_it_began_with() {
    let world = World::new();
    let script = || (0..5).map(|_| Reply::text("Yes.")).collect();
    let by_name = || SessionKey::Name("diary".parse().unwrap());
    let session = world.life(two_agents(script()), async |host| {
        let (_, session) = begins(&host, by_name(), "clerk").await;
        let by_its_id = SessionKey::Name(session.to_string().parse().unwrap());
        for key in [SessionKey::Id(session), by_name(), by_its_id] {
            let turn = host.service.accept(&ada(), request(key, "and?")).await.unwrap().turn;
            host.ends(turn).await;
            assert_eq!(&*host.record(turn).await.agent, "clerk");
        }
        let turn = host.submit("hi").await.turn;
        assert_eq!(&*host.record(turn).await.agent, "assistant", "a new session has the first agent");
        session
    });
    let others = Setup::from(script()).with(|setup| setup.others = vec![("porter", BusyPolicy::Enqueue)]);
    world.life(others, async |host| {
        let turn = host.adds(session, "still there?").await.turn;
        assert_eq!(&*host.record(turn).await.agent, "assistant", "its agent is gone");
    });
}

#[test]
fn the_busy_policy_of_the_agent_applies_if_the_request_has_none() {
    let gate = Gate::new();
    let script = (0..4).map(|_| Reply::new().wait(&gate)).collect();
    World::new().life(two_agents(script), async |host| {
        for (agent, own_wish, expected) in [
            ("assistant", None, true),
            ("assistant", Some(BusyPolicy::Reject), false),
            ("clerk", None, false),
            ("clerk", Some(BusyPolicy::Enqueue), true),
        ] {
            let mut first = request(SessionKey::New, "one");
            first.agent = Some(agent.to_owned());
            let first = host.service.accept(&ada(), first).await.unwrap();
            let mut second = request(SessionKey::Id(first.session), "two");
            second.busy = own_wish;
            let second = host.service.accept(&ada(), second).await;
            let queued = second.map(|receipt| receipt.queued);
            assert_eq!(queued, if expected { Ok(true) } else { Err(AcceptError::Busy) }, "{agent} {own_wish:?}");
        }
    });
}

#[test]
fn nothing_is_read_to_find_the_only_agent() {
    World::new().life(vec![Reply::text("1"), Reply::text("2")], async |host| {
        let first = host.submit("one").await;
        host.ends(first.turn).await;
        let turn = host.adds(first.session, "two").await.turn;
        host.ends(turn).await;
        assert_eq!((host.store.count("session"), host.store.count("session_named")), (0, 0));
    });
}

#[test]
fn a_request_is_not_given_to_another_agent_because_storage_failed() {
    World::new().life(two_agents(vec![Reply::text("Yes.")]), async |host| {
        let (_, session) = begins(&host, SessionKey::New, "clerk").await;
        let failed = StoreError::Unavailable("it is busy".to_owned());
        host.store.fails("session", 1, failed.clone());
        let refused = host.service.accept(&ada(), request(SessionKey::Id(session), "and?")).await;
        assert_eq!(refused, Err(AcceptError::Store(failed)));
    });
}
