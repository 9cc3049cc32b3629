//! Usage and cost reports.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use turnkit_core::{AccessScope, Consumption, Cost, Day, Str, Usage};
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::routes;

use super::extract::Query;
use super::schema::{CostSchema, UsageSchema};
use super::scoped::ScopedRouter;
use crate::app::App;
use crate::auth::Principal;
use crate::dialect::native::UsageBody;
use crate::error::ApiError;

/// The number of days in a report if the caller does not set a period.
const DEFAULT_DAYS: i64 = 30;
/// The largest number of days in a report.
const MAX_DAYS: i64 = 366;

pub(crate) fn router() -> ScopedRouter {
    ScopedRouter::new().routes(AccessScope::Read, routes!(usage))
}

/// The usage and cost of one user's model calls, or of all users'.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UsageReport {
    /// The first day of the report, in UTC.
    #[schema(value_type = String, format = Date)]
    pub from: Day,
    /// The last day of the report.
    #[schema(value_type = String, format = Date)]
    pub to: Day,
    /// One row for each combination of the requested dimensions, in their order. Days without calls have no row.
    pub data: Vec<UsageRow>,
    /// The total of all rows.
    pub total: UsageRow,
}

/// The sum of a group of model calls. A dimension is present if the report is grouped by it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct UsageRow {
    /// The day, in UTC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, format = Date)]
    pub day: Option<Day>,
    /// The user on whose behalf the calls were made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub user: Option<Str>,
    /// The agent of the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub agent: Option<Str>,
    /// The provider of the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub provider: Option<Str>,
    /// The model of the calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    pub model: Option<Str>,
    /// The number of calls.
    pub calls: u64,
    /// The tokens of the calls.
    #[schema(value_type = UsageSchema)]
    pub usage: UsageBody,
    /// The cost of the calls.
    #[schema(value_type = CostSchema)]
    pub cost: Cost,
}

/// A dimension by which a report is grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UsageBy {
    /// By day.
    Day,
    /// By user.
    User,
    /// By agent.
    Agent,
    /// By provider.
    Provider,
    /// By model.
    Model,
}

impl UsageBy {
    /// Parses a list of dimensions, such as `day,model`.
    ///
    /// # Errors
    /// A dimension is unknown or repeated. The error lists the dimensions.
    pub fn read(words: &str) -> Result<Vec<Self>, &'static str> {
        let one = |word: &str| match word.trim() {
            "day" => Ok(Self::Day),
            "user" => Ok(Self::User),
            "agent" => Ok(Self::Agent),
            "provider" => Ok(Self::Provider),
            "model" => Ok(Self::Model),
            _ => Err("must be a comma-separated list of `day`, `user`, `agent`, `provider` and `model`"),
        };
        let words: Vec<Self> = words.split(',').map(one).collect::<Result<_, _>>()?;
        let is_repeated = |(at, word): (usize, &Self)| words.iter().take(at).any(|before| before == word);
        if words.iter().enumerate().any(is_repeated) {
            return Err("must not contain a dimension twice");
        }
        Ok(words)
    }

    fn of(self, row: &Consumption) -> DimensionValue {
        match self {
            Self::Day => DimensionValue::Day(row.day),
            Self::User => DimensionValue::Name(row.user.0.as_ref().into()),
            Self::Agent => DimensionValue::Name(row.agent.clone()),
            Self::Provider => DimensionValue::Name(row.provider.clone()),
            Self::Model => DimensionValue::Name(row.model.clone()),
        }
    }
}

/// The value of one dimension for a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum DimensionValue {
    Day(Day),
    Name(Str),
}

impl UsageReport {
    /// Returns the days from `from` to `to`. By default, the period ends today and has 30 days.
    ///
    /// # Errors
    /// The period is invalid. The error names the parameter and the reason.
    pub fn days(from: Option<Day>, to: Option<Day>, today: Day) -> Result<(Day, Day), (&'static str, String)> {
        let to = to.unwrap_or(today);
        let from = from.unwrap_or_else(|| to.minus(DEFAULT_DAYS - 1));
        match to.number().saturating_sub(from.number()) {
            0..MAX_DAYS => Ok((from, to)),
            MAX_DAYS.. => Err(("from", format!("a report covers at most {MAX_DAYS} days"))),
            _ => Err(("from", "must not be later than `to`".to_owned())),
        }
    }

