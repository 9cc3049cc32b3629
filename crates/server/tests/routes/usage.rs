//! Tests of usage and cost reports.

use serde_json::{Value, json};
use turnkit_core::{Price, Prices, Rates};
use turnkit_engine::{Budget, Budgets};
use turnkit_testkit::{Reply, ScriptedProvider};

use crate::running::Setup;

fn provider() -> ScriptedProvider {
    let dollars = |price| Price::dollars(price).unwrap();
    let replies = [Reply::text("A.").usage(1_000, 100), Reply::text("B.").usage(2_000, 0), Reply::text("C.")];
    ScriptedProvider::new(replies).with_prices(Prices::new("x", Rates::new(dollars(3.0), dollars(15.0))))
}

fn usage(fresh: u64, output: u64, unmetered_calls: u32) -> Value {
    json!({ "fresh": fresh, "cache_read": 0, "cache_write": 0, "output": output, "reasoning": 0, "unmetered_calls": unmetered_calls })
}

#[tokio::test]
async fn steps_turns_sessions_and_the_report_agree() {
    let server = Setup::of(provider()).run().await;
    let client = &server.client;
    let session = client.post("/api/v1/sessions", &json!({})).await.json()["id"].clone();
    for message in ["one", "two", "three"] {
        let said = json!({ "session_id": session, "message": message });
        let stream = client.request("POST", "/api/v1/turns").header("accept", "text/event-stream").json(&said);
        assert!(stream.send().await.body.contains("turn.ended"));
    }
    let (total, cost) = (usage(3_000, 100, 1), json!({ "nano_usd": 10_500_000, "unpriced_calls": 1 }));
    let shown = client.get(&format!("/api/v1/sessions/{}", session.as_str().unwrap())).await.json();
    assert_eq!((&shown["usage"], &shown["cost"]), (&total, &cost));

    let turns = client.get("/api/v1/turns").await.json();
    let costs: Vec<&Value> = turns["data"].as_array().unwrap().iter().map(|turn| &turn["cost"]).collect();
    let of = |nano_usd: u64, unpriced_calls: u32| json!({ "nano_usd": nano_usd, "unpriced_calls": unpriced_calls });
    assert_eq!(costs, [&of(0, 1), &of(6_000_000, 0), &of(4_500_000, 0)]);
    assert_eq!(turns["data"][2]["usage"], usage(1_000, 100, 0));

    for (by, common) in [
        ("", json!({ "day": "2027-01-15" })),
        ("?by=model", json!({ "model": "script" })),
        ("?by=user,agent,provider", json!({ "user": "local", "agent": "assistant", "provider": "scripted" })),
        ("?from=2027-01-15&to=2027-01-15", json!({ "day": "2027-01-15" })),
    ] {
        let report = client.get(&format!("/api/v1/usage{by}")).await.json();
        let mut row = json!({ "calls": 3, "usage": total, "cost": cost });
        assert_eq!(report["total"], row);
        row.as_object_mut().unwrap().extend(common.as_object().unwrap().clone());
        assert_eq!(report["data"], json!([row]), "{by}");
    }
    let before = client.get("/api/v1/usage?to=2027-01-14").await.json();
    assert_eq!((&before["from"], &before["to"]), (&json!("2026-12-16"), &json!("2027-01-14")));
    assert_eq!((&before["data"], &before["total"]["calls"]), (&json!([]), &json!(0)));
}

#[tokio::test]
async fn budgets_are_listed_with_what_is_used_of_them() {
    let tokens = |tokens| Budget { tokens: Some(tokens), nano_usd: None };
    let budgets = Budgets {
        turn: tokens(9_000),
        session: tokens(90_000),
        day: tokens(5_000),
        user: Budget { tokens: Some(50_000), nano_usd: Some(20_000_000) },
        ..Budgets::default()
    };
    let server = Setup::of(provider()).budgets(budgets).locked().run().await;
    let (ada, bob) = (server.user("ada").await, server.user("bob").await);
    let level = |period: &str, unit: &str, limit: u64, used: u64| json!({ "period": period, "unit": unit, "limit": limit, "used": used });
    for (message, tokens, nano_usd) in [(None, 0, 0), (Some("one"), 1_100, 4_500_000), (Some("two"), 3_100, 10_500_000)]
    {
        if let Some(message) = message {
            ada.run_turn(None, message).await;
        }
        let expected = [
            level("day", "tokens", 5_000, tokens),
            level("ever", "tokens", 50_000, tokens),
            level("ever", "nano_usd", 20_000_000, nano_usd),
        ];
        assert_eq!(ada.get("/api/v1/budgets").await.json()["data"], json!(expected));
    }
    assert_eq!(bob.get("/api/v1/budgets").await.json()["data"][0], level("day", "tokens", 5_000, 0));
    let unlimited = Setup::of(provider()).run().await;
    assert_eq!(unlimited.client.get("/api/v1/budgets").await.json()["data"], json!([]));
}

#[tokio::test]
async fn a_report_that_cannot_be_is_refused_by_name() {
    let server = Setup::of(provider()).run().await;
    for (asked, field) in [
        ("from=yesterday", "from"),
        ("to=2027-02-30", "to"),
        ("from=2027-01-02&to=2027-01-01", "from"),
        ("from=2025-01-01&to=2027-01-01", "from"),
        ("by=month", "by"),
        ("by=", "by"),
        ("by=day,model,day", "by"),
        ("per=day", "per"),
    ] {
        let refused = server.client.get(&format!("/api/v1/usage?{asked}")).await;
        assert_eq!(refused.status, 422, "{asked}: {}", refused.body);
        assert_eq!(refused.json()["error"]["details"]["field"], field, "{asked}");
    }
}
