//! Usage, its cost, and budgets.

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Place, outcome};

const PRICES: &str = "[[providers.models_detail]]\nname = \"small\"\nprices = { input = 3, output = 15 }\n";

/// Returns a folder whose provider charges, with `more` configuration.
fn with_prices(upstream: &FakeUpstream, more: &str) -> Place {
    let place = Place::asking(upstream);
    let provider = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    place.write("turnkit.toml", &format!("{provider}{PRICES}{more}"));
    place
}

fn json_of(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

#[tokio::test]
async fn the_cost_of_a_chat_is_in_its_turn_its_session_and_the_report() {
    let upstream =
        FakeUpstream::start([Response::calls(&[("c1", "clock", "{}")]), Response::text("Noon.")]).await.unwrap();
    let place = with_prices(&upstream, "");
    assert_eq!(place.run(&["usage"]).await.stdout, "", "nothing was consumed yet");
    let cost = json!({ "nano_usd": 2 * (10 * 3_000 + 5 * 15_000), "unpriced_calls": 0 });
    let answered = place.run(&["chat", "--json", "--session", "trip", "What time is it?"]).await;
    assert_eq!(json_of(&answered.stdout)["cost"], cost, "{answered:?}");
    let turn = json_of(&place.run(&["turns", "ls", "--json"]).await.stdout)["data"][0].clone();
    assert_eq!((&turn["cost"], &turn["usage"]["fresh"]), (&cost, &json!(20)));
    assert_eq!(json_of(&place.run(&["sessions", "show", "trip", "--json"]).await.stdout)["cost"], cost);

    place.run(&["sessions", "rm", "trip"]).await;
    let report = place.run(&["usage", "--by", "agent,model", "--json"]).await;
    let report = json_of(&report.stdout);
    assert_eq!(report["data"][0]["cost"], cost, "{report}");
    assert_eq!((&report["data"][0]["agent"], &report["data"][0]["model"]), (&json!("assistant"), &json!("small")));
    let line = place.run(&["usage", "--by", "model"]).await.stdout;
    assert_eq!(line, "small  2 calls  20 tokens in  10 out  $0.00021\n");
    let wrong = place.run(&["usage", "--by", "month"]).await;
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
}

#[tokio::test]
async fn a_used_up_budget_ends_turns_before_the_provider_is_asked() {
    let calls = || Response::calls(&[("c1", "clock", "{}")]);
    let upstream = FakeUpstream::start([calls(), calls(), calls()]).await.unwrap();
    let place = with_prices(&upstream, "[budgets]\nday = { usd = 0.000_250 }\n");
    let stopped = place.run(&["chat", "--json", "What time is it?"]).await;
    let turn = json_of(&stopped.stdout);
    assert_eq!(turn["status"], "limit", "{stopped:?}");
    assert_eq!(turn["cost"]["nano_usd"], 315_000);
    assert_eq!(upstream.requests().len(), 3);
    let again = place.run(&["chat", "--json", "And now?"]).await;
    assert_eq!(json_of(&again.stdout)["status"], "limit", "{again:?}");
    assert_eq!(upstream.requests().len(), 3, "the day's budget is used up");
}

/// A user who can read the data can see the usage of all users, whether or not a server runs on it. A user with a key
/// sees only their own usage.
#[tokio::test]
async fn usage_of_all_users_is_visible_only_to_readers_of_the_data() {
    let upstream = FakeUpstream::start([Response::text("A."), Response::text("B.")]).await.unwrap();
    let place = with_prices(&upstream, "");
    assert_eq!(place.run(&["chat", "Hi"]).await.code, Some(0));
    let made = json_of(&place.run(&["keys", "create", "phone", "--user", "ada", "--json"]).await.stdout);
    let key = made["key"].as_str().unwrap();
    let server = place.serve_with(&[], &[("TURNKIT_AUTH__MODE", "api_key")]).await;
    let elsewhere = Place::new();
    let ada = async |words: &[&str]| {
        let words = [words, &["--server", &server.url]].concat();
        outcome(elsewhere.command(&words).env("TURNKIT_API_KEY", key).spawn().unwrap()).await
    };
    assert_eq!(ada(&["chat", "Hi"]).await.code, Some(0));

    let by_user = ["usage", "--by", "user"];
    let one = |user: &str| format!("{user}  1 call  10 tokens in  5 out  $0.000105\n");
    let all_users = format!("{}{}total  2 calls  20 tokens in  10 out  $0.00021\n", one("ada"), one("local"));
    assert_eq!(ada(&by_user).await.stdout, one("ada"));
    assert_eq!(place.run(&by_user).await.stdout, all_users, "asked of the server");
    server.stop().await;
    assert_eq!(place.run(&by_user).await.stdout, all_users, "read here");
}
