//! Trial: a request that is sent repeatedly with the same key starts one turn.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use tempfile::tempdir;
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use turnkit_testkit::trial::{Size, report};

use crate::installation::Installation;
use crate::script::{answer, lookup, model};

/// The number of clients that send the same request at once: half of them want a receipt, half of them the stream.
const AT_ONCE: usize = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_key_is_one_turn_however_many_send_it_at_once() {
    let rounds = Size::from_env().of(50, 1_000);
    let data = tempdir().unwrap();
    let installation = Installation::start(data.path(), model(), lookup()).await;
    let mut turns = BTreeSet::new();
    for round in 0..rounds {
        let session = installation.session().await;
        let key = format!("key-{round}");
        let sent = send_at_once(&installation, &session, &key).await;
        assert_eq!(sent.len(), 1, "round {round} started {sent:?}");

        let other = installation.post(&session, "Look something else up.", &[("idempotency-key", &key)]).await;
        assert_eq!((other.status, &other.json()["error"]["code"]), (422, &json!("key_reused")));
        let listed = installation.get(&format!("/api/v1/turns?session={session}")).await;
        assert_eq!(listed["data"].as_array().unwrap().len(), 1, "the turns of round {round}");
        turns.extend(sent);
    }
    assert_eq!(turns.len(), rounds);
    installation.stop().await;
    report("one key at once", format!("{rounds} keys × {AT_ONCE} requests: {rounds} turns, 0 failures"));
}

/// Sends one request over many connections. Returns the turns that it started.
async fn send_at_once(installation: &Installation, session: &str, key: &str) -> BTreeSet<String> {
    let together = Arc::new(Barrier::new(AT_ONCE));
    let mut requests = JoinSet::new();
    for number in 0..AT_ONCE {
        let (client, together) = (installation.client.clone(), together.clone());
        let body = json!({ "session_id": session, "message": "Look it up." });
        let key = key.to_owned();
        requests.spawn(async move {
            let headers = [("idempotency-key", key.as_str())];
            together.wait().await;
            if number % 2 == 0 {
                let answer = client.post("/api/v1/turns", &headers, &body).await.unwrap();
                assert_eq!(answer.status, 202, "{:?}", answer.json());
                return answer.json()["turn_id"].as_str().unwrap().to_owned();
            }
            let mut stream = client.post_for_events("/api/v1/turns", &headers, &body).await.unwrap();
            let frames = stream.rest().await.unwrap();
            let last = frames.last().unwrap();
            assert_eq!((frames[0].name(), last.name()), ("turn.started", "turn.ended"));
            assert_eq!(last.json()["text"], answer());
            stream.header("x-turn-id").unwrap().to_owned()
        });
    }
    requests.join_all().await.into_iter().collect()
}
