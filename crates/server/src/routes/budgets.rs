//! The caller's budgets.

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::AccessScope;
use turnkit_engine::{BudgetLevel, BudgetPeriod, BudgetUnit};
use utoipa::ToSchema;
use utoipa_axum::routes;

use super::list::List;
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::error::ApiError;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(list))
}

/// A limit of what the caller may consume, and how much of it is used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BudgetBody {
    /// The period in which the consumption counts.
    pub period: BudgetPeriodBody,
    /// What is counted.
    pub unit: BudgetUnitBody,
    /// How much may be used.
    pub limit: u64,
    /// How much calls that have ended used. May exceed the limit by the calls that were in progress.
    pub used: u64,
}

/// The period of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetPeriodBody {
    /// The present day, in UTC.
    Day,
    /// All time.
    Ever,
}

/// The unit of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BudgetUnitBody {
    /// Tokens, input and output together.
    Tokens,
    /// Billionths of a US dollar.
    NanoUsd,
}

impl From<BudgetLevel> for BudgetBody {
    fn from(BudgetLevel { period, unit, limit, used }: BudgetLevel) -> Self {
        let period = match period {
            BudgetPeriod::Day => BudgetPeriodBody::Day,
            BudgetPeriod::Ever => BudgetPeriodBody::Ever,
        };
        let unit = match unit {
            BudgetUnit::Tokens => BudgetUnitBody::Tokens,
            BudgetUnit::NanoUsd => BudgetUnitBody::NanoUsd,
        };
        Self { period, unit, limit, used }
    }
}

/// List budgets
///
/// The limits of what the caller's user may consume with the default agent, and how much of them is used. The limits of a
/// turn or a session are not listed. The list is empty without limits.
#[utoipa::path(
    get,
    path = "/api/v1/budgets",
    operation_id = "list_budgets",
    tag = "usage",
    responses((status = 200, description = "The list.", body = List<BudgetBody>, example = json!({
        "data": [{ "period": "day", "unit": "nano_usd", "limit": 5_000_000_000_u64, "used": 1_250_000_000 }],
        "next": null,
    }))),
)]
async fn list(State(app): State<App>, principal: Principal) -> Result<Json<List<BudgetBody>>, ApiError> {
    let levels = app.service.budget_levels(&principal.scope).await?;
    Ok(Json(List { data: levels.into_iter().map(Into::into).collect(), ..List::empty() }))
}
