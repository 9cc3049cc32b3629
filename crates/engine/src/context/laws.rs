//! Property tests of the requests of a session that is truncated, summarised, pruned, branched and read again.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use turnkit_core::{
    Arguments, CallUid, ChatRequest, Edits, Entry, History, Message, Notice, Part, Role, Summary, ToolCall,
    ToolDefinition, ToolFlags, ToolResult, TurnId,
};
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::{Vendor, Wire};
use turnkit_testkit::transcript::{
    check_chat_completions, check_generate_content, check_messages, check_request, check_responses,
};
use uuid::Uuid;

use super::prune::{prunable, prunable_before};
use super::{CompactionCut, truncation};

const WIRES: [Wire; 4] = [Wire::OpenaiChat, Wire::OpenaiResponses, Wire::Anthropic, Wire::Gemini];

/// A step in the life of a session.
#[derive(Debug, Clone)]
enum Operation {
    /// A turn with this many calls in each round. The flag adds a message that the user sends meanwhile. The turn is
    /// answered or fails.
    Turn { rounds: Vec<(u8, bool)>, answered: bool },
    /// Before the next request, a summary is written that leaves this many messages, if a boundary allows it.
    Summary(usize),
    /// The next request is too large, so it is pruned to this many results.
    Pressure(u32),
    /// The session continues from the end of an earlier turn.
    Branch(usize),
    /// The process restarts and reads the session from the store.
    Restart,
}

fn operation() -> impl Strategy<Value = Operation> {
    prop_oneof![
        6 => (vec((1..4_u8, prop::bool::weighted(0.2)), 0..4), prop::bool::weighted(0.9))
            .prop_map(|(rounds, answered)| Operation::Turn { rounds, answered }),
        1 => (1..8_usize).prop_map(Operation::Summary),
        1 => (0..4_u32).prop_map(Operation::Pressure),
        1 => any::<prop::sample::Index>().prop_map(|turn| Operation::Branch(turn.index(64))),
        1 => Just(Operation::Restart),
    ]
}

/// A stored turn.
struct Turn {
    after: Option<usize>,
    messages: Vec<Message>,
}

/// A session as it is stored, and the history that its process keeps of the branch at `head`.
struct Session {
    wire: Wire,
    most: u32,
    /// The number of results kept by an agent that always prunes.
    prunes: Option<u32>,
    tools: Arc<[ToolDefinition]>,
    turns: Vec<Turn>,
    head: Option<usize>,
    kept: History,
    summary: Option<usize>,
    /// The number of results that the next request keeps because it is too large.
    pressure: Option<u32>,
    /// The places of the messages in the last request.
    sent: Vec<u32>,
}

impl Session {
    /// Returns the messages of the branch with their places.
    fn branch(&self) -> Vec<(u32, Message)> {
        let mut turns: Vec<_> = std::iter::successors(self.head, |turn| self.turns[*turn].after).collect();
        turns.reverse();
        (0..).zip(turns.iter().flat_map(|turn| self.turns[*turn].messages.clone())).collect()
    }

    fn say(&mut self, message: Message) {
        self.kept.push(Entry::new(message.clone()));
        if let Some(head) = self.head {
            self.turns[head].messages.push(message);
        }
    }

    fn apply(&mut self, operation: &Operation) {
        match operation {
            Operation::Turn { rounds, answered } => self.turn(rounds, *answered),
            Operation::Summary(keep) => self.summary = Some(*keep),
            Operation::Pressure(keep) => self.pressure = Some(*keep),
            Operation::Branch(turn) => {
                self.head = turn.checked_rem(self.turns.len());
                self.read();
            }
            Operation::Restart => self.read(),
        }
    }

    fn read(&mut self) {
        self.kept = History::of_places(self.branch());
        self.sent.clear();
    }

