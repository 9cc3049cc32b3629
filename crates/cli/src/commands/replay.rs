//! `turnkit turns replay`: replays a stored turn offline, and shows where it differs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use serde_json::{Value, json};
use turnkit_core::TurnId;
use turnkit_core::ports::{ReplayDifference, ReplayReport};
use turnkit_llm::recording::Recordings;

use crate::args::Place;
use crate::config::{RECORD, load_without_keys};
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::{line, remark};

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
    let compared = installation.replay(turn, recordings).await?;
    let report = Report { turn, folder, compared };
    match json {
        true => print(&report.json().to_string())?,
        false => report.print()?,
    }
    Ok(if report.compared.is_same() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The result of a replay.
struct Report {
    turn: TurnId,
    folder: PathBuf,
    compared: ReplayReport,
}

impl Report {
    fn json(&self) -> Value {
        let ReplayReport { stored_events, replayed_events, difference, missing, requests } = &self.compared;
        let place = |(step, attempt): &(u16, u16)| json!({ "step": step, "attempt": attempt });
        let request =
            |((step, attempt), at): &((u16, u16), String)| json!({ "step": step, "attempt": attempt, "at": at });
        json!({
            "turn_id": self.turn,
            "same": self.compared.is_same(),
            "events": { "stored": stored_events, "replayed": replayed_events },
            "difference": difference,
            "missing": missing.iter().map(place).collect::<Vec<_>>(),
            "requests": requests.iter().map(request).collect::<Vec<_>>(),
        })
    }

    fn print(&self) -> Result<(), Failure> {
        let ReplayReport { replayed_events, difference, missing, requests, .. } = &self.compared;
        for (step, attempt) in missing {
            remark(&format!("nothing is recorded of step {step}, attempt {attempt} in {}", self.folder.display()));
        }
        for ((step, attempt), at) in requests {
            let at = if at.is_empty() { "as a whole" } else { at };
            remark(&format!("the request of step {step}, attempt {attempt} differs from the recorded one: {at}"));
        }
        let Some(difference) = difference else {
            let is_same = if missing.is_empty() { "the same as is stored" } else { "as far as it is recorded" };
            return print(&format!("turn {}: {replayed_events} events, {is_same}", self.turn));
        };
        print(&format!("turn {}: different at {}", self.turn, place(difference)))?;
        print(&format!("  stored    {}", shown(difference.stored.as_ref())))?;
        print(&format!("  replayed  {}", shown(difference.replayed.as_ref())))
    }
}

/// Returns the location of a difference, for people.
fn place(difference: &ReplayDifference) -> String {
    let ReplayDifference { event, message, kind, at, .. } = difference;
    match (event, message) {
        (Some(event), _) => format!("event {event}, {} {at}", kind.unwrap_or_default()).trim_end().to_owned(),
        (None, message) => format!("message {} {at}", message.unwrap_or_default()).trim_end().to_owned(),
    }
}

fn shown(side: Option<&Value>) -> String {
    match side {
        None => "nothing".to_owned(),
        Some(Value::String(text)) => text.replace('\n', "\\n"),
        Some(value) => value.to_string(),
    }
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
