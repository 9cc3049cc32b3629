//! `turnkit sessions export` and `import`.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use futures_util::TryStreamExt as _;
use turnkit_engine::ExportFormat;

use super::print;
use crate::args::Place;
use crate::config::load;
use crate::data::{Data, Session};
use crate::failure::Failure;
use crate::terminal::{counted, json_line, remark};

/// Writes a session to standard output.
pub(super) async fn export(data: &Data, wanted: &str, format: ExportFormat) -> Result<(), Failure> {
    let id = data.find_session(wanted).await?;
    let mut text = data.export(id, format).await?;
    let mut unwritten = Vec::new();
    while let Some(piece) = text.try_next().await? {
        let whole = piece.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        let (ended, begun) = piece.split_at(whole);
        if !ended.is_empty() {
            unwritten.extend_from_slice(ended);
            write(&String::from_utf8_lossy(&std::mem::take(&mut unwritten)), format)?;
        }
        unwritten.extend_from_slice(begun);
    }
    write(&String::from_utf8_lossy(&unwritten), format)
}

fn write(lines: &str, format: ExportFormat) -> Result<(), Failure> {
    for line in lines.split_terminator('\n') {
        match format {
            ExportFormat::JsonLines | ExportFormat::Json => {
                json_line(line).map_err(|error| Failure::of_output(&error))?
            }
            ExportFormat::Markdown => print(line)?,
        }
    }
    Ok(())
}

/// Creates a session from the export at `path`, or from standard input.
pub(super) async fn import(place: &Place, data: Option<Data>, path: Option<&Path>) -> Result<(), Failure> {
    let lines: Box<dyn Read + Send> = match path {
        Some(path) => {
            let file = File::open(path);
            Box::new(file.map_err(|error| Failure::Usage(format!("cannot read {}: {error}", path.display())))?)
        }
        None => Box::new(io::stdin()),
    };
    let data = match data {
        Some(data) => data,
        None => Data::open_or_create(load(place)?, place)?,
    };
    let Session { id, turns, .. } = data.import(lines).await?;
    print(&id.to_string())?;
    remark(&format!("imported {}; continue with `turnkit chat --session {id}`", counted(turns, "turn")));
    Ok(())
}
