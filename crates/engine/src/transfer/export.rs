//! Exports a session as JSON Lines, read from the store one turn at a time.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use turnkit_core::ports::{BlobContent, BoxStream, SessionState, Store};
use turnkit_core::{
    BlobId, Message, Part, Scope, SessionId, SessionSummary, StoreError, TraceId, TurnId, TurnRecord, TurnState,
};

use super::line::{ContentLine, EndLine, FileLine, Line, MessageLine, SessionLine, TurnLine, VERSION};

/// Returns the lines of a session. If the session is deleted meanwhile or storage fails, they end with an error and
/// without the last line.
///
/// # Errors
/// `NotFound`; otherwise storage failed.
pub(crate) async fn export(
    store: Arc<dyn Store>,
    scope: Scope,
    session: SessionId,
) -> Result<BoxStream<'static, Result<Bytes, StoreError>>, StoreError> {
    let SessionState { session, active, head, queue, .. } = store.state(&scope, session).await?;
    let head = match (head, active) {
        // The running turn is left out: the head is the turn before it.
        (Some((head, _)), Some((active, _))) if head == active => store.turn(&scope, head).await?.after,
        (head, _) => head.map(|(turn, _)| turn),
    };
    let mut unfinished: Vec<TurnId> = queue.iter().map(|queued| queued.id).collect();
    unfinished.extend(active.map(|(turn, _)| turn));
    let exporter = Exporter {
        store,
        scope,
        session: session.id,
        last: session.turns,
        number: 0,
        unfinished,
        next: VecDeque::from([Next::Line(first_line(session, head))]),
        files: HashSet::new(),
        content: None,
        written: 0,
    };
    let lines = stream::try_unfold(Some(exporter), |exporter| async move {
        let Some(mut exporter) = exporter else { return Ok(None) };
        let (line, more) = match exporter.next_line().await? {
            Some(line) => (line, true),
            None => (Line::End(EndLine { lines: exporter.written }), false),
        };
        exporter.written += 1;
        Ok(Some((encoded(&line)?, more.then_some(exporter))))
    });
    Ok(lines.boxed())
}

/// The state of an export.
struct Exporter {
    store: Arc<dyn Store>,
    scope: Scope,
    session: SessionId,
    /// The number of the last turn accepted before the export began.
    last: u32,
    /// The number of the last turn read so far.
    number: u32,
    /// The turns that had not ended when the export began.
    unfinished: Vec<TurnId>,
    /// Lines that were read but not written yet.
    next: VecDeque<Next>,
    /// The files written so far.
    files: HashSet<BlobId>,
    /// The rest of the file that is being written.
    content: Option<(BlobId, BlobContent<'static>)>,
    /// The number of lines written so far.
    written: u64,
}

enum Next {
    Line(Line),
    File(BlobId),
}

impl Exporter {
    /// Returns the next line, except the last one.
    async fn next_line(&mut self) -> Result<Option<Line>, StoreError> {
        loop {
            if let Some((file, content)) = &mut self.content {
                if let Some(piece) = content.try_next().await? {
                    return Ok(Some(Line::Content(ContentLine::new(*file, &piece))));
                }
                self.content = None;
            }
            match self.next.pop_front() {
                Some(Next::Line(line)) => return Ok(Some(line)),
                Some(Next::File(file)) => return self.open(file).await.map(Some),
                None if self.read_turn().await? => {}
                None => return Ok(None),
            }
        }
    }

    /// Reads the next turn that ran and has ended. Returns `false` if there is none.
    async fn read_turn(&mut self) -> Result<bool, StoreError> {
        let next = self.store.turn_after(&self.scope, self.session, self.number).await?;
        let Some((turn, number)) = next.filter(|(_, number)| *number <= self.last) else { return Ok(false) };
        self.number = number;
        if self.unfinished.contains(&turn) {
            return Ok(true);
        }
        let messages = self.store.turn_messages(&self.scope, turn).await?;
        let record = self.store.turn(&self.scope, turn).await?;
        let TurnRecord { after, agent, state, accepted_at, ended_at, trace, kind, .. } = record;
        // A turn without messages was dropped from the queue, and no turn continues it.
        if let (TurnState::Ended(state), Some(ended_at), false) = (state, ended_at, messages.is_empty()) {
            let trace = Some(trace).filter(|trace| *trace != TraceId::of(turn));
            let line = TurnLine { id: turn, after, agent, state, accepted_at, ended_at, trace, kind };
            self.next.push_back(Next::Line(Line::Turn(line)));
            messages.into_iter().for_each(|message| self.push(turn, message));
        }
        Ok(true)
    }

    /// Queues a message, preceded by the files that it is the first to reference.
    fn push(&mut self, turn: TurnId, Message { role, parts, mark }: Message) {
        let named: Vec<BlobId> = parts.iter().flat_map(Part::blobs).filter(|file| self.files.insert(*file)).collect();
        self.next.extend(named.into_iter().map(Next::File));
        let parts = parts.into_iter().map(Part::without_opaque).collect();
        self.next.push_back(Next::Line(Line::Message(MessageLine { turn, role, parts, mark })));
    }

    async fn open(&mut self, file: BlobId) -> Result<Line, StoreError> {
        let open = self.store.open(&self.scope, file).await?;
        self.content = Some((file, open.content));
        let (name, media_type, bytes) = (open.blob.name, open.blob.media_type, open.blob.bytes);
        Ok(Line::File(FileLine { id: file, name, media_type, bytes }))
    }
}

fn first_line(session: SessionSummary, head: Option<TurnId>) -> Line {
    let SessionSummary { id, name, agent, title, created_at, metadata, prompt, params, tools, mode, .. } = session;
    let version = VERSION;
    Line::Session(SessionLine {
        version,
        id,
        name,
        agent,
        title,
        metadata,
        prompt,
        params,
        tools,
        mode,
        head,
        created_at,
    })
}

fn encoded(line: &Line) -> Result<Bytes, StoreError> {
    let mut text = serde_json::to_vec(line).map_err(|error| StoreError::Corrupt(error.to_string()))?;
    text.push(b'\n');
    Ok(text.into())
}
