//! Which call a fragment belongs to.
//!
//! Servers leave out ids, indices or names, repeat them in each fragment, or give two calls the same. The rules, in
//! order: an id that is known; an id that is not (a new call); an index; the call that came last. Whatever they point
//! to, a fragment that brings a name and more arguments than one object can hold begins another call.

use turnkit_core::{Delta, ProviderError, ProviderErrorKind, Str};

use crate::wire::arguments::ObjectScan;
use crate::wire::parts::Parts;
use crate::wire::transcript::made_up_id;

/// What a call is called when its server never said.
const UNNAMED: &str = "unnamed";

/// The most calls of one answer. Each fragment looks through them, so that their number is what an answer can cost.
const MAX_CALLS: usize = 1024;

/// The calls of one answer, in the order they appeared.
#[derive(Debug, Clone, Default)]
pub(super) struct Calls(Vec<Call>);

/// What one delta says about a call. What is empty is absent.
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
    /// Its part, once it has started: with its first argument, since until then its name may grow.
    part: Option<u16>,
    /// Arguments that came before the name.
    waiting: String,
    scan: ObjectScan,
    ended: bool,
}

impl Calls {
    /// Takes a fragment.
    ///
    /// # Errors
    /// It continues a call that was whole, or there are too many calls.
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
        call.say(fragment.arguments, out);
        if !last {
            call.end_if_whole(out);
        }
        Ok(())
    }

    /// Something else begins: calls that have a name start, calls that are whole end.
    pub(super) fn settle(&mut self, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        for (ordinal, call) in self.0.iter_mut().enumerate() {
            if call.is_named() {
                call.start(ordinal, parts, out)?;
                call.end_if_whole(out);
            }
        }
        Ok(())
    }

    /// The answer is over: what has no name yet gets one, unless it said nothing at all. Open calls stay open for the
    /// finish reason to judge.
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

    /// Whether any call has started.
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

    /// The call with this id; where several have it, or a name comes with another index, the index decides.
    fn by_id(&self, id: &str, fragment: Fragment<'_>) -> Option<usize> {
        let known = |call: &Call| call.id.as_deref() == Some(id);
        let same_place = |call: &Call| fragment.index.is_none() || call.index.is_none() || call.index == fragment.index;
        let here = self.0.iter().rposition(|call| known(call) && same_place(call));
        here.or_else(|| self.0.iter().rposition(known).filter(|_| fragment.name.is_none()))
    }

    /// The call that began without id, if this may be its id.
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

    /// Whether a fragment that points here belongs to another call.
    fn is_followed_by(&self, fragment: Fragment<'_>) -> bool {
        let Some(name) = fragment.name else { return false };
        let more = self.scan.is_whole() && !fragment.arguments.trim().is_empty();
        let another_name = self.part.is_some() && fragment.id.is_none() && self.name != name;
        more || another_name
    }

    fn take(&mut self, fragment: Fragment<'_>) -> Result<(), ProviderError> {
        if self.ended && !fragment.arguments.trim().is_empty() {
            let message = "a tool call that was whole got more arguments";
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

    /// A name comes whole, again, longer, or in pieces.
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
            self.say(&waiting, out);
        }
        Ok(())
    }

    fn say(&self, arguments: &str, out: &mut Vec<Delta>) {
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
