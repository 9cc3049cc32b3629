//! Searching sessions by words.

use turnkit_core::ports::{SessionList, SessionMatch, SessionMatches, SessionPage, SessionSearch, TurnMatch};
use turnkit_core::{Entry, Scope, SearchQuery, SessionSummary, StoreError, searched_texts, searched_words};

use super::disk::{Rows, TurnRow};

impl Rows {
    pub(super) fn search(&self, scope: &Scope, search: &SessionSearch) -> Result<SessionMatches, StoreError> {
        let all = SessionPage { limit: u32::MAX, after: search.after };
        let SessionList { sessions, .. } = self.list(scope, all)?;
        let found = sessions.into_iter().filter_map(|session| self.session_match(session, &search.query));
        Ok(SessionMatches { found: found.take(search.limit as usize).collect(), unreadable: Vec::new() })
    }

    fn session_match(&self, session: SessionSummary, query: &SearchQuery) -> Option<SessionMatch> {
        let of_session = |turn: &&TurnRow| turn.ended_at.is_some() && self.session_of(turn).session.id == session.id;
        let has_words = |turn: &&TurnRow| query.matches(&searched_words(texts(turn)));
        let newest = self.turns.iter().filter(of_session).filter(has_words).max_by_key(|turn| turn.number);
        let turn = newest.map(|turn| TurnMatch {
            id: turn.id,
            number: turn.number,
            excerpt: texts(turn).find_map(|text| query.excerpt(text)).unwrap_or_default(),
        });
        let is_found = turn.is_some() || query.matches(&searched_words([&*session.title]));
        is_found.then_some(SessionMatch { session, turn })
    }
}

fn texts(turn: &TurnRow) -> impl Iterator<Item = &str> {
    let begun = turn.messages.iter().filter(|_| turn.has_begun());
    begun.map(|entry: &std::sync::Arc<Entry>| entry.message()).flat_map(searched_texts)
}
