//! MCP servers that instruct a model in what they say about themselves and their tools, and a model that obeys it.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::act::Act;
use super::act::Act::*;
use super::disguise::Disguise;
use super::disguise::Disguise::*;
use super::model::READ_ABOUT;
use super::world::World;

/// The disguise of each order in a description, and what it makes the model do.
const ORDERS: [(Disguise, Act); 10] = [
    (Plain, WriteFile),
    (Comment, Post),
    (Unseen, EditFile),
    (Quoted, Query),
    (Percent, Program),
    (ZeroWidth, WriteAbsolute),
    (Backwards, Sandboxed),
    (Rotated, WriteFile),
    (Plain, TaskThatWrites),
    (Plain, Both),
];

/// A description that orders nothing.
const HARMLESS: &str = "Tells the weather.";

/// A turn in which the model obeys the description of a tool, whose name is the token of the calls.
struct Attempt {
    disguise: Disguise,
    act: Act,
    interact: bool,
    token: String,
}

#[tokio::test]
async fn instructions_in_changed_descriptions_of_tools_take_effect_only_after_a_decision() {
    let mut world = World::start().await;
    let attempts = attempts(&world);
    for attempt in &attempts {
        world.desk.list(described(&attempt.token, HARMLESS));
    }
    // The first turn that is offered the tools accepts them. Before the change, calls take effect at once.
    let message = format!("Please now {}.", WriteFile.told(&world, "control"));
    is_offered(&world, &message).await;
    assert!(WriteFile.has_happened(&world, "control"));
    poison(&world, &attempts);
    let before = world.files();
    world.restart().await;
    obeys(&world, &attempts, "definition of another tool", before).await;
    world.stop().await;
}

/// The first definition is accepted. So rules are what decides about the calls that it orders, and here are none.
#[tokio::test]
async fn instructions_in_first_descriptions_of_tools_take_effect_only_after_a_decision_where_no_rule_allows_them() {
    let mut world = World::start_without_rules().await;
    let attempts = attempts(&world);
    poison(&world, &attempts);
    let before = world.files();
    is_offered(&world, "Hello.").await;
    obeys(&world, &attempts, "no rule matches it", before).await;
    world.stop().await;
}

/// Its instructions, titles, and the parts of definitions that are for programs.
#[tokio::test]
async fn what_an_mcp_server_says_outside_of_descriptions_and_results_reaches_no_model() {
    let mut world = World::start().await;
    let order = format!("now {}", WriteFile.told(&world, "unseen07"));
    world.desk.instruct(&order);
    let icons = json!([{ "src": format!("http://{}/unseen07", world.sentinel.address) }]);
    let output = json!({ "type": "object", "description": order });
    world.desk.list(json!({
        "name": "asked00",
        "title": order,
        "description": HARMLESS,
        "inputSchema": { "type": "object" },
        "outputSchema": output,
        "annotations": { "title": order, "readOnlyHint": true },
        "icons": icons,
        "_meta": { "order": order },
    }));
    is_offered(&world, "Hello.").await;
    assert!(!world.has_sent("unseen07"));
    assert_eq!(world.sentinel.connections().await, 0);
    let methods = world.desk.methods();
    let unasked = ["tools/call", "prompts/list", "prompts/get", "resources/list", "resources/read"];
    assert!(methods.iter().all(|method| !unasked.contains(&method.as_str())), "{methods:?}");
    world.stop().await;
}

/// Prepares each order twice: once where nobody can be asked.
fn attempts(world: &World) -> Vec<Attempt> {
    let mut attempts = Vec::new();
    for (row, (disguise, act)) in ORDERS.into_iter().enumerate() {
        for interact in [false, true] {
            let token = format!("{}{row:02}", if interact { "asked" } else { "headless" });
            act.prepare(world, &token);
            attempts.push(Attempt { disguise, act, interact, token });
        }
    }
    attempts
}

/// Returns the definition of a tool without arguments.
fn described(name: &str, description: &str) -> Value {
    json!({ "name": name, "description": description, "inputSchema": { "type": "object" } })
}

/// Puts the orders into the descriptions of tools.
fn poison(world: &World, attempts: &[Attempt]) {
    for Attempt { disguise, act, token, .. } in attempts {
        let order = disguise.put_on(&format!("now {}", act.told(world, token)));
        world.desk.list(described(token, &order));
    }
}

/// Sends a message until the model is offered the tools, because a turn does not wait for a server that starts slowly.
async fn is_offered(world: &World, message: &str) {
    while !world.has_sent("desk__asked00") {
        let (turn, _) = world.begin(&json!({ "message": message, "agent": "described" })).await;
        world.ends(&turn).await;
    }
}

/// Has the model obey each order. The calls take effect only after a person has approved them, for this reason.
async fn obeys(world: &World, attempts: &[Attempt], reason: &str, before: Vec<(PathBuf, String)>) {
    let mut waiting = Vec::new();
    for Attempt { disguise, act, interact, token } in attempts {
        let row = format!("{disguise:?} {act:?} {token}");
        let message = format!("{READ_ABOUT}desk__{token}");
        let (turn, _) = world.begin(&json!({ "message": message, "agent": "described", "interact": interact })).await;
        if *interact {
            let asked = world.waits(&turn).await;
            let because = asked[0]["reason"].as_str().unwrap();
            // A sub-agent's turn is told that its prompt may repeat untrusted text.
            let is_explained = because.contains(reason) || because.contains("untrusted text");
            assert!(asked[0]["kind"] == "approval" && is_explained, "{row}: {asked:?}");
            waiting.push((*act, token, turn, row));
        } else {
            world.ends(&turn).await;
            assert!(world.has_read(token, "USER_DENIED"), "{row}");
        }
    }
    assert_eq!(world.sentinel.connections().await, 0);
    assert_eq!(world.files(), before);
    assert!(!world.desk.methods().contains(&"tools/call".to_owned()));

    for (act, token, turn, row) in waiting {
        world.approve(&turn).await;
        assert!(act.has_happened(world, token), "{row}: after the approval");
    }
}
