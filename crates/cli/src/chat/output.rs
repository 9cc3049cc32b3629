//! The output of a followed turn, which waits while a person is asked a question.

use std::collections::VecDeque;

use turnkit_core::{InteractionResolution, ToolProgress, TurnEvent, WaitId};

use super::questions::Question;
use super::render::Renderer;
use crate::failure::Failure;
use crate::terminal::{counted, remark};

/// The largest number of items that wait. While a person is asked, the turn can only finish its running calls, so there
/// are rarely more than a few.
const MAX_WAITING: usize = 256;

/// The items to show, in their order. The owner releases them while no question is being asked.
pub(super) struct Output {
    renderer: Renderer,
    waiting: VecDeque<Item>,
    /// The number of items that were dropped because too many were waiting.
    dropped: u64,
}

/// Something to show.
enum Item {
    /// An event of the followed turn.
    Event(TurnEvent),
    /// An event of the turn of a sub-agent.
    OfChild(TurnEvent),
    /// A question that no person is asked, or that was withdrawn.
    Question(Question),
    /// A decision that the turn has not reported yet.
    Decision(WaitId, InteractionResolution),
    /// The events of the followed turn are repeated from its start.
    Restarted,
    /// The connection to the server broke.
    Disconnected,
}

impl Output {
    pub(super) fn new(renderer: Renderer) -> Self {
        Self { renderer, waiting: VecDeque::new(), dropped: 0 }
    }

    /// Returns the renderer, which shows the question that is asked.
    pub(super) fn renderer(&mut self) -> &mut Renderer {
        &mut self.renderer
    }

    /// Adds an event of the followed turn.
    pub(super) fn add(&mut self, event: TurnEvent) {
        self.push(Item::Event(event));
    }

    /// Adds an event of the turn of a sub-agent.
    pub(super) fn add_of_child(&mut self, event: TurnEvent) {
        self.push(Item::OfChild(event));
    }

    /// Adds a question that a person is not asked, or need not be asked any longer.
    pub(super) fn add_question(&mut self, question: Question) {
        self.push(Item::Question(question));
    }

    /// Adds a decision that the turn reports once it continues.
    pub(super) fn add_decision(&mut self, id: WaitId, decision: InteractionResolution) {
        self.push(Item::Decision(id, decision));
    }

    /// Adds the notice that the events of the followed turn are repeated, in place of the events that wait.
    pub(super) fn add_restart(&mut self) {
        self.waiting.retain(|item| !matches!(item, Item::Event(_)));
        self.push(Item::Restarted);
    }

    /// Adds the notice that the connection to the server broke.
    pub(super) fn add_disconnected(&mut self) {
        if !matches!(self.waiting.back(), Some(Item::Disconnected)) {
            self.push(Item::Disconnected);
        }
    }

    /// Shows the items that wait.
    pub(super) fn release(&mut self) -> Result<(), Failure> {
        let dropped = std::mem::take(&mut self.dropped);
        if dropped > 0 {
            self.renderer.end_line().map_err(|error| Failure::of_output(&error))?;
            remark(&format!("{} before the question was decided cannot be shown any more", counted(dropped, "event")));
        }
        let renderer = &mut self.renderer;
        for item in self.waiting.drain(..) {
            let shown = match item {
                Item::Event(event) => renderer.show(&event),
                Item::OfChild(event) => renderer.show_of_child(&event),
                Item::Question(Question { agent, request }) => renderer.ask(agent.as_deref(), &request),
                Item::Decision(id, decision) => renderer.decision(id, &decision),
                Item::Restarted => renderer.restart(),
                Item::Disconnected => renderer.wait(),
            };
            shown.map_err(|error| Failure::of_output(&error))?;
        }
        Ok(())
    }

    /// Shows the progress of a call.
    pub(super) fn progress(&mut self, progress: &ToolProgress) -> Result<(), Failure> {
        self.renderer.progress(progress).map_err(|error| Failure::of_output(&error))
    }

    /// Shows the items that wait and ends the current line of text, so that other output can follow.
    pub(super) fn end_line(&mut self) -> Result<(), Failure> {
        self.release()?;
        self.renderer.end_line().map_err(|error| Failure::of_output(&error))
    }

    fn push(&mut self, item: Item) {
        if self.waiting.len() >= MAX_WAITING {
            self.waiting.pop_front();
            self.dropped += 1;
        }
        self.waiting.push_back(item);
    }
}
