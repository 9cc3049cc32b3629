//! `turnkit turns replay`: replays a stored turn offline, and shows where it differs.

mod comparison;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::TurnId;
use turnkit_llm::recording::{Recordings, ReplayDifferences};

use crate::args::Place;
use crate::config::{RECORD, load_without_keys};
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::{line, remark};
use comparison::{Comparison, Side};

pub(crate) async fn run(
    place: &Place,
    server: Option<&str>,
    turn: TurnId,
    from: Option<&Path>,
    json: bool,
) -> Result<ExitCode, Failure> {
    if server.is_some() {
        return Err(Failure::Usage(
            "--server: a turn is replayed from the data directory itself; name it with --data".to_owned(),
        ));
    }
    let mut resolved = load_without_keys(place)?;
    let folder = from.map(Path::to_owned).or(resolved.record.take()).ok_or_else(|| {
        Failure::Usage(format!("name the folder of the recordings with --from, or in the variable {RECORD}"))
    })?;
    let installation = match Data::to_replay(resolved, place)? {
        None => return Err(Failure::no_turn(turn)),
        Some(Data::Local(installation)) => installation,
        Some(Data::Remote(client)) => {
            let why = "a turn is replayed from the data directory itself: stop the server, or name a copy with --data";
            return Err(Failure::Data(format!("a server at {} is using the data directory; {why}", client.url())));
        }
    };
    let recordings = Recordings::read(&folder, turn).map_err(|error| Failure::Failed(error.to_string()))?;
    let recordings = Arc::new(recordings);
    let replay = installation.replay(turn, Arc::clone(&recordings)).await?;
    let stored = replay.turn.messages.clone();
    let replayed = replay.run().await.map_err(|error| Failure::Failed(format!("turn {turn}: {error}")))?;
    let comparison = Comparison::new(turn, &replayed, &stored);
    let report = Report { turn, folder, differences: recordings.differences(), comparison };
    match json {
        true => print(&report.json().to_string())?,
        false => report.print()?,
    }
    Ok(if report.is_same() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The result of a replay.
struct Report {
    turn: TurnId,
    folder: PathBuf,
    differences: ReplayDifferences,
    comparison: Comparison,
}

impl Report {
    fn is_same(&self) -> bool {
        self.comparison.difference.is_none() && self.differences.missing.is_empty()
    }

    fn json(&self) -> Value {
        let place = |(step, attempt): &(u16, u16)| json!({ "step": step, "attempt": attempt });
        let request =
            |((step, attempt), at): (&(u16, u16), &String)| json!({ "step": step, "attempt": attempt, "at": at });
        json!({
            "turn_id": self.turn,
            "same": self.is_same(),
            "events": { "stored": self.comparison.stored, "replayed": self.comparison.replayed },
            "difference": self.comparison.difference,
            "missing": self.differences.missing.iter().map(place).collect::<Vec<_>>(),
            "requests": self.differences.requests.iter().map(request).collect::<Vec<_>>(),
        })
    }

    fn print(&self) -> Result<(), Failure> {
        for (step, attempt) in &self.differences.missing {
            remark(&format!("nothing is recorded of step {step}, attempt {attempt} in {}", self.folder.display()));
        }
        for ((step, attempt), at) in &self.differences.requests {
            let at = if at.is_empty() { "as a whole" } else { at };
            remark(&format!("the request of step {step}, attempt {attempt} differs from the recorded one: {at}"));
        }
        let Some(difference) = &self.comparison.difference else {
            let is_same = if self.is_same() { "the same as is stored" } else { "as far as it is recorded" };
            return print(&format!("turn {}: {} events, {is_same}", self.turn, self.comparison.replayed));
        };
        print(&format!("turn {}: different at {}", self.turn, difference.place()))?;
        print(&format!("  stored    {}", shown(&difference.stored)))?;
        print(&format!("  replayed  {}", shown(&difference.replayed)))
    }
}

fn shown(side: &Side) -> String {
    match side {
        None => "nothing".to_owned(),
        Some(Value::String(text)) => text.replace('\n', "\\n"),
        Some(value) => value.to_string(),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
