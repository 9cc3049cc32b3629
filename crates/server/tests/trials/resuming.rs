//! Trial: a follower that disconnects anywhere and reconnects receives exactly the rest.

use std::path::Path;
use std::sync::{Arc, Mutex};

use tempfile::tempdir;
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use turnkit_core::Cursor;
use turnkit_testkit::Gate;
use turnkit_testkit::http::{Frame, HttpClient};
use turnkit_testkit::trial::{Size, report};

use crate::installation::Installation;
use crate::script::{held_model, lookup, model};

/// A stream whose frames carry cursors.
struct Stream {
    path: &'static str,
    /// The number of frames of the stream.
    frames: usize,
    /// The number of frames before the model is held.
    early: usize,
}

const STREAMS: [Stream; 2] = [
    Stream { path: "events", frames: 40, early: 36 },
    Stream { path: "events?dialect=relay&ext=1", frames: 26, early: 24 },
];

/// The complete stream, as received by a follower that never disconnected.
struct Whole {
    path: String,
    frames: Vec<Frame>,
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_reader_that_leaves_anywhere_gets_exactly_the_rest() {
    let size = Size::from_env();
    let turns = size.of(50, 200);
    let data = tempdir().unwrap();
    let wholes = while_they_run(data.path(), turns).await;
    let some: Vec<&Whole> = wholes.iter().step_by(size.of(5, 1)).collect();
    let stored = from_the_store(data.path(), &some).await;
    let (early, all): (usize, usize) =
        STREAMS.iter().fold((0, 0), |(early, all), stream| (early + stream.early, all + stream.frames));
    let counted = format!(
        "{turns} turns of {} events in {} protocols: left and back {} times while the turn ran, {} times around its \
         end, {stored} times after a restart, 0 failures",
        STREAMS[0].frames,
        STREAMS.len(),
        turns * early,
        turns * (all - early),
    );
    report("leave and come back", counted);
}

/// Followers of running turns disconnect, one after each frame.
async fn while_they_run(data: &Path, turns: usize) -> Vec<Whole> {
    let gate = Arc::new(Mutex::new(Gate::new()));
    let held = gate.clone();
    let model = held_model(move || held.lock().unwrap().clone());
    let installation = Installation::start(data, model, lookup()).await;
    let session = installation.session().await;
    let mut wholes = Vec::new();
    for _ in 0..turns {
        *gate.lock().unwrap() = Gate::new();
        let turn = installation.say(&session, "Look it up.").await;
        let (back, mut came_back) = mpsc::channel(1);
        let mut readers: Vec<JoinSet<(usize, Vec<Frame>)>> = Vec::new();
        for Stream { path, frames, early } in &STREAMS {
            let path = format!("/api/v1/turns/{turn}/{path}");
            let reader = |cut| {
                let back = (cut <= *early).then(|| back.clone());
                leave_after(installation.client.clone(), path.clone(), cut, back)
            };
            readers.push((0..=*frames).map(reader).collect());
        }
        // Followers that disconnect early are back before the turn continues.
        drop(back);
        while came_back.recv().await.is_some() {}
        gate.lock().unwrap().open();

        for (stream, readers) in STREAMS.iter().zip(readers) {
            let mut read = readers.join_all().await;
            read.sort_by_key(|(cut, _)| *cut);
            let path = format!("/api/v1/turns/{turn}/{}", stream.path);
            let whole = read.swap_remove(0).1;
            assert_eq!(whole.len(), stream.frames, "the frames of {path}");
            in_order(&whole);
            for (cut, frames) in &read {
                assert_eq!(texts(frames), texts(&whole), "{path}, cut after {cut}");
            }
            wholes.push(Whole { path, frames: whole });
        }
    }
    installation.stop().await;
    wholes
}

/// Followers resume from each cursor of turns that ended before the server was restarted.
async fn from_the_store(data: &Path, wholes: &[&Whole]) -> usize {
    let installation = Installation::start(data, model(), lookup()).await;
    let mut cuts = 0;
    for Whole { path, frames } in wholes {
        for cut in 1..=frames.len() {
            let mut stream = installation.client.follow(path, frames[cut - 1].id.as_deref()).await.unwrap();
            let rest = stream.rest().await.unwrap();
            assert_eq!(stream.status(), if cut == frames.len() { 204 } else { 200 }, "{path}, cut after {cut}");
            assert_eq!(texts(&rest), texts(&frames[cut..]), "{path}, cut after {cut}");
            cuts += 1;
        }
    }
    installation.stop().await;
    cuts
}

/// Reads this many frames, disconnects, and resumes for the rest. Drops `back` once it has reconnected. Returns all
/// frames.
async fn leave_after(
    client: HttpClient,
    path: String,
    cut: usize,
    back: Option<mpsc::Sender<()>>,
) -> (usize, Vec<Frame>) {
    let mut frames = Vec::new();
    if cut > 0 {
        let mut stream = client.follow(&path, None).await.unwrap();
        while frames.len() < cut {
            frames.push(stream.next().await.unwrap().expect("there are as many frames"));
        }
    }
    let after = frames.last().map(|frame: &Frame| frame.id.clone().expect("each frame has a cursor"));
    let mut stream = client.follow(&path, after.as_deref()).await.unwrap();
    drop(back);
    frames.extend(stream.rest().await.unwrap());
    (cut, frames)
}

/// Checks that cursors increase. In a protocol with one frame for each event, they number the events.
fn in_order(frames: &[Frame]) {
    let cursors: Vec<Cursor> = frames.iter().map(|frame| frame.id.as_ref().unwrap().parse().unwrap()).collect();
    for pair in cursors.windows(2) {
        assert!((pair[0].seq, pair[0].frame) < (pair[1].seq, pair[1].frame), "{} before {}", pair[0], pair[1]);
    }
    if frames.len() == STREAMS[0].frames {
        let seqs: Vec<usize> = cursors.iter().map(|cursor| cursor.seq as usize).collect();
        assert_eq!(seqs, (1..=frames.len()).collect::<Vec<_>>());
    }
}

fn texts(frames: &[Frame]) -> Vec<&str> {
    frames.iter().map(|frame| frame.text.as_str()).collect()
}