    /// Creates a report of the usage from day `from` to day `to`.
    pub fn of((from, to): (Day, Day), by: &[UsageBy], consumed: &[Consumption]) -> Self {
        let mut rows: BTreeMap<Vec<DimensionValue>, (u64, Usage)> = BTreeMap::new();
        let mut total = (0, Usage::default());
        for row in consumed {
            let values = by.iter().map(|by| by.of(row)).collect();
            for (calls, usage) in [rows.entry(values).or_default(), &mut total] {
                *calls += row.calls;
                usage.add(&row.usage);
            }
        }
        let data = rows.into_iter().map(|(values, (calls, usage))| UsageRow::new(by, values, calls, &usage));
        Self { from, to, data: data.collect(), total: UsageRow::new(&[], Vec::new(), total.0, &total.1) }
    }
}

impl UsageRow {
    fn new(by: &[UsageBy], values: Vec<DimensionValue>, calls: u64, usage: &Usage) -> Self {
        let mut row = Self {
            day: None,
            user: None,
            agent: None,
            provider: None,
            model: None,
            calls,
            usage: UsageBody::of(usage),
            cost: usage.cost,
        };
        for (by, values) in by.iter().zip(values) {
            match (by, values) {
                (UsageBy::Day, DimensionValue::Day(day)) => row.day = Some(day),
                (UsageBy::User, DimensionValue::Name(user)) => row.user = Some(user),
                (UsageBy::Agent, DimensionValue::Name(agent)) => row.agent = Some(agent),
                (UsageBy::Provider, DimensionValue::Name(provider)) => row.provider = Some(provider),
                (UsageBy::Model, DimensionValue::Name(model)) => row.model = Some(model),
                _ => {}
            }
        }
        row
    }
}

#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct UsageParams {
    /// The first day, in UTC. Without it, 29 days before the last day.
    #[param(value_type = Option<String>, format = Date, example = "2026-01-01")]
    from: Option<String>,
    /// The last day, in UTC. Without it, today. A report covers at most 366 days.
    #[param(value_type = Option<String>, format = Date, example = "2026-01-31")]
    to: Option<String>,
    /// The dimensions of the rows: `day`, `user`, `agent`, `provider` and `model`, separated by commas.
    #[param(default = "day", example = "agent,model")]
    by: Option<String>,
}

/// Report usage
///
/// Usage and cost of the caller's model calls; with the scope `admin`, those of all users. Calls are counted when they
/// end, whatever happens to their turn, and stay counted after their session is removed.
#[utoipa::path(
    get,
    path = "/api/v1/usage",
    operation_id = "report_usage",
    tag = "usage",
    params(UsageParams),
    responses(
        (status = 200, description = "The report.", body = UsageReport, example = json!({
            "from": "2026-01-01",
            "to": "2026-01-31",
            "data": [{
                "day": "2026-01-01", "calls": 2,
                "usage": { "fresh": 12, "cache_read": 0, "cache_write": 0, "output": 5, "reasoning": 0, "unmetered_calls": 0 },
                "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
            }],
            "total": {
                "calls": 2,
                "usage": { "fresh": 12, "cache_read": 0, "cache_write": 0, "output": 5, "reasoning": 0, "unmetered_calls": 0 },
                "cost": { "nano_usd": 13_000, "unpriced_calls": 0 },
            },
        })),
    ),
)]
async fn usage(
    State(app): State<App>,
    principal: Principal,
    Query(params): Query<UsageParams>,
) -> Result<Json<UsageReport>, ApiError> {
    let day = |field: &'static str, text: Option<String>| {
        text.map(|text| text.parse::<Day>()).transpose().map_err(|why| ApiError::field(field, why))
    };
    let (from, to) = (day("from", params.from)?, day("to", params.to)?);
    let days = UsageReport::days(from, to, app.clock.now().into());
    let (from, to) = days.map_err(|(field, why)| ApiError::field(field, why))?;
    let by = UsageBy::read(params.by.as_deref().unwrap_or("day")).map_err(|why| ApiError::field("by", why))?;
    let consumed = match principal.oversees {
        true => app.store.consumed_by_users(&principal.scope.tenant, from, to).await?,
        false => app.store.consumed(&principal.scope, from, to).await?,
    };
    Ok(Json(UsageReport::of((from, to), &by, &consumed)))
}
