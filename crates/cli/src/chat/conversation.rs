//! The turns of one session, one after another.

use std::process::ExitCode;

use turnkit_core::{BlobId, SessionId, SessionKey, TurnId};
use turnkit_server::TurnBody;

use super::follow::{Outcome, follow};
use super::input::{Line, Prompt};
use super::interrupt::Interrupts;
use super::questions::ApprovalMode;
use super::render::{Renderer, Style};
use crate::data::{Data, Runner, StartedTurn};
use crate::failure::Failure;
use crate::query::TurnOptions;
use crate::terminal::{error, remark};

/// The lines that `/help` shows.
const HELP: [&str; 12] = [
    "every line is a message to the agent, except:",
    "  /help              shows this",
    "  /undo              undoes the last message; your next one replaces it",
    "  /retry             answers the last message again",
    "  /branches          lists the turns at which branches end, with their numbers",
    "  /switch NUMBER     lets your next message continue that turn",
    "  /compact           has earlier messages summarised; the session keeps them",
    "  /quit, Ctrl-D      leaves; the session is kept, and its id is shown",
    "  Ctrl-C             cancels the running turn; twice leaves",
    "  arrow up and down  go through earlier messages",
    "`turnkit chat --session ID` continues a session, and `turnkit sessions ls` lists them",
    "`turnkit chat --help` has the rest",
];

pub(super) struct Conversation<'a> {
    pub(super) data: &'a Data,
    pub(super) runner: Runner,
    pub(super) session: SessionKey,
    /// The turns of the session that had not ended when the chat opened it, oldest first.
    pub(super) unfinished: Vec<TurnBody>,
    pub(super) options: TurnOptions,
    /// Files that are attached to the next message.
    pub(super) files: Vec<BlobId>,
    /// The folder whose file tree is sent with the next message.
    pub(super) tree: Option<String>,
    pub(super) style: Style,
    pub(super) interrupts: Interrupts,
    /// Whether calls that need approval run without a question.
    pub(super) approves: bool,
    /// The prompt at which the user enters lines.
    pub(super) prompt: Option<Prompt>,
}

/// Parses the session of the command line: an id of turnkit, or a name that the user chose.
pub(super) fn session_key(wanted: Option<&str>) -> Result<SessionKey, Failure> {
    let Some(wanted) = wanted else { return Ok(SessionKey::New) };
    if let Ok(id) = wanted.parse() {
        return Ok(SessionKey::Id(id));
    }
    wanted.parse().map(SessionKey::Name).map_err(|error| Failure::Usage(format!("--session: {error}")))
}

impl Conversation<'_> {
    /// Runs one turn and ends.
    pub(super) async fn once(&mut self, message: String) -> Result<ExitCode, Failure> {
        let outcome = self.turn(message).await?;
        if self.style == Style::Text {
            self.show_session();
        }
        Ok(outcome.code())
    }

    /// Follows the unfinished turns of the session, then runs turns until the user leaves. A turn that is rejected does
    /// not end the conversation.
    pub(super) async fn talk(&mut self, first: Option<String>) -> Result<ExitCode, Failure> {
        remark("Ctrl-C cancels the running turn, twice leaves; Ctrl-D or /quit leaves; /help shows the commands");
        self.prompt = Some(Prompt::open()?);
        let mut unfinished = std::mem::take(&mut self.unfinished).into_iter();
        let mut next = first;
        loop {
            let done = if let Some(turn) = unfinished.next() {
                self.follow_unfinished(&turn).await.map(Some)
            } else if let Some(message) = next.take() {
                self.turn(message).await.map(Some)
            } else {
                match self.enter().await? {
                    Line::Message(message) => self.turn(message).await.map(Some),
                    Line::Retry => self.retry().await.map(Some),
                    Line::Compact => self.compact().await.map(Some),
                    Line::Undo => self.undo().await.map(|()| None),
                    Line::Branches => self.branches().await.map(|()| None),
                    Line::Switch(number) => self.switch(number).await.map(|()| None),
                    Line::Help => {
                        HELP.iter().for_each(|line| remark(line));
                        continue;
                    }
                    Line::Leave => break,
                }
            };
            match done {
                Ok(None | Some(Outcome::Ended(_))) => {}
                Ok(Some(Outcome::Left)) => break,
                Err(Failure::Usage(why) | Failure::Failed(why)) => error(&why),
                Err(failure) => return Err(failure),
            }
        }
        self.show_session();
        Ok(ExitCode::SUCCESS)
    }

    /// Shows the prompt and returns the next line.
    async fn enter(&mut self) -> Result<Line, Failure> {
        match &mut self.prompt {
            Some(prompt) => prompt.ask().await,
            None => Ok(Line::Leave),
        }
    }

    async fn turn(&mut self, message: String) -> Result<Outcome, Failure> {
        let attached = (self.files.as_slice(), self.tree.as_deref());
        let StartedTurn { turn, session } = self.runner.begin(&self.session, &self.options, message, attached).await?;
        self.files.clear();
        self.tree = None;
        self.session = SessionKey::Id(session);
        self.follow(turn, session).await
    }

    pub(super) async fn follow(&mut self, turn: TurnId, session: SessionId) -> Result<Outcome, Failure> {
        self.follow_as(turn, session, self.approves).await
    }

    /// Follows a turn. With `approves`, its calls that need approval run without a question.
    pub(super) async fn follow_as(
        &mut self,
        turn: TurnId,
        session: SessionId,
        approves: bool,
    ) -> Result<Outcome, Failure> {
        let renderer = Renderer::new(self.style, session, turn);
        let approval = match &mut self.prompt {
            _ if approves => ApprovalMode::ApproveAll,
            Some(prompt) => ApprovalMode::Interactive(prompt),
            None => ApprovalMode::Headless,
        };
        follow(&self.runner, turn, &mut self.interrupts, renderer, approval).await
    }

    fn show_session(&self) {
        if let SessionKey::Id(session) = &self.session {
            remark(&format!("session {session} (continue with --session {session})"));
        }
    }
}
