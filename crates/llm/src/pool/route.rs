//! Selects the providers that may answer a request, and their order.

use std::cmp::Reverse;
use std::sync::atomic::Ordering;

use turnkit_core::{ModelName, ProviderError, ProviderErrorKind, Route, Str, Timestamp};

use super::dice::Dice;
use super::downgrade::MissingCapabilities;
use super::seat::Seat;

/// How to choose among providers that fit equally well.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strategy {
    /// The first in the configuration.
    #[default]
    Priority,
    /// The one that was chosen longest ago.
    RoundRobin,
    /// A random one.
    Random,
    /// The one with the most free slots.
    LeastLoaded,
    /// The one with the lowest input price; if equal, the lowest output price.
    Cost,
}

/// A candidate: a provider that may answer, with a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// The index of the provider in the pool.
    pub(super) seat: usize,
    /// The model to ask for; `None` selects the provider's default.
    pub(super) model: Option<ModelName>,
    /// Set if this is the requested model.
    pub(super) exact: bool,
    /// The features of the request that the model lacks.
    pub(super) missing: MissingCapabilities,
}

/// Returns the configured providers that fit, regardless of whether they can be asked now. There is at least one.
///
/// # Errors
/// No provider fits. The error lists the alternatives.
pub(super) fn choices<S: AsRef<Seat>>(
    seats: &[S],
    route: Option<&Route>,
    model: Option<&ModelName>,
) -> Result<Vec<Choice>, ProviderError> {
    let named = route.and_then(|route| route.provider.as_deref());
    let tags = route.map_or(&[] as &[Str], |route| &route.tags);
    let seats = || seats.iter().map(AsRef::as_ref).enumerate();
    let mut fitting: Vec<(usize, &Seat)> = Vec::with_capacity(seats().len());
    fitting.extend(seats().filter(|(_, seat)| fits(seat, route)));
    if fitting.is_empty() {
        let known = listed(seats().map(|(_, seat)| seat.id.to_string()));
        let message = match named {
            Some(named) if !seats().any(|(_, seat)| seat.id == named) => {
                format!("there is no provider `{named}`; the providers are {known}")
            }
            Some(named) => format!("provider `{named}` does not have the tags {}", quoted(tags)),
            None => format!("no provider has the tags {}; the providers are {known}", quoted(tags)),
        };
        return Err(ProviderError::new(ProviderErrorKind::NoProvider, message));
    }
    let only = fitting.len() == 1;
    let serves = |seat: &Seat| model.is_some_and(|model| seat.models.iter().any(|known| known.name == *model));
    if let Some(model) = model.filter(|_| !only && !fitting.iter().any(|(_, seat)| serves(seat))) {
        let known = fitting.iter().flat_map(|(_, seat)| seat.models.iter().map(|known| offer(seat, &known.name)));
        let message =
            format!("no provider that fits serves the model `{}`; available models: {}", model.0, listed(known));
        return Err(ProviderError::new(ProviderErrorKind::ModelNotFound, message));
    }
    let choice = |(index, seat): (usize, &Seat)| {
        // If only one provider fits, it is asked even for a model that it does not list.
        let exact = model.is_none() || only || serves(seat);
        let model = if exact { model.cloned() } else { None };
        Choice { seat: index, model, exact, missing: MissingCapabilities::default() }
    };
    Ok(fitting.into_iter().map(choice).collect())
}

/// Lists the models of the fitting providers, for a caller whose requested model does not exist.
pub(super) fn offers<S: AsRef<Seat>>(seats: &[S], route: Option<&Route>, now: Timestamp) -> String {
    let fitting = seats.iter().map(AsRef::as_ref).filter(|seat| fits(seat, route));
    listed(fitting.flat_map(|seat| {
        let available = seat.models.iter().filter(move |model| seat.missing_until(Some(&model.name), now).is_none());
        available.map(|model| offer(seat, &model.name))
    }))
}

fn offer(seat: &Seat, model: &ModelName) -> String {
    format!("{} of {}", model.0, seat.id)
}

fn fits(seat: &Seat, route: Option<&Route>) -> bool {
    route.is_none_or(|route| route.names(&seat.id) && route.matches_tags(&seat.tags))
}

/// Sorts the candidates, best first: by missing features, by exact model, then by the strategy.
pub(super) fn order<S: AsRef<Seat>>(choices: &mut [Choice], strategy: Strategy, seats: &[S], dice: &Dice) {
    if choices.len() < 2 {
        return;
    }
    let seat = |choice: &Choice| seats.get(choice.seat).map(AsRef::as_ref);
    let rank = |choice: &Choice| (choice.missing.count(), Reverse(choice.exact));
    match strategy {
        Strategy::Priority => choices.sort_by_key(rank),
        Strategy::RoundRobin => {
            // Counting calls would not work: it would include the calls of other routes, and would give all turns of a
            // frozen provider to the next one alone.
            let last = |choice: &Choice| seat(choice).map_or(0, |seat| seat.last_turn.load(Ordering::Relaxed));
            choices.sort_by_cached_key(|choice| (rank(choice), last(choice)));
        }
        Strategy::Random => choices.sort_by_cached_key(|choice| (rank(choice), dice.roll())),
        Strategy::LeastLoaded => {
            let free = |choice: &Choice| seat(choice).map_or(0, Seat::free);
            choices.sort_by_cached_key(|choice| (rank(choice), Reverse(free(choice))));
        }
        Strategy::Cost => {
            let price = |choice: &Choice| seat(choice)?.price(choice.model.as_ref());
            choices.sort_by_cached_key(|choice| {
                let price = price(choice);
                (rank(choice), price.is_none(), price)
            });
        }
    }
}

fn quoted(words: &[Str]) -> String {
    listed(words.iter().map(|word| format!("`{word}`")))
}

fn listed(words: impl Iterator<Item = String>) -> String {
    const MAX_LISTED: usize = 20;
    let mut words: Vec<String> = words.collect();
    let more = words.len().saturating_sub(MAX_LISTED);
    words.truncate(MAX_LISTED);
    if more > 0 {
        words.push(format!("{more} more"));
    }
    if words.is_empty() { "none".to_owned() } else { words.join(", ") }
}
