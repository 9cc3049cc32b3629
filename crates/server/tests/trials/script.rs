//! The scripted model of the trials, and its expected response.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::Tool;
use turnkit_testkit::{Gate, Reply, ScriptedProvider, tools};

/// The pause between two words: long enough for other tasks to run in between.
const PAUSE: Duration = Duration::from_millis(1);
/// With this many words, a turn has 40 events.
const WORDS: usize = 22;

/// Returns a model that calls the lookup tool twice and then responds with [`answer`], whatever the input.
pub(crate) fn model() -> Arc<ScriptedProvider> {
    let open = Gate::new();
    open.open();
    held_model(move || open.clone())
}

/// Returns the same model, except that the last word of a turn waits for a gate. `gate` returns that gate for each
/// call.
pub(crate) fn held_model(gate: impl Fn() -> Gate + Send + 'static) -> Arc<ScriptedProvider> {
    Arc::new(ScriptedProvider::answering(move |_, call| {
        if call.step == 1 {
            return Some(Reply::new().call("lookup", json!({ "key": "a" })).call("lookup", json!({ "key": "b" })));
        }
        let answer = answer();
        let (but_last, last) = answer.rsplit_once(' ')?;
        let said = but_last.split(' ').fold(Reply::new(), |reply, word| reply.say(&format!("{word} ")).sleep(PAUSE));
        Some(said.wait(&gate()).say(last))
    }))
}

/// Returns the model's final response.
pub(crate) fn answer() -> String {
    let words: Vec<String> = (1..=WORDS).map(|word| format!("word{word}")).collect();
    words.join(" ")
}

/// Returns the lookup tool of the model.
pub(crate) fn lookup() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(tools::lookup())]
}
