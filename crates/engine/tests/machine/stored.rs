//! Tests of the stored form of the machine.

use insta::assert_snapshot;
use turnkit_core::{RawJson, Timestamp};
use turnkit_engine::machine::{Limits, TurnMachine};

use crate::trace::Ask::{Send, SendIfAllowed, Unknown};
use crate::trace::Trace;

#[test]
fn a_machine_of_another_version_is_refused() {
    let stored = TurnMachine::new(Limits::default(), Timestamp::default()).store().unwrap();
    let newer = RawJson::parse(&stored.get().replace("\"version\":1", "\"version\":2")).unwrap();
    assert_snapshot!(TurnMachine::restore(&newer).unwrap_err(), @"this turn was written by an incompatible version: machine version 2, expected 1");
    for broken in ["{}", "null", "{\"version\":1}", "{\"version\":\"1\"}"] {
        assert!(TurnMachine::restore(&RawJson::parse(broken).unwrap()).is_err(), "{broken}");
    }
}

#[test]
fn the_stored_form_of_a_machine() {
    let machine = Trace::new().answers("", &[Send, SendIfAllowed, Unknown]).machine;
    assert_snapshot!(machine.store().unwrap().get(), @r#"
    {"version":1,"state":{"tools":{"calls":[{"uid":"00000000-0000-0000-0000-000000000000.1.0","name":"send","kind":"once","status":"started","receipt":true,"fingerprint":2370478577964114733},{"uid":"00000000-0000-0000-0000-000000000000.1.1","name":"send","kind":"once","status":{"waiting":"approval"},"waits":1,"fingerprint":2370478577964114733},{"uid":"00000000-0000-0000-0000-000000000000.1.2","name":"fly","kind":"read_only","status":{"refused":{"kind":"unknown_tool","why":"there is no such tool"}},"fingerprint":16896311667734946557}]}},"step":1,"attempt":1,"calls_made":3,"closing":false,"limits":{"max_rounds":25,"max_calls":100,"on_limit":"stop","max_attempts":3},"deadline":"1970-01-01T00:01:00.000Z","usage":{"fresh":10,"cache_read":0,"cache_write":0,"output":2,"reasoning":0,"unmetered_calls":0,"cost":{"nano_usd":0,"unpriced_calls":0}},"has_waited":true}
    "#);
}

#[test]
fn a_machine_stored_without_the_state_of_the_loop_guard_is_restored() {
    let machine = Trace::new().answers("", &[Send, Unknown]).machine;
    let mut stored: serde_json::Value = machine.store().unwrap().read().unwrap();
    for call in stored["state"]["tools"]["calls"].as_array_mut().unwrap() {
        assert!(call.as_object_mut().unwrap().remove("fingerprint").is_some());
    }
    assert!(stored.get("guard").is_none());
    let restored = TurnMachine::restore(&RawJson::of(&stored).unwrap()).unwrap();
    assert_eq!(restored.next(Timestamp::default()), machine.next(Timestamp::default()));
}
