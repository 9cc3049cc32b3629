//! Creates a session from JSON Lines, atomically and with new ids. No turn is run.

use std::collections::HashMap;

use futures_util::{StreamExt as _, stream};
use turnkit_core::ports::{BlobContent, IdSource, ImportedTurn, ImportedTurns, NewSession, Store};
use turnkit_core::{Blob, BlobId, Mark, Message, NewBlob, Part, Scope, SessionSummary, StoreError, Timestamp, TurnId};

use super::ImportError;
use super::check::{NAME_BYTES, Pairs, check_session, clean};
use super::line::{FileLine, Line, MessageLine, SessionLine, TurnLine, VERSION};
use super::lines::Lines;
use super::rewrite::rewritten;

/// The maximum length of a title, in characters.
const TITLE_CHARS: usize = 200;
/// The maximum length of a file name, in characters.
const FILE_NAME_CHARS: usize = 255;

/// The source of ids, and the time of an import.
pub(crate) struct Ids<'a> {
    pub(crate) source: &'a dyn IdSource,
    pub(crate) at: Timestamp,
}

/// Creates a session from the lines in `content`. Accepts at most `limit` bytes of lines, all of which are held in
/// memory. Each file has the same limit, and is stored as it arrives.
///
/// # Errors
/// A line is invalid or too large, the content was cut off, or storage failed. No session is created. Files that were
/// already stored are removed later like other files that no turn references.
pub(crate) async fn import(
    store: &dyn Store,
    ids: Ids<'_>,
    scope: &Scope,
    content: BlobContent<'_>,
    limit: u64,
) -> Result<SessionSummary, ImportError> {
    let mut import = Import {
        store,
        ids,
        scope,
        lines: Lines::new(content, limit),
        room: limit,
        turns: Vec::new(),
        numbers: HashMap::new(),
        files: HashMap::new(),
        pairs: Pairs::default(),
    };
    let session = import.first_line().await?;
    import.read_turns().await?;
    let head = session.head.map(|head| import.numbers.get(&head).copied().ok_or_else(no_head));
    let (head, id) = (head.transpose()?, import.ids.source.session(import.ids.at));
    let (session, turns) = (new_session(session, id, import.ids.at), ImportedTurns { turns: import.turns, head });
    Ok(store.import(scope, session, turns).await?)
}

struct Import<'a> {
    store: &'a dyn Store,
    ids: Ids<'a>,
    scope: &'a Scope,
    lines: Lines<'a>,
    /// The number of bytes that are still accepted.
    room: u64,
    turns: Vec<ImportedTurn>,
    /// The numbers of the turns, by their exported ids.
    numbers: HashMap<TurnId, u32>,
    /// The stored files, by their exported ids.
    files: HashMap<BlobId, Blob>,
    pairs: Pairs,
}

