//! How many tokens models count for an estimated token.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The ratio of a model that has counted nothing yet. Too small a ratio would let requests overflow.
const UNKNOWN: f64 = 1.3;
/// The weight of `UNKNOWN` against the first counts, in estimated tokens.
const UNKNOWN_WEIGHT: f64 = 200.0;
/// The largest weight of a count: one long text must not decide for all kinds of text.
const LARGEST_WEIGHT: f64 = 2_000.0;
/// The share of earlier counts that remains with each new one.
const REMAINS: f64 = 0.9;
/// The most models with a ratio; clients may be able to name any.
const MOST_MODELS: usize = 256;

/// The ratio of counted to estimated tokens per model: a moving average, learnt from the usage that providers report.
#[derive(Debug, Default)]
pub(crate) struct TokenRatios {
    models: Mutex<HashMap<Arc<str>, Average>>,
}

#[derive(Debug, Clone, Copy)]
struct Average {
    counted: f64,
    estimated: f64,
}

impl TokenRatios {
    /// Returns the ratio of a model. If no model is named, any may answer: returns the largest ratio there is.
    pub(crate) fn of(&self, model: Option<&str>) -> f64 {
        let models = self.lock();
        let known = match model {
            Some(model) => models.get(model).map(Average::ratio),
            None => models.values().map(Average::ratio).reduce(f64::max),
        };
        known.unwrap_or(UNKNOWN)
    }

    /// Learns from a whole request of an earlier process, unless the model has counted something in this one.
    pub(crate) fn learn_earlier(&self, model: &Arc<str>, counted: u64, estimated: u64) {
        let mut models = self.lock();
        if is_plausible(counted, estimated) && models.len() < MOST_MODELS && !models.contains_key(model) {
            let is_long = estimated as f64 >= LARGEST_WEIGHT;
            let mut average = if is_long { Average::NOTHING } else { Average::UNKNOWN };
            average.add(counted as f64, estimated as f64);
            models.insert(Arc::clone(model), average);
        }
    }

    /// Reports whether the model has counted something.
    pub(crate) fn knows(&self, model: &str) -> bool {
        self.lock().contains_key(model)
    }

    /// Learns from a text of `estimated` tokens that the model counted. Ignores a count that cannot be of this text alone.
    /// Returns the name of the model, shared.
    pub(crate) fn learn(&self, model: &str, counted: u64, estimated: u64) -> Arc<str> {
        let mut models = self.lock();
        let name = models.get_key_value(model).map_or_else(|| model.into(), |(name, _)| Arc::clone(name));
        if is_plausible(counted, estimated) && (models.len() < MOST_MODELS || models.contains_key(&name)) {
            models.entry(Arc::clone(&name)).or_insert(Average::UNKNOWN).add(counted as f64, estimated as f64);
        }
        name
    }

    /// All ratios, by the names of the models.
    pub(crate) fn all(&self) -> BTreeMap<Arc<str>, f64> {
        self.lock().iter().map(|(model, average)| (Arc::clone(model), average.ratio())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Average>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reports whether a text of `estimated` tokens can have so many.
pub(super) fn is_plausible(counted: u64, estimated: u64) -> bool {
    counted > 0 && estimated > 0 && counted / 4 <= estimated && estimated / 4 <= counted
}

impl Average {
    const NOTHING: Self = Self { counted: 0.0, estimated: 0.0 };
    const UNKNOWN: Self = Self { counted: UNKNOWN * UNKNOWN_WEIGHT, estimated: UNKNOWN_WEIGHT };

    fn add(&mut self, counted: f64, estimated: f64) {
        let share = (LARGEST_WEIGHT / estimated).min(1.0);
        self.counted = self.counted * REMAINS + counted * share;
        self.estimated = self.estimated * REMAINS + estimated * share;
    }

    fn ratio(&self) -> f64 {
        self.counted / self.estimated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ratio_of_a_model_is_learnt_from_what_it_counts() {
        let ratios = TokenRatios::default();
        assert_eq!((ratios.of(Some("small")), ratios.of(None)), (UNKNOWN, UNKNOWN));
        for _ in 0..3 {
            ratios.learn("small", 800, 1_000);
        }
        assert!((0.8..0.85).contains(&ratios.of(Some("small"))), "{}", ratios.of(Some("small")));
        assert_eq!(ratios.of(Some("large")), UNKNOWN);
        for _ in 0..40 {
            ratios.learn("large", 1_500, 1_000);
        }
        assert!((ratios.of(Some("large")) - 1.5).abs() < 0.01);
        assert_eq!(ratios.of(None), ratios.of(Some("large")));
        let all: Vec<_> = ratios.all().into_iter().collect();
        assert_eq!(all, ["large", "small"].map(|model| (model.into(), ratios.of(Some(model)))));
    }

    #[test]
    fn one_long_text_does_not_decide_for_all_others() {
        let ratios = TokenRatios::default();
        ratios.learn("small", 300_000, 100_000);
        for _ in 0..20 {
            ratios.learn("small", 1_000, 1_000);
        }
        assert!(ratios.of(Some("small")) < 1.2, "{}", ratios.of(Some("small")));
    }

    #[test]
    fn a_request_of_an_earlier_process_counts_as_long_as_the_model_is_not_known() {
        for (counted, estimated, expected) in [(4_000, 10_000, 0.4), (80, 200, 0.826), (10, 10_000, UNKNOWN)] {
            let ratios = TokenRatios::default();
            for counted in [counted, 9_000] {
                ratios.learn_earlier(&"small".into(), counted, estimated);
            }
            let expected = if expected == UNKNOWN { 0.9 } else { expected };
            assert!((ratios.of(Some("small")) - expected).abs() < 0.001, "{counted} of {estimated}");
        }
    }

    #[test]
    fn a_count_that_cannot_be_of_the_text_is_ignored() {
        let ratios = TokenRatios::default();
        for (counted, estimated) in [(0, 0), (0, 100), (100, 0), (10, 1_000), (10_000, 1_000)] {
            ratios.learn("small", counted, estimated);
            assert_eq!(ratios.of(Some("small")), UNKNOWN, "{counted} of {estimated}");
        }
    }

    #[test]
    fn the_number_of_models_is_limited() {
        let ratios = TokenRatios::default();
        for model in 0..300 {
            ratios.learn(&model.to_string(), 100, 100);
        }
        assert_eq!(ratios.lock().len(), MOST_MODELS);
        assert_eq!(&*ratios.learn("299", 100, 100), "299");
    }
}
