//! Assigns fragments to tool calls.
//!
//! Servers omit ids, indices or names, repeat them in each fragment, or assign the same one to two calls. The rules, in
//! order: a known id; an unknown id (a new call); an index; the latest call. In each case, a fragment that has a name
//! and more arguments than one object can hold begins another call.

use turnkit_core::{Delta, ProviderError, ProviderErrorKind, Str};

use crate::wire::arguments::ObjectScan;
use crate::wire::parts::{Parts, UNNAMED};
use crate::wire::transcript::made_up_id;

/// Maximum number of calls in one answer. Each fragment searches them, so the limit bounds the cost of an answer.
const MAX_CALLS: usize = 1024;

/// The calls of one answer, in the order they appeared.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls(Vec<Call>);

/// One delta's data about a call. Empty fields count as absent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fragment<'a> {
    pub(super) id: Option<&'a str>,
    pub(super) index: Option<u64>,
    pub(super) name: Option<&'a str>,
    pub(super) arguments: &'a str,
}

impl Fragment<'_> {
    fn is_empty(&self) -> bool {
        self.id.is_none() && self.name.is_none() && self.arguments.is_empty()
    }
}

#[derive(Debug, Clone, Default)]
struct Call {
    id: Option<Str>,
    index: Option<u64>,
    name: Str,
    /// The part of the call, once it has started. A call starts with its first argument, since its name may grow until
    /// then.
    part: Option<u16>,
    /// Arguments that arrived before the name.
    waiting: String,
    scan: ObjectScan,
    ended: bool,
}

impl Calls {
    /// Handles a fragment.
    ///
    /// # Errors
    /// The fragment continues a complete call, or there are too many calls.
    pub(super) fn push(
        &mut self,
        fragment: Fragment<'_>,
        parts: &mut Parts,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        if fragment.is_empty() {
            return Ok(());
        }
        let found = match self.find(fragment) {
            Some(found) => found,
            None if self.0.len() == MAX_CALLS => {
                let message = "the answer has too many tool calls";
                return Err(ProviderError::new(ProviderErrorKind::BadResponse, message));
            }
            None => {
                self.settle(parts, out)?;
                self.0.push(Call::default());
                self.0.len() - 1
            }
        };
        let last = found + 1 == self.0.len();
        let Some(call) = self.0.get_mut(found) else { return Ok(()) };
        call.take(fragment)?;
        if fragment.arguments.is_empty() {
            return Ok(());
        }
        if !call.is_named() {
            call.waiting.push_str(fragment.arguments);
            return Ok(());
        }
        call.start(found, parts, out)?;
        call.emit(fragment.arguments, out);
        if !last {
            call.end_if_whole(out);
        }
        Ok(())
    }

    /// Called before other output. Starts the calls that have a name, and ends those that are complete.
    pub(super) fn settle(&mut self, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        for (ordinal, call) in self.0.iter_mut().enumerate() {
            if call.is_named() {
                call.start(ordinal, parts, out)?;
                call.end_if_whole(out);
            }
        }
        Ok(())
    }

    /// Ends the answer. Calls without a name get one, unless they have no arguments either. Open calls stay open: the
    /// finish reason decides about them.
    pub(super) fn finish(&mut self, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        for (ordinal, call) in self.0.iter_mut().enumerate() {
            if !call.is_named() && !call.waiting.trim().is_empty() {
                call.name = UNNAMED.into();
            }
            if call.is_named() {
                call.start(ordinal, parts, out)?;
            }
        }
        Ok(())
    }

    /// Reports whether any call has started.
    pub(super) fn is_any(&self) -> bool {
        self.0.iter().any(|call| call.part.is_some())
    }

    fn find(&self, fragment: Fragment<'_>) -> Option<usize> {
        let found = match fragment {
            Fragment { id: Some(id), .. } => self.by_id(id, fragment).or_else(|| self.awaiting_id(fragment)),
            Fragment { index: Some(_), .. } => self.0.iter().rposition(|call| call.index == fragment.index),
            Fragment { name: Some(_), .. } => {
                let last = self.0.len().checked_sub(1);
                last.filter(|_| self.0.last().is_some_and(|call| !call.is_named()))
            }
            _ => self.0.len().checked_sub(1),
        };
        found.filter(|&found| self.0.get(found).is_some_and(|call| !call.is_followed_by(fragment)))
    }

    /// Finds the call with this id. If several calls have the id, or a name arrives with another index, the index
    /// decides.
    fn by_id(&self, id: &str, fragment: Fragment<'_>) -> Option<usize> {
        let known = |call: &Call| call.id.as_deref() == Some(id);
        let same_place = |call: &Call| fragment.index.is_none() || call.index.is_none() || call.index == fragment.index;
        let here = self.0.iter().rposition(|call| known(call) && same_place(call));
        here.or_else(|| self.0.iter().rposition(known).filter(|_| fragment.name.is_none()))
    }

    /// Finds the call that began without an id, if this may be its id.
    fn awaiting_id(&self, fragment: Fragment<'_>) -> Option<usize> {
        let last = self.0.iter().rposition(|call| fragment.index.is_none() || call.index == fragment.index)?;
        let call = self.0.get(last)?;
        let same_name = fragment.name.is_none_or(|name| !call.is_named() || call.name == name);
        (call.id.is_none() && same_name && !call.scan.is_whole()).then_some(last)
    }
}

impl Call {
    fn is_named(&self) -> bool {
        !self.name.is_empty()
    }

    /// Reports whether a fragment that refers to this call belongs to a new one.
    fn is_followed_by(&self, fragment: Fragment<'_>) -> bool {
        let Some(name) = fragment.name else { return false };
        let more = self.scan.is_whole() && !fragment.arguments.trim().is_empty();
        let another_name = self.part.is_some() && fragment.id.is_none() && self.name != name;
        more || another_name
    }

    fn take(&mut self, fragment: Fragment<'_>) -> Result<(), ProviderError> {
        if self.ended && !fragment.arguments.trim().is_empty() {
            let message = "received more arguments for a completed tool call";
            return Err(ProviderError::new(ProviderErrorKind::BadResponse, message));
        }
        self.id = self.id.take().or_else(|| fragment.id.map(Into::into));
        self.index = self.index.or(fragment.index);
        if let Some(name) = fragment.name.filter(|_| self.part.is_none()) {
            self.grow_name(name);
        }
        self.scan.push(fragment.arguments);
        Ok(())
    }

    /// Merges a name that arrives whole, repeated, extended, or in pieces.
    fn grow_name(&mut self, name: &str) {
        if name.starts_with(self.name.as_str()) {
            self.name = name.into();
        } else {
            self.name.push_str(name);
        }
    }

    fn start(&mut self, ordinal: usize, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        if self.part.is_none() {
            let id = self.id.clone().unwrap_or_else(|| made_up_id(ordinal));
            self.part = Some(parts.call(id, self.name.clone(), out)?);
            let waiting = std::mem::take(&mut self.waiting);
            self.emit(&waiting, out);
        }
        Ok(())
    }

    fn emit(&self, arguments: &str, out: &mut Vec<Delta>) {
        if let Some(part) = self.part.filter(|_| !self.ended && !arguments.is_empty()) {
            out.push(Delta::text(part, arguments));
        }
    }

    fn end_if_whole(&mut self, out: &mut Vec<Delta>) {
        if let Some(part) = self.part.filter(|_| self.scan.is_whole() && !self.ended) {
            self.ended = true;
            out.push(Delta::end(part));
        }
    }
}
