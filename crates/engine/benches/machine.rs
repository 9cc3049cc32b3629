//! What the machine adds to a turn: one round trip of a step, and its stored form.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use serde_json::Map;
use turnkit_core::{Answer, Arguments, CallUid, FinishReason, Part, Timestamp, ToolCall, ToolResult, TurnId, Usage};
use turnkit_engine::machine::{CallKind, FinishedCall, Input, Limits, Plan, TurnMachine, Verdict};

/// An answer with so many calls of tools that change something, and what comes of them.
fn round(calls: u16) -> (Input, Input) {
    let uid = |ordinal| CallUid { turn: TurnId::default(), step: 1, ordinal };
    let call = |ordinal| {
        Part::ToolCall(ToolCall {
            uid: uid(ordinal),
            provider_id: format!("call_{ordinal}"),
            name: "send_mail".to_owned(),
            arguments: Arguments("{\"to\":\"a@example.org\"}".to_owned()),
            extras: None,
        })
    };
    let result = |ordinal| ToolResult::new(uid(ordinal), "send_mail", "sent");
    let finished =
        (0..calls).map(|ordinal| FinishedCall { result: result(ordinal), ms: 5, metadata: Map::new(), request: None });
    let parts = [Part::text("I will write to them.")].into_iter().chain((0..calls).map(call)).collect();
    let answer = Answer { parts, finish: FinishReason::ToolCalls, usage: Usage::default(), cut: vec![] };
    let plan = |ordinal| Plan { uid: uid(ordinal), kind: CallKind::Once, verdict: Verdict::Run };
    let plans = (0..calls).map(plan).collect();
    (Input::Answered { answer, plans }, Input::ToolsFinished(finished.collect()))
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("step");
    let fresh = || TurnMachine::new(Limits::default(), Timestamp::from_millis(900_000));
    for calls in [0, 1, 8] {
        let (answered, finished) = round(calls);
        group.bench_function(format!("{calls} calls"), |bencher| {
            bencher.iter_batched_ref(
                fresh,
                |machine| {
                    black_box(machine.next(Timestamp::default()));
                    black_box(machine.apply(&answered));
                    black_box(machine.next(Timestamp::default()));
                    black_box(machine.apply(&finished));
                },
                BatchSize::SmallInput,
            );
        });
    }
    group.finish();
}

fn storing(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("store");
    for calls in [0, 1, 8] {
        let mut machine = TurnMachine::new(Limits::default(), Timestamp::from_millis(900_000));
        if calls > 0 {
            machine.apply(&round(calls).0);
        }
        let stored = machine.store();
        group.bench_function(format!("{calls} calls"), |bencher| bencher.iter(|| black_box(&machine).store()));
        if let Ok(stored) = stored {
            group.bench_function(format!("restore {calls} calls"), |bencher| {
                bencher.iter(|| TurnMachine::restore(black_box(&stored)));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, steps, storing);
criterion_main!(benches);
