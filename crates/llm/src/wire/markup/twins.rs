//! Detects calls that a response contains twice: in its text, and outside it as calls of the wire.
//!
//! Some servers parse the calls in a text and leave the text unchanged. Two calls are twins if one is in the text, the
//! other is outside, and their names and arguments are equal. Each call has at most one twin. The first of the two is
//! shown. A call is held back while it may still be the second.

use serde_json::Value;
use turnkit_core::{CallHead, Delta, Opaque, ProviderError, Str};

use super::envelope::WrittenCall;
use crate::wire::parts::Parts;
use crate::wire::transcript::made_up_id;

/// The calls of one response.
#[derive(Debug, Clone, Default)]
pub(super) struct Twins {
    /// Calls in the text, shown, without a twin so far.
    written: Vec<(Str, Value)>,
    /// Calls in the text, held back until all calls of the same name outside it have ended.
    waiting: Vec<(WrittenCall, Value)>,
    /// Calls outside the text.
    outside: Vec<Outside>,
}

#[derive(Debug, Clone)]
struct Outside {
    head: CallHead,
    arguments: String,
    /// The arguments as JSON, if the call has ended and they can be read.
    parsed: Option<Value>,
    has_ended: bool,
    opaque: Option<Opaque>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Held back: the call may be the twin of a call in the text.
    Held,
    /// Shown as this part, without a twin so far.
    Shown(u16),
    /// Shown as this part, and repeated by the text.
    Repeated(u16),
    /// Dropped: the call repeats one in the text.
    LeftOut,
}

impl Outside {
    fn part(&self) -> Option<u16> {
        match self.state {
            State::Shown(part) | State::Repeated(part) => Some(part),
            State::Held | State::LeftOut => None,
        }
    }

    fn is(&self, name: &str, arguments: &Value) -> bool {
        self.head.name == name && self.parsed.as_ref() == Some(arguments)
    }
}

impl Twins {
    /// Starts a call outside the text and returns its number.
    pub(super) fn start(
        &mut self,
        head: CallHead,
        parts: &mut Parts,
        out: &mut Vec<Delta>,
    ) -> Result<usize, ProviderError> {
        let state = match self.written.iter().any(|(name, _)| *name == head.name) {
            true => State::Held,
            false => State::Shown(parts.call(head.provider_id.clone(), head.name.clone(), out)?),
        };
        let (arguments, parsed, has_ended, opaque) = (String::new(), None, false, None);
        self.outside.push(Outside { head, arguments, parsed, has_ended, opaque, state });
        Ok(self.outside.len() - 1)
    }

    /// Appends to the arguments of a call outside the text.
    pub(super) fn text(&mut self, number: usize, text: &str, out: &mut Vec<Delta>) {
        let Some(call) = self.outside.get_mut(number) else { return };
        call.arguments.push_str(text);
        out.extend(call.part().map(|part| Delta::text(part, text)));
    }

    /// Adds the vendor's opaque data to a call outside the text.
    pub(super) fn opaque(&mut self, number: usize, opaque: Opaque, out: &mut Vec<Delta>) {
        let Some(call) = self.outside.get_mut(number) else { return };
        match call.part() {
            Some(part) => out.push(Delta::opaque(part, opaque)),
            None => call.opaque = Some(opaque),
        }
    }

    /// Ends a call outside the text.
    pub(super) fn end(&mut self, number: usize, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        self.settle(number, parts, out)?;
        let Some(call) = self.outside.get(number) else { return Ok(()) };
        out.extend(call.part().map(Delta::end));
        if self.waiting.is_empty() || self.may_repeat(&call.head.name) {
            return Ok(());
        }
        self.release(parts, out)
    }

    /// Ends the response. Calls that are still held back are shown, unless they have a twin; the finish reason decides
    /// whether those outside the text are whole.
    pub(super) fn finish(&mut self, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        (0..self.outside.len()).try_for_each(|number| self.settle(number, parts, out))?;
        self.release(parts, out)
    }

    /// Handles a call in the text. Drops it if it repeats a call outside the text, holds it back if it may repeat one,
    /// and otherwise shows it.
    pub(super) fn write(
        &mut self,
        call: WrittenCall,
        parts: &mut Parts,
        out: &mut Vec<Delta>,
    ) -> Result<(), ProviderError> {
        let Some(arguments) = read(&call.arguments) else { return show(call, parts, out) };
        for outside in &mut self.outside {
            if let State::Shown(part) = outside.state
                && outside.is(&call.name, &arguments)
            {
                outside.state = State::Repeated(part);
                return Ok(());
            }
        }
        if self.may_repeat(&call.name) {
            self.waiting.push((call, arguments));
            return Ok(());
        }
        self.written.push((call.name.as_str().into(), arguments));
        show(call, parts, out)
    }

    /// Reports whether a shown call of this name has not ended: more arguments may make it the twin of one in the text.
    fn may_repeat(&self, name: &str) -> bool {
        self.outside.iter().any(|call| !call.has_ended && call.part().is_some() && call.head.name == name)
    }

    /// Shows the held-back calls in the text that no shown call can still repeat.
    fn release(&mut self, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        for (call, arguments) in std::mem::take(&mut self.waiting) {
            if self.may_repeat(&call.name) {
                self.waiting.push((call, arguments));
                continue;
            }
            self.written.push((call.name.as_str().into(), arguments));
            show(call, parts, out)?;
        }
        Ok(())
    }

    /// Parses the arguments of a call outside the text and looks for its twin. Then shows or drops a call that was held
    /// back.
    fn settle(&mut self, number: usize, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
        let Some(call) = self.outside.get_mut(number).filter(|call| !call.has_ended) else { return Ok(()) };
        call.has_ended = true;
        call.parsed = read(&call.arguments);
        if let State::Shown(part) = call.state {
            if let Some(twin) = self.waiting.iter().position(|(twin, arguments)| call.is(&twin.name, arguments)) {
                self.waiting.remove(twin);
                call.state = State::Repeated(part);
            }
            return Ok(());
        }
        let twin = self.written.iter().position(|(name, arguments)| call.is(name, arguments));
        if let Some(twin) = twin {
            self.written.remove(twin);
            call.state = State::LeftOut;
            return Ok(());
        }
        let part = parts.call(call.head.provider_id.clone(), call.head.name.clone(), out)?;
        call.state = State::Shown(part);
        if !call.arguments.is_empty() {
            out.push(Delta::text(part, call.arguments.as_str()));
        }
        out.extend(call.opaque.take().map(|opaque| Delta::opaque(part, opaque)));
        Ok(())
    }
}

/// Shows a call in the text.
fn show(call: WrittenCall, parts: &mut Parts, out: &mut Vec<Delta>) -> Result<(), ProviderError> {
    let id = made_up_id(usize::from(parts.next()));
    let part = parts.call(id, call.name.into(), out)?;
    out.extend([Delta::text(part, call.arguments), Delta::end(part)]);
    Ok(())
}

/// Parses arguments, so that white space and the order of keys make no difference.
fn read(arguments: &str) -> Option<Value> {
    match arguments.trim() {
        "" | "null" => Some(Value::Object(serde_json::Map::new())),
        written => serde_json::from_str(written).ok(),
    }
}
