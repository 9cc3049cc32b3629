//! Time zones by the names that people and models use.

use chrono_tz::{TZ_VARIANTS, Tz};

/// The smallest similarity of a name that is suggested instead, from 0 to 1.
const MIN_SIMILARITY: f64 = 0.75;
/// The longest name that is compared with others, in bytes. The longest zone name has 32.
const MAX_BYTES: usize = 64;

/// The error for a name that matches no time zone.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown time zone {name:?}: {}", .nearest.map_or_else(|| "use an IANA name such as Europe/Prague".to_owned(), |near| format!("did you mean {near}?")))]
pub struct UnknownZone {
    /// The name, truncated if it is long.
    pub name: String,
    /// The most similar zone, if any is similar enough.
    pub nearest: Option<&'static str>,
}

/// Returns the zone called `name`: an IANA name in any case, or its city alone, such as `prague` or `New York`.
///
/// ```
/// assert_eq!(turnkit_tools::find_zone("new york").unwrap().name(), "America/New_York");
/// let error = turnkit_tools::find_zone("Europe/Pragu").unwrap_err();
/// assert_eq!(error.to_string(), r#"unknown time zone "Europe/Pragu": did you mean Europe/Prague?"#);
/// ```
///
/// # Errors
/// No zone has this name. The error suggests a similar one.
pub fn find_zone(name: &str) -> Result<Tz, UnknownZone> {
    let wanted = name.trim().replace(' ', "_");
    let by_name = || TZ_VARIANTS.iter().find(|zone| zone.name().eq_ignore_ascii_case(&wanted));
    let by_city =
        || TZ_VARIANTS.iter().find(|zone| city(**zone).is_some_and(|city| city.eq_ignore_ascii_case(&wanted)));
    by_name().or_else(by_city).copied().ok_or_else(|| UnknownZone {
        name: name.chars().take(MAX_BYTES).collect(),
        nearest: if wanted.len() > MAX_BYTES { None } else { nearest(&wanted) },
    })
}

/// Returns the last part of a regional zone name: `Prague` for `Europe/Prague`. Offsets such as `Etc/GMT+5` have no
/// city.
fn city(zone: Tz) -> Option<&'static str> {
    zone.name().rsplit_once('/').filter(|(region, _)| *region != "Etc").map(|(_, city)| city)
}

fn nearest(wanted: &str) -> Option<&'static str> {
    let wanted = wanted.to_lowercase();
    let likeness = |name: &str| strsim::jaro_winkler(&wanted, &name.to_lowercase());
    let candidates = TZ_VARIANTS.iter().map(|zone| {
        let by_city = city(*zone).map_or(0.0, likeness);
        (likeness(zone.name()).max(by_city), zone.name())
    });
    let (alike, name) = candidates.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (alike >= MIN_SIMILARITY).then_some(name)
}
