//! What the model of a trial says, and what it must have said.

use std::sync::Arc;
use std::time::Duration;

use serde_json::json;
use turnkit_core::ports::Tool;
use turnkit_testkit::{Gate, Reply, ScriptedProvider, tools};

/// Between two words: long enough for others to come in between.
const PAUSE: Duration = Duration::from_millis(1);
/// With so many words a turn has 40 events.
const WORDS: usize = 22;

/// A model that looks two things up and then says [`answer`], whatever it is asked.
pub(crate) fn model() -> Arc<ScriptedProvider> {
    let open = Gate::new();
    open.open();
    held_model(move || open.clone())
}

/// The same model, which says the last word of a turn when the gate is open that `gate` gave when it was asked.
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

/// What it says.
pub(crate) fn answer() -> String {
    let words: Vec<String> = (1..=WORDS).map(|word| format!("word{word}")).collect();
    words.join(" ")
}

/// The tool it looks things up with.
pub(crate) fn lookup() -> Vec<Arc<dyn Tool>> {
    vec![Arc::new(tools::lookup())]
}
