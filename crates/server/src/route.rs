//! Whether somebody may answer as a client asks for it.

use turnkit_core::TurnRoute;
use turnkit_core::ports::{ProviderDirectory, ProviderStatus};

use crate::error::ApiError;

/// Refuses a route that no provider fits, before anything is stored: what there is in its place is told.
pub(crate) fn check(route: &TurnRoute, directory: &dyn ProviderDirectory) -> Result<(), ApiError> {
    let all = directory.providers();
    let named = |status: &&ProviderStatus| route.provider.as_ref().is_none_or(|id| status.id == *id);
    let tagged = |status: &&ProviderStatus| route.tags.iter().all(|tag| status.tags.contains(tag));
    let found: Vec<&ProviderStatus> = all.iter().filter(named).collect();
    if found.is_empty() {
        let there = listed(all.iter().map(|status| status.id.as_str()));
        return Err(ApiError::field("route.provider", format!("there is no such provider; there are {there}")));
    }
    let fitting: Vec<&ProviderStatus> = found.iter().copied().filter(tagged).collect();
    if fitting.is_empty() {
        let there = listed(found.iter().flat_map(|status| &status.tags).map(AsRef::as_ref));
        return Err(ApiError::field("route.tags", format!("no provider that fits has all of them; there are {there}")));
    }
    // Who alone can answer is asked for models it does not list, too.
    let Some(model) = route.model.as_ref().filter(|_| fitting.len() > 1) else { return Ok(()) };
    if !fitting.iter().any(|status| status.models.contains(model)) {
        let there = listed(fitting.iter().flat_map(|status| &status.models).map(|model| &*model.0));
        return Err(ApiError::field("route.model", format!("no provider that fits lists it; there are {there}")));
    }
    Ok(())
}

/// Each word once, as many as one likes to read.
fn listed<'a>(words: impl Iterator<Item = &'a str>) -> String {
    const MOST: usize = 20;
    let mut told: Vec<&str> = Vec::new();
    for word in words {
        if !told.contains(&word) {
            told.push(word);
        }
    }
    told.truncate(MOST);
    if told.is_empty() { "none".to_owned() } else { told.join(", ") }
}