impl Import<'_> {
    async fn first_line(&mut self) -> Result<SessionLine, ImportError> {
        let session = match self.next().await? {
            Some(Line::Session(session)) => session,
            Some(_) => return Err(self.lines.invalid("expected the session line first")),
            None => return Err(self.lines.missing("there is nothing to import")),
        };
        if session.version != VERSION {
            let why = format!(
                "unsupported export version {}; this version of turnkit reads version {VERSION}",
                session.version
            );
            return Err(self.lines.invalid(why));
        }
        check_session(&session).map_err(|why| self.lines.invalid(why))?;
        Ok(session)
    }

    /// Reads all lines after the first.
    async fn read_turns(&mut self) -> Result<(), ImportError> {
        let mut current = TurnId::default();
        loop {
            let number = self.lines.number();
            match self.next().await? {
                Some(Line::Turn(turn)) => {
                    self.end_turn()?;
                    current = turn.id;
                    self.begin(turn)?;
                }
                Some(Line::Message(message)) if message.turn == current && !self.turns.is_empty() => {
                    self.add(message)?;
                }
                Some(Line::Message(_)) => return Err(self.lines.invalid("a message must follow the line of its turn")),
                Some(Line::File(file)) => self.store_file(file).await?,
                Some(Line::Content(_)) => return Err(self.lines.invalid("content must follow the line of its file")),
                Some(Line::Session(_)) => return Err(self.lines.invalid("an export contains only one session line")),
                Some(Line::End(end)) if end.lines == number => break,
                Some(Line::End(_)) => {
                    return Err(self.lines.invalid(format!("the end line does not match: {number} lines precede it")));
                }
                None => return Err(self.lines.missing("the last line is missing: the export was cut")),
            }
        }
        self.end_turn()?;
        match self.next().await? {
            None => Ok(()),
            Some(_) => Err(self.lines.invalid("unexpected line after the end line")),
        }
    }

    async fn next(&mut self) -> Result<Option<Line>, ImportError> {
        let Some((line, bytes)) = self.lines.next().await? else { return Ok(None) };
        self.room = self.room.checked_sub(bytes).ok_or_else(|| self.lines.too_large())?;
        Ok(Some(line))
    }

    fn begin(&mut self, turn: TurnLine) -> Result<(), ImportError> {
        let TurnLine { id, after, agent, state, accepted_at, ended_at, trace, kind } = turn;
        let after = after.map(|after| self.numbers.get(&after).copied());
        let after = after.map(|after| {
            after.ok_or_else(|| self.lines.invalid("`after` names a turn that does not come before this one"))
        });
        let (after, agent) = (after.transpose()?, clean(&agent, NAME_BYTES).into());
        let number = u32::try_from(self.turns.len() + 1).map_err(|_| self.lines.too_large())?;
        if self.numbers.insert(id, number).is_some() {
            return Err(self.lines.invalid("two turns have the same id"));
        }
        let (id, messages, blobs) = (self.ids.source.turn(self.ids.at), Vec::new(), Vec::new());
        self.turns.push(ImportedTurn {
            id,
            after,
            agent,
            status: state,
            accepted_at,
            ended_at,
            messages,
            blobs,
            trace,
            kind,
        });
        Ok(())
    }

    /// Checks that the last turn, if any, is complete.
    fn end_turn(&mut self) -> Result<(), ImportError> {
        self.pairs.end_turn().map_err(|why| self.lines.invalid(why))?;
        match self.turns.last().is_some_and(|turn| turn.messages.is_empty()) {
            true => Err(self.lines.invalid("the previous turn has no message")),
            false => Ok(()),
        }
    }

    /// Adds a message to the last turn. Skips summaries and edits, because the messages that they replace are in the
    /// session.
    fn add(&mut self, message: MessageLine) -> Result<(), ImportError> {
        let MessageLine { turn: exported, role, parts, mark } = message;
        let (Some(turn), message) = (self.turns.last_mut(), Message { role, parts, mark }) else { return Ok(()) };
        if matches!(mark, Some(Mark::Summary | Mark::Edits)) {
            return Ok(());
        }
        let message = rewritten(message, (exported, turn.id), &self.files);
        let message = message.and_then(|message| self.pairs.check(&message).map(|()| message));
        let message = message.map_err(|why| self.lines.invalid(why))?;
        turn.blobs.extend(message.parts.iter().flat_map(Part::blobs));
        turn.messages.push(message);
        Ok(())
    }

    /// Stores a file as the lines of its content arrive.
    async fn store_file(&mut self, file: FileLine) -> Result<(), ImportError> {
        let (at, number) = (self.ids.at, self.lines.number());
        let name = Some(clean(&file.name, FILE_NAME_CHARS)).filter(|name| !name.is_empty());
        let name = name.unwrap_or_else(|| "file".to_owned()).into();
        let new = NewBlob { id: self.ids.source.blob(at), name, at };
        let mut refusal = None;
        let content = stream::try_unfold((&mut self.lines, &mut refusal, 0), |(lines, refusal, bytes)| async move {
            match lines.piece_of(file.id, bytes).await {
                Ok(piece) => Ok(piece.map(|(piece, bytes)| (piece, (lines, refusal, bytes)))),
                Err(error) => {
                    *refusal = Some(error);
                    Err(StoreError::Unavailable("the import ended".to_owned()))
                }
            }
        });
        let stored = self.store.put(self.scope, new, content.boxed()).await;
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        let stored = stored?;
        let wrong = |reason: &str| ImportError::Invalid { line: number, reason: reason.to_owned() };
        if stored.bytes != file.bytes {
            return Err(wrong("bytes: does not match the size of the content that follows"));
        }
        match self.files.insert(file.id, stored) {
            Some(_) => Err(wrong("two files have the same id")),
            None => Ok(()),
        }
    }
}

fn new_session(line: SessionLine, id: turnkit_core::SessionId, at: Timestamp) -> NewSession {
    let SessionLine { agent, title, metadata, prompt, params, tools, mode, .. } = line;
    let title = clean(&title, TITLE_CHARS).into();
    NewSession { id, name: None, agent, title, metadata, prompt, params, tools, mode, at }
}

fn no_head() -> ImportError {
    ImportError::Invalid { line: 1, reason: "head: no turn of the export has this id".to_owned() }
}
