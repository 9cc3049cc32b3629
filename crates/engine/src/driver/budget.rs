//! Checking budgets before a model call.

use turnkit_core::ports::CallContext;
use turnkit_core::{StoreError, TurnStatus};

use super::Driver;
use super::environment::{Environment, UsageSoFar};
use crate::budget::Verdict;
use crate::machine::Input;

/// The code of the error that ends a turn whose budget is used up.
pub(crate) const BUDGET_USED_UP: &str = "budget_used_up";
/// The code of the notice that a budget is nearly used up.
pub(crate) const BUDGET_NEARLY_USED_UP: &str = "budget_nearly_used_up";

impl<E: Environment> Driver<'_, E> {
    /// Returns the input that ends a turn whose budget is used up. Warns the user once of a budget that is nearly used
    /// up.
    pub(super) async fn over_budget(&mut self, call: &CallContext) -> Result<Option<Input>, StoreError> {
        let mut warned = std::mem::take(&mut self.machine.warned);
        let with_children = self.machine.usage_with_children();
        let (turn, session_before) = (self.machine.usage(), &self.session.usage);
        let consumed = UsageSoFar { turn, with_children: &with_children, session_before };
        let verdict = self.environment.judge(call, consumed, &mut warned).await;
        self.machine.warned = warned;
        match verdict? {
            Verdict::Fine => Ok(None),
            Verdict::Near(texts) => {
                texts.into_iter().for_each(|text| self.notice(BUDGET_NEARLY_USED_UP, text));
                Ok(None)
            }
            Verdict::UsedUp(text) => Ok(Some(used_up(text))),
        }
    }
}

fn used_up(text: String) -> Input {
    let error = Some((BUDGET_USED_UP.to_owned(), text));
    Input::Stop { status: TurnStatus::Limit, error, partial: None, finished: Vec::new() }
}
