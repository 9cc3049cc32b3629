//! Runs turns through the state machine of the loop.

use std::hint::black_box;

use serde_json::Map;
use turnkit_core::{Answer, Arguments, CallUid, FinishReason, Part, Timestamp, ToolCall, ToolResult, TurnId, Usage};
use turnkit_engine::machine::{CallKind, FinishedCall, Input, Limits, Plan, TurnMachine, Verdict};

use crate::Outcome;

/// Runs turns whose model only writes text.
pub(crate) fn step(turns: usize) -> Outcome {
    let answered = Input::Answered { answer: answer(vec![Part::text("Yes.")], FinishReason::Stop), plans: Vec::new() };
    for _ in 0..turns {
        let mut machine = fresh();
        black_box(machine.next(Timestamp::default()));
        black_box(machine.apply(&answered));
    }
    Ok(())
}

/// Runs turns whose model calls a tool, up to the result of the call.
pub(crate) fn step_with_a_call(turns: usize) -> Outcome {
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let call = ToolCall {
        uid,
        provider_id: "call_0".to_owned(),
        name: "send_mail".to_owned(),
        arguments: Arguments(r#"{"to":"a@example.org"}"#.to_owned()),
        extras: None,
    };
    let result = ToolResult::new(uid, "send_mail", "sent");
    let answer = answer(vec![Part::text("I will write."), Part::ToolCall(call)], FinishReason::ToolCalls);
    let answered = Input::Answered { answer, plans: vec![Plan { uid, kind: CallKind::Once, verdict: Verdict::Run }] };
    let finished = Input::ToolsFinished(vec![FinishedCall { result, ms: 5, metadata: Map::new(), request: None }]);
    for _ in 0..turns {
        let mut machine = fresh();
        for input in [&answered, &finished] {
            black_box(machine.next(Timestamp::default()));
            black_box(machine.apply(input));
        }
    }
    Ok(())
}

fn fresh() -> TurnMachine {
    TurnMachine::new(Limits::default(), Timestamp::from_millis(900_000))
}

fn answer(parts: Vec<Part>, finish: FinishReason) -> Answer {
    Answer { parts, finish, usage: Usage::default(), cut: Vec::new() }
}
