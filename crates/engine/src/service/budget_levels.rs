//! How much of their budgets users have consumed.

use turnkit_core::{Day, Scope, StoreError};

use super::TurnService;
use crate::budget::{BudgetLevel, BudgetPeriod};

impl TurnService {
    /// Returns the limits of a user's budgets for the default agent, with what ended calls have used of them. Limits of
    /// a turn or a session are not among them.
    ///
    /// # Errors
    /// Storage failed.
    pub async fn budget_levels(&self, scope: &Scope) -> Result<Vec<BudgetLevel>, StoreError> {
        let Some(budgets) = self.agents().first().and_then(|agent| agent.settings.budgets.as_deref()) else {
            return Ok(Vec::new());
        };
        let today = Day::from(self.inner.parts.clock.now());
        let mut levels = Vec::new();
        for (period, from, budget) in
            [(BudgetPeriod::Day, today, budgets.day), (BudgetPeriod::Ever, Day::FIRST, budgets.user)]
        {
            if budget.is_limited() {
                let used = self.inner.parts.store.total_consumed(scope, from, today).await?;
                levels.extend(budget.levels(period, &used));
            }
        }
        Ok(levels)
    }
}
