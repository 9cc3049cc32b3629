//! Searching sessions by words.

use turnkit_core::ports::{
    SessionList, SessionMatch, SessionMatches, SessionPage, SessionSearch, TurnMatch, TurnSearch,
};
use turnkit_core::{Entry, Scope, SearchQuery, SessionId, SessionSummary, StoreError, searched_texts, searched_words};

use super::disk::{Rows, TurnRow};

impl Rows {
    pub(super) fn search(&self, scope: &Scope, search: &SessionSearch) -> Result<SessionMatches, StoreError> {
        let all = SessionPage { limit: u32::MAX, after: search.after, archived: search.archived };
        let SessionList { sessions, .. } = self.list(scope, all)?;
        let found = sessions.into_iter().filter_map(|session| self.session_match(session, &search.query));
        Ok(SessionMatches { found: found.take(search.limit as usize).collect(), unreadable: Vec::new() })
    }

    fn session_match(&self, session: SessionSummary, query: &SearchQuery) -> Option<SessionMatch> {
        let turn = self.turn_matches(session.id, query).into_iter().next();
        let is_found = turn.is_some() || query.matches(&searched_words([&*session.title]));
        is_found.then_some(SessionMatch { session, turn })
    }

    pub(super) fn search_turns(
        &self,
        scope: &Scope,
        session: SessionId,
        search: &TurnSearch,
    ) -> Result<Vec<TurnMatch>, StoreError> {
        let (_, row) = self.session(scope, session)?;
        let matches = if row.ephemeral { Vec::new() } else { self.turn_matches(session, &search.query) };
        let is_before = |found: &TurnMatch| search.before.is_none_or(|before| found.number < before);
        Ok(matches.into_iter().filter(is_before).take(search.limit as usize).collect())
    }

    /// Returns the matching turns of a session, the highest number first.
    fn turn_matches(&self, session: SessionId, query: &SearchQuery) -> Vec<TurnMatch> {
        let of_session = |turn: &&TurnRow| turn.ended_at.is_some() && self.session_of(turn).session.id == session;
        let has_words = |turn: &&TurnRow| query.matches(&searched_words(texts(turn)));
        let found = self.turns.iter().filter(of_session).filter(has_words);
        let mut matches: Vec<TurnMatch> = found.map(|turn| turn_match(turn, query)).collect();
        matches.sort_by_key(|found| std::cmp::Reverse(found.number));
        matches
    }
}

fn turn_match(turn: &TurnRow, query: &SearchQuery) -> TurnMatch {
    let excerpt = texts(turn).find_map(|text| query.excerpt(text)).unwrap_or_default();
    TurnMatch { id: turn.id, number: turn.number, excerpt }
}

fn texts(turn: &TurnRow) -> impl Iterator<Item = &str> {
    let begun = turn.messages.iter().filter(|_| turn.has_begun());
    begun.map(|entry: &std::sync::Arc<Entry>| entry.message()).flat_map(searched_texts)
}
