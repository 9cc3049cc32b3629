//! Compares the tokens sent by a long session with tools, and the share served by a prompt cache, with sending
//! everything and with other libraries. `cargo xtask context` prints the table and the chart of `docs/context.md`.

mod chart;
mod script;
mod sent;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use turnkit_core::{SessionId, TurnStatus};
use turnkit_engine::Instructions;
use turnkit_testkit::{Reply, ScriptedProvider};

use self::chart::chart;
use self::script::{ReadFile, Script};
use self::sent::{HistogramSnapshot, Sent};
use crate::summarising::asks_for_a_summary;
use crate::support::{Setup, World};

/// The window of the model.
const WINDOW: u32 = 32_768;

/// Sends all turns of a script to a model that answers according to the script. Returns the measured requests.
fn send(script: &Arc<Script>, window: Option<u32>) -> HistogramSnapshot {
    let (sent, turn) = (Arc::new(Mutex::new(Sent::default())), Arc::new(AtomicUsize::new(0)));
    let provider = ScriptedProvider::answering({
        let (script, sent, turn) = (Arc::clone(script), Arc::clone(&sent), Arc::clone(&turn));
        move |request, call| {
            let tokens = sent.lock().unwrap().add(request);
            let reply = if asks_for_a_summary(request) {
                Reply::text(&script.summary)
            } else {
                script.answer(turn.load(Ordering::Relaxed), call.step)
            };
            Some(reply.usage(tokens, 20))
        }
    });
    let provider = window.into_iter().fold(provider, ScriptedProvider::with_window);
    let setup = Setup::from(provider).tool(ReadFile::of(script)).with(|setup| {
        setup.flow = Arc::new(Instructions(Some(script.instructions.clone())));
    });
    World::new().life(setup, async |host| {
        let mut session: Option<SessionId> = None;
        for (number, scripted) in script.turns.iter().enumerate() {
            turn.store(number, Ordering::Relaxed);
            let receipt = match session {
                Some(session) => host.adds(session, &scripted.user).await,
                None => host.submit(&scripted.user).await,
            };
            session = Some(receipt.session);
            assert_eq!(host.ends(receipt.turn).await, TurnStatus::Completed);
        }
    });
    sent.lock().unwrap().measure()
}

#[test]
fn a_session_of_200_turns_sends_a_fifth_of_what_sending_everything_does_and_nearly_all_of_it_from_the_cache() {
    let script = Arc::new(Script::new());
    let folder = folder();
    if let Some(folder) = &folder {
        std::fs::write(folder.join("script.json"), serde_json::to_vec(&*script).unwrap()).unwrap();
    }
    let (everything, ours) = (send(&script, None), send(&script, Some(WINDOW)));
    let others = folder.iter().flat_map(|folder| others(folder));
    let names = ["everything, always", "turnkit"].map(str::to_owned).into_iter();
    let rows: Vec<(String, HistogramSnapshot)> = names.zip([everything, ours]).chain(others).collect();
    println!("| | requests | tokens sent | served by a prompt cache | not served | largest request |");
    println!("|---|---:|---:|---:|---:|---:|");
    rows.iter().for_each(|(name, measured)| println!("{}", measured.row(name)));
    println!("\n{}", chart(&rows));
    let [(_, everything), (_, ours), ..] = rows.as_slice() else { panic!("two rows at least") };
    assert!(ours.largest <= u64::from(WINDOW), "{ours:?}");
    assert!(ours.sent * 5 <= everything.sent, "{ours:?} {everything:?}");
    assert!(ours.served * 100 >= ours.sent * 90, "{ours:?}");
}

/// Returns the folder through which `cargo xtask context` exchanges the script and the requests of other libraries.
fn folder() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "the command that runs this test says where")]
    std::env::var_os("TURNKIT_CONTEXT_FOLDER").map(PathBuf::from)
}

/// Measures the requests that other libraries made from the script, by library.
fn others(folder: &Path) -> Vec<(String, HistogramSnapshot)> {
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    let measure = |file: PathBuf| {
        let mut sent = Sent::default();
        for line in std::fs::read_to_string(&file).unwrap().lines() {
            sent.add_segments(&serde_json::from_str::<Vec<String>>(line).unwrap());
        }
        (file.file_stem().unwrap().to_string_lossy().into_owned(), sent.measure())
    };
    files.into_iter().map(measure).collect()
}
