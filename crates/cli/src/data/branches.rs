//! The branches of a session, local or on a server.

use std::collections::HashSet;
use std::fmt;

use serde::Serialize;
use turnkit_core::ports::MessagePage;
use turnkit_core::{Message, Part, SessionId, Timestamp, TurnId};
use turnkit_server::TurnBody;

use super::Data;
use crate::failure::Failure;
use crate::query::TurnQuery;
use crate::terminal::shortened;

/// The number of turns per page.
const PAGE: u32 = 200;
/// The largest number of characters of a message that is shown.
const CAPTION_CHARS: usize = 60;

/// A turn at which a branch ends, or the head.
#[derive(Debug, Serialize)]
pub(crate) struct BranchEnd {
    pub(crate) turn_id: TurnId,
    pub(crate) number: u32,
    pub(crate) accepted_at: Timestamp,
    /// The user's message of the turn. For a summary or a title, the user's last message before it or, without one, its
    /// purpose.
    pub(crate) message: String,
    /// Whether the turn is the head, which the next turn continues.
    pub(crate) head: bool,
}

/// Returns the text of a message. A compaction begins with a notice; its text is returned in parentheses.
fn caption(message: &Message) -> String {
    let notice = || {
        message.parts.iter().find_map(|part| match part {
            Part::Notice(notice) => Some(format!("({})", notice.text)),
            _ => None,
        })
    };
    Some(message.text()).filter(|text| !text.is_empty()).or_else(notice).unwrap_or_default()
}

/// One line, with a star for the head.
impl fmt::Display for BranchEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, accepted_at, message, head, .. } = self;
        write!(f, "{} {number:>4}  {accepted_at}  {}", if *head { "*" } else { " " }, shortened(message, CAPTION_CHARS))
    }
}

/// Returns the turn with the user's message that `turn` answers or follows, or `turn` itself if there is none.
fn nearest_message<'a>(turn: &'a TurnBody, turns: &'a [TurnBody]) -> &'a TurnBody {
    let mut nearest = turn;
    while !nearest.kind.is_message() {
        match nearest.after.and_then(|after| turns.iter().find(|turn| turn.id == after)) {
            Some(before) => nearest = before,
            None => return turn,
        }
    }
    nearest
}

impl Data {
    /// Returns the ended turns that no other turn continues, and the head, newest first.
    pub(crate) async fn branches(&self, session: SessionId) -> Result<Vec<BranchEnd>, Failure> {
        let head = self.session(session).await?.head;
        let (mut continued, mut ends) = (HashSet::new(), Vec::new());
        let turns = self.all_turns(session).await?;
        // In this order, a turn comes after the turns that continue it.
        for turn in &turns {
            let TurnBody { id, number, accepted_at, ended_at, after, kind, .. } = *turn;
            // A summary or a title next to messages that continue the same turn is not a branch of the user.
            let is_beside = !kind.is_message() && after.is_some_and(|after| continued.contains(&after));
            let is_end = ended_at.is_some() && !continued.contains(&id) && !is_beside;
            let is_shown = is_end || head == Some(id);
            let message =
                if is_shown { self.first_message(session, nearest_message(turn, &turns)).await? } else { None };
            // A turn that was dropped from the queue has no message and continues no turn.
            if !is_end || message.is_some() {
                continued.extend(after);
            }
            if let Some(message) = message {
                let (message, head) = (caption(&message), head == Some(id));
                ends.push(BranchEnd { turn_id: id, number, accepted_at, message, head });
            }
        }
        Ok(ends)
    }

    /// Returns the turn of a session with this number, which the next turn is to continue, and a message for the user.
    pub(crate) async fn branch_at(&self, session: SessionId, number: u32) -> Result<(TurnId, String), Failure> {
        let turns = self.all_turns(session).await?;
        let no_such = || Failure::Usage(format!("the session has no turn {number} with a message"));
        let turn = turns.iter().find(|turn| turn.number == number).ok_or_else(no_such)?;
        let message = self.first_message(session, nearest_message(turn, &turns)).await?.ok_or_else(no_such)?;
        Ok((
            turn.id,
            format!("the next message continues turn {number}: {}", shortened(&caption(&message), CAPTION_CHARS)),
        ))
    }

    /// Returns all turns of a session, newest first.
    async fn all_turns(&self, session: SessionId) -> Result<Vec<TurnBody>, Failure> {
        let mut query = TurnQuery { user: None, session: Some(session), state: None, limit: PAGE, after: None };
        let mut turns = Vec::new();
        loop {
            let part = self.turns(&query).await?;
            turns.extend(part.data);
            query.after = part.next.and_then(|next| next.parse().ok());
            if query.after.is_none() {
                return Ok(turns);
            }
        }
    }

    /// Returns the first message of a turn, or `None` if the turn has none.
    async fn first_message(&self, session: SessionId, turn: &TurnBody) -> Result<Option<Message>, Failure> {
        let TurnBody { id, number, .. } = *turn;
        let found = match self {
            Self::Local(installation) => {
                let page = MessagePage { limit: 1, before: Some((number, 1)), context: true };
                let page = installation.sessions().message_page(&installation.scope, session, page).await?;
                page.into_iter().next().map(|message| (message.turn, message.message))
            }
            Self::Remote(client) => client.message_before(session, (number, 1)).await?,
        };
        Ok(found.filter(|(of, _)| *of == id).map(|(_, message)| message))
    }
}
