//! Whether the next model call may be made.

use turnkit_core::{Day, StoreError, TurnLog, TurnStatus, Usage};

use super::Driver;
use crate::budget::{Budget, Consumed, Verdict};
use crate::machine::Input;

/// What ends a turn that has used up a budget.
pub(crate) const BUDGET_USED_UP: &str = "budget_used_up";
/// What is told before that.
pub(crate) const BUDGET_NEARLY_USED_UP: &str = "budget_nearly_used_up";

impl Driver<'_> {
    /// The news that a budget is used up. One that is nearly used up is told once.
    pub(super) async fn over_budget(&mut self, step: u16, attempt: u16) -> Result<Option<Input>, StoreError> {
        match self.verdict(step, attempt).await? {
            Verdict::Fine => Ok(None),
            Verdict::Near(texts) => {
                texts.into_iter().for_each(|text| self.notice(BUDGET_NEARLY_USED_UP, text));
                Ok(None)
            }
            Verdict::UsedUp(text) => Ok(Some(used_up(text))),
        }
    }

    /// What budgets say before a call, or said when the turn was stored.
    async fn verdict(&mut self, step: u16, attempt: u16) -> Result<Verdict, StoreError> {
        if let Some(past) = self.past {
            return Ok(past.judge(step, attempt));
        }
        match self.settings.budgets.as_deref() {
            Some(budgets) => Ok(budgets.judge(&self.consumed().await?, &mut self.machine.warned)),
            None => Ok(Verdict::Fine),
        }
    }

    async fn consumed(&self) -> Result<Consumed, StoreError> {
        let turn = self.machine.usage().clone();
        let mut session = self.session.usage.clone();
        session.add(&turn);
        let (day, user) = self.consumed_by_user().await?;
        Ok(Consumed { turn, session, day, user })
    }

    /// What the user consumed today and ever: what the store has, and of this turn what it does not have yet.
    async fn consumed_by_user(&self) -> Result<(Usage, Usage), StoreError> {
        let Some(budgets) = self.settings.budgets.as_deref() else { return Ok(Default::default()) };
        let today = Day::from(self.clock.now());
        let day = self.consumed_by_user_since(today, today, budgets.day).await?;
        let user = self.consumed_by_user_since(Day::FIRST, today, budgets.user).await?;
        Ok((day, user))
    }

    /// Nothing is read for a budget without a limit.
    async fn consumed_by_user_since(&self, day: Day, today: Day, budget: Budget) -> Result<Usage, StoreError> {
        let Some((store, claim)) = self.store.filter(|_| budget.is_limited()) else { return Ok(Usage::default()) };
        let mut usage = store.consumed_in_all(claim.scope(), day, today).await?;
        self.live.read(TurnLog::pending).calls().for_each(|(_, _, pending)| usage.add(&pending));
        Ok(usage)
    }
}

fn used_up(text: String) -> Input {
    let error = Some((BUDGET_USED_UP.to_owned(), text));
    Input::Stop { status: TurnStatus::Limit, error, partial: None, finished: Vec::new() }
}
