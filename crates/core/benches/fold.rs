//! Benchmarks of the cost per token: folding it, reading it as a follower, and writing it as a frame.

use std::hint::black_box;
use std::sync::Arc;
use std::task::{Context, Waker};

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use serde::Serialize;
use turnkit_core::{
    Delta, Entry, EventKind, Fence, FinishReason, Fold, Frames, LiveTurn, Message, PartId, PartKind, Recorded,
    SessionId, Tail, Timestamp, TurnEvent, TurnId, TurnLog, replay,
};

const TOKENS: u64 = 1_000;

/// An answer with a single text part, streamed token by token.
fn plain() -> Vec<Delta> {
    let tokens = (0..TOKENS).map(|_| Delta::text(0, "token "));
    [Delta::start(0, PartKind::Text)].into_iter().chain(tokens).collect()
}

/// An answer with eight calls whose argument deltas interleave.
fn interleaved() -> Vec<Delta> {
    let calls = (0..8).map(|part| Delta::call(part, "call_0", "search"));
    let tokens = (0..TOKENS).map(|token| Delta::text(u16::try_from(token % 8).unwrap_or(0), "token "));
    calls.chain(tokens).collect()
}

fn folding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fold");
    group.throughput(Throughput::Elements(TOKENS));
    for (name, deltas) in [("plain", plain()), ("interleaved", interleaved())] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let mut fold = Fold::new(TurnId::default(), 1);
                for delta in &deltas {
                    let _ = fold.push(black_box(delta));
                }
                let _ = fold.push(&Delta::Finish(FinishReason::Stop));
                fold.finish()
            });
        });
    }
    group.finish();
}

fn running() -> Arc<LiveTurn> {
    let mut log = TurnLog::new(SessionId::default(), TurnId::default(), 1, Fence(1));
    log.stage_message(Entry::new(Message::user("Hi")));
    log.stage(Timestamp::default(), Recorded::turn_started("a"));
    log.commit();
    log.open_attempt(Timestamp::default(), 1, "provider", "model");
    LiveTurn::new(log)
}

/// The worst case of a stream: each token is written separately and read at once by every follower.
fn following(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("follow");
    group.throughput(Throughput::Elements(TOKENS));
    for (name, deltas) in [("plain", plain()), ("interleaved", interleaved())] {
        for followers in [0, 1, 10] {
            group.bench_function(format!("{name}/{followers} followers"), |bencher| {
                let setup = || {
                    let live = running();
                    let tails: Vec<Tail> = (0..followers).map(|_| live.tail(0)).collect();
                    (live, tails)
                };
                bencher.iter_batched(
                    setup,
                    |(live, mut tails)| {
                        let mut context = Context::from_waker(Waker::noop());
                        let mut events = Vec::new();
                        for delta in &deltas {
                            let _ = live.write(|log| log.show(delta));
                            for tail in &mut tails {
                                events.clear();
                                let _ = tail.poll_batch(&mut context, &mut events);
                                black_box(&events);
                            }
                        }
                        (live, tails)
                    },
                    BatchSize::SmallInput,
                );
            });
        }
    }
    group.finish();
}

/// The data of a JSON frame that carries ids along with the text.
#[derive(Serialize)]
struct DeltaFrame<'a> {
    turn_id: TurnId,
    seq: u32,
    part_id: PartId,
    delta: &'a str,
}

type Encode = fn(&TurnEvent, &mut Frames);

fn as_text(event: &TurnEvent, out: &mut Frames) {
    if let EventKind::PartDelta { text, .. } = &event.kind {
        out.text(Some("text"), text);
    }
}

fn as_json(event: &TurnEvent, out: &mut Frames) {
    if let EventKind::PartDelta { id, text } = &event.kind {
        let frame = DeltaFrame { turn_id: TurnId::default(), seq: event.seq, part_id: *id, delta: text };
        out.json(Some("part.delta"), &frame);
    }
}

/// The complete path to one follower. Its frames are taken each time `at_once` tokens have arrived.
fn encoding(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("encode");
    group.throughput(Throughput::Elements(TOKENS));
    let deltas = plain();
    let encoders: [(&str, Encode, bool); 3] =
        [("text", as_text, false), ("json", as_json, false), ("json with ids", as_json, true)];
    for (name, encode, ids) in encoders {
        for at_once in [1, 50] {
            group.bench_function(format!("{name}/{at_once} at once"), |bencher| {
                let setup = || {
                    let live = running();
                    let tail = live.tail(0);
                    (live, tail, Frames::new(ids))
                };
                bencher.iter_batched(
                    setup,
                    |(live, mut tail, mut frames)| {
                        let mut context = Context::from_waker(Waker::noop());
                        let mut events = Vec::new();
                        for deltas in deltas.chunks(at_once) {
                            let _ = live.write(|log| deltas.iter().try_for_each(|delta| log.show(delta)));
                            events.clear();
                            let _ = tail.poll_batch(&mut context, &mut events);
                            for event in &events {
                                frames.begin(1, event);
                                encode(event, &mut frames);
                            }
                            black_box(frames.take());
                        }
                        (live, tail, frames)
                    },
                    BatchSize::SmallInput,
                );
            });
        }
    }
    group.finish();
}

/// Replays the whole log, as for a reader that connects after the turn has ended.
fn replaying(criterion: &mut Criterion) {
    let live = running();
    let turn = live.write(|log| {
        plain().iter().for_each(|delta| drop(log.show(delta)));
        let _ = log.show(&Delta::Finish(FinishReason::Stop));
        let parts = log.answer().map(|answer| answer.parts).unwrap_or_default();
        log.close_attempt(Some(1));
        log.stage_message(Entry::new(Message::new(turnkit_core::Role::Assistant, parts)));
        turnkit_core::LoggedTurn {
            session: SessionId::default(),
            turn: TurnId::default(),
            number: 1,
            caps: turnkit_core::ClientCaps::default(),
            messages: log.messages().to_vec(),
            chunks: vec![log.pending()],
        }
    });
    let mut group = criterion.benchmark_group("replay");
    group.throughput(Throughput::Elements(TOKENS));
    group.bench_function("plain", |bencher| bencher.iter(|| replay(black_box(&turn), 0)));
    group.finish();
}

criterion_group!(benches, folding, following, encoding, replaying);
criterion_main!(benches);