    fn turn(&mut self, rounds: &[(u8, bool)], answered: bool) {
        self.turns.push(Turn { after: self.head, messages: Vec::new() });
        self.head = Some(self.turns.len() - 1);
        self.say(Message::user("and now?"));
        for (step, (calls, is_steered)) in (1..).zip(rounds) {
            self.request(step);
            let [asked, results] = round(self.turns.len(), step, *calls);
            self.say(asked);
            self.say(results);
            if *is_steered {
                self.say(Message::user("rather this").steering());
            }
        }
        self.request(u16::try_from(rounds.len()).unwrap_or_default() + 1);
        self.say(if answered {
            Message::new(Role::Assistant, vec![Part::text("It is done.")])
        } else {
            let (code, text) = ("upstream".to_owned(), "it broke".to_owned());
            Message::new(Role::Assistant, vec![Part::Notice(Notice { code, text, error: true })])
        });
        self.kept.end_turn();
    }

    /// Sends a request to the model, and checks its contents.
    fn request(&mut self, step: u16) {
        let mut rewritten = self.sent.is_empty();
        if let Some(cut) = self.summary.take().and_then(|keep| CompactionCut::keeping(&self.kept, keep)) {
            self.check_summarised(cut.covered(&self.kept));
            let (summary, _) = cut.summary("So.", false).unwrap_or_else(|why| panic!("{why}"));
            self.say(summary);
            rewritten = true;
        }
        if let Some(cut) = truncation(&self.kept, self.most) {
            let before = self.kept.len();
            self.say(Message::of_summary(cut));
            assert!(self.kept.len() < before, "nothing was left out");
            rewritten = true;
        }
        assert_eq!(truncation(&self.kept, self.most), None, "it is cut again");
        if let Some(keep) = self.prunes {
            if let Some(edits) = prunable_before(&self.kept, &self.tools, keep, step) {
                self.prune(edits);
                rewritten = true;
            }
            assert_eq!(prunable_before(&self.kept, &self.tools, keep, step), None, "it is pruned again");
        }
        if let Some(keep) = self.pressure.take() {
            if let Some((edits, _)) = prunable(&self.kept, &self.tools, keep) {
                self.prune(edits);
                rewritten = true;
            }
            assert_eq!(prunable(&self.kept, &self.tools, keep), None, "it is pruned again");
        }
        self.check_places(rewritten);
        self.check_bodies();
    }

    /// Prunes results. All messages, calls and the newest round must stay, and the history must get smaller.
    fn prune(&mut self, edits: Edits) {
        let before = self.kept.clone();
        self.say(Message::of_edits(edits));
        let places = |history: &History| history.shown().map(|shown| shown.place).collect::<Vec<_>>();
        assert_eq!(places(&self.kept), places(&before));
        let newest = |history: &History| history.iter().rfind(|entry| entry.message().role == Role::Tool).cloned();
        assert_eq!(newest(&self.kept), newest(&before));
        assert!(self.kept.text_bytes() < before.text_bytes(), "nothing was left out");
    }

    fn check_places(&mut self, rewritten: bool) {
        let places: Vec<u32> = self.kept.shown().map(|shown| shown.place).collect();
        assert!(places.is_sorted_by(|one, next| one < next), "not in order: {places:?}");
        let is_asked = |(_, message): &(u32, Message)| {
            message.role == Role::User && message.summary().is_none() && !message.is_steering()
        };
        let asked = self.branch().into_iter().rfind(is_asked).map(|(place, _)| place);
        assert!(asked.is_some_and(|asked| places.contains(&asked)), "{asked:?} is not in {places:?}");
        assert!(rewritten || places.starts_with(&self.sent), "{:?} is not the beginning of {places:?}", self.sent);
        self.sent = places;
    }

    /// The kept history and the stored history must encode to the same bytes, and the provider must accept them.
    fn check_bodies(&self) {
        let branch = self.branch();
        let newest = branch.iter().rev().find_map(|(_, message)| message.summary()).cloned();
        let left = branch.iter().filter(|(place, _)| newest.as_ref().is_none_or(|newest| newest.keeps_message(*place)));
        let kept = self.body(self.kept.clone());
        assert_eq!(kept, self.body(History::of_places(left.cloned())), "of what the newest summary leaves");
        assert_eq!(kept, self.body(History::of_places(branch)), "of the whole branch");
        self.check(&kept);
    }

    fn check(&self, body: &str) {
        let sent = serde_json::from_str(body).unwrap_or_default();
        let checked = match self.wire {
            Wire::OpenaiChat => check_chat_completions(&sent),
            Wire::OpenaiResponses => check_responses(&sent),
            Wire::Anthropic => check_messages(&sent),
            Wire::Gemini => check_generate_content(&sent),
        };
        assert_eq!(checked, Ok(()), "{body}");
    }

