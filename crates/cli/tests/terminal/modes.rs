//! Modes of agents, sessions and turns.

use serde_json::json;
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::Place;

#[tokio::test]
async fn a_chat_has_a_mode_here_and_with_a_server_and_rejects_an_unknown_one() {
    for served in [false, true] {
        let upstream = FakeUpstream::start((0..3).map(|_| Response::text("Yes."))).await.unwrap();
        let place = Place::asking(&upstream);
        let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
        let agent = "instructions = \"Be brief.\"\nmodes = { plan = \"Only {{ mode }}.\" }";
        place.write("turnkit.toml", &format!("{provider}\n[[agents]]\nname = \"a\"\n{agent}\n"));
        let server = if served { Some(place.serve().await) } else { None };
        for (options, expected) in [(&[][..], "Be brief."), (&["--mode", "plan"], "Be brief.\n\nOnly plan.")] {
            let answered = place.run(&[&["chat", "-p", "Hi"], options].concat()).await;
            assert_eq!(answered.code, Some(0), "{answered:?}");
            assert_eq!(upstream.requests().last().unwrap().json()["messages"][0]["content"], expected);
        }
        let refused = place.run(&["chat", "-p", "Hi", "--mode", "party"]).await;
        let why = "its modes are build, explore, general, plan";
        assert!(refused.code != Some(0) && refused.stderr.contains(why), "{refused:?}");
        let Some(server) = server else { continue };
        let made = server.client().post("/api/v1/sessions", &[], &json!({ "mode": "plan" })).await.unwrap().json();
        assert_eq!(made["mode"], "plan");
        let session = made["id"].as_str().unwrap();
        assert_eq!(place.run(&["chat", "-p", "--session", session, "Hi"]).await.code, Some(0));
        assert_eq!(upstream.requests().last().unwrap().json()["messages"][0]["content"], "Be brief.\n\nOnly plan.");
        assert_eq!(server.stop().await.code, Some(0));
    }
}