    /// The request for a summary must begin like the previous request, and the provider must accept it.
    fn check_summarised(&self, mut covered: History) {
        let places: Vec<u32> = covered.shown().map(|shown| shown.place).collect();
        let before: Vec<u32> = self.kept.shown().map(|shown| shown.place).collect();
        assert!(before.starts_with(&places) && before.len() > places.len(), "{places:?} of {before:?}");
        assert_eq!(covered.summary(), self.kept.summary());
        covered.push(Entry::new(Message::user("What was said?")));
        self.check(&self.body(covered));
    }

    fn body(&self, history: History) -> String {
        let request = ChatRequest { history, tools: Arc::clone(&self.tools), ..ChatRequest::default() };
        assert_eq!(check_request(&request), Ok(()));
        let vendor = Vendor::of(self.wire, "vendor.example");
        let body = self.wire.encode(&request, "model", &ModelProfile::default(), &vendor);
        String::from_utf8_lossy(&body).into_owned()
    }
}

fn lookup() -> ToolDefinition {
    let lookup = ToolDefinition::new("lookup", "Looks it up.", r#"{"type":"object"}"#).unwrap();
    lookup.with_flags(ToolFlags::read_only())
}

/// A round of calls. Some read the same file, some fail, some find nothing, and the other results are long or short.
fn round(turn: usize, step: u16, calls: u8) -> [Message; 2] {
    let uids =
        (0..u16::from(calls)).map(|ordinal| CallUid { turn: TurnId(Uuid::from_u128(turn as u128)), step, ordinal });
    let name = || "lookup".to_owned();
    let call = |uid: CallUid| {
        let provider_id = format!("call_{turn:06}_{step:03}_{:03}", uid.ordinal);
        let arguments = Arguments(format!(r#"{{"path":"{}.rs"}}"#, uid.ordinal));
        Part::ToolCall(ToolCall { uid, provider_id, name: name(), arguments, extras: None })
    };
    let result = |uid: CallUid| {
        let (ok, content) = match (step + uid.ordinal) % 4 {
            0 => (false, "failed ".repeat(40)),
            1 => (true, format!("No results for what was asked in step {step}")),
            2 => (true, format!("short {step}")),
            _ => (true, format!("result {step} ").repeat(25)),
        };
        Part::ToolResult(ToolResult { ok, ..ToolResult::new(uid, name(), content) })
    };
    [
        Message::new(Role::Assistant, uids.clone().map(call).collect()),
        Message::new(Role::Tool, uids.map(result).collect()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(10_000) })]

    #[test]
    fn whatever_happened_to_a_session_its_requests_are_valid_and_the_same_after_a_restart(
        operations in vec(operation(), 1..8),
        wire in prop::sample::select(WIRES.to_vec()),
        most in 0..12_u32,
        prunes in prop::option::of(0..6_u32),
    ) {
        let (kept, sent, tools) = (History::default(), Vec::new(), [lookup()].into());
        let (turns, head, summary, pressure) = (Vec::new(), None, None, None);
        let mut session = Session { wire, most, prunes, tools, turns, head, kept, summary, pressure, sent };
        for operation in &operations {
            session.apply(operation);
        }
    }
}

#[test]
fn a_summary_is_sent_first_and_on_every_wire_as_the_users() {
    let summary = Summary { text: "They met.".to_owned(), covers: 2, ..Summary::default() };
    let answer = Message::new(Role::Assistant, vec![Part::text("Hello!")]);
    let history = History::of([Message::user("Hi."), answer, Message::of_summary(summary), Message::user("Well?")]);
    let request = ChatRequest { history, ..ChatRequest::default() };
    for (wire, messages) in WIRES.into_iter().zip(["messages", "input", "messages", "contents"]) {
        let body = wire.encode(&request, "model", &ModelProfile::default(), &Vendor::of(wire, "vendor.example"));
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        let first = &body[messages][0];
        assert_eq!(first["role"], "user", "{body}");
        assert!(first.to_string().contains("Summary of the conversation so far:\\nThey met."), "{body}");
        assert!(!body.to_string().contains("Hi."), "{body}");
    }
}
