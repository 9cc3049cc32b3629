//! The ratio of counted to estimated tokens of each model.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::tool_sizes::ToolSizes;

/// The ratio of a model without counts. A ratio that is too small would let requests overflow.
const UNKNOWN: f64 = 1.3;
/// The weight of `UNKNOWN` against the first counts, in estimated tokens.
const UNKNOWN_WEIGHT: f64 = 200.0;
/// The largest weight of a count: one long text must not determine the ratio for all kinds of text.
const MAX_WEIGHT: f64 = 2_000.0;
/// The ratio of images and documents for a model that has counted none yet. The estimate assumes large ones.
const UNKNOWN_OF_FILES: f64 = 1.0;
/// The weight of `UNKNOWN_OF_FILES`: a large image may follow several small ones.
const UNKNOWN_OF_FILES_WEIGHT: f64 = 25_600.0;
/// The largest weight of a count of images and documents.
const MAX_FILE_WEIGHT: f64 = 8_000.0;
/// The factor by which each new count reduces the weight of the earlier ones.
const REMAINS: f64 = 0.9;
/// The maximum number of models with a ratio, because clients may be able to name any model.
const MAX_MODELS: usize = 256;

/// The ratio of counted to estimated tokens per model: a moving average, learnt from the usage that providers report.
#[derive(Debug, Default)]
pub(crate) struct TokenRatios {
    models: Mutex<HashMap<Arc<str>, Averages>>,
    /// The estimated sizes of tools.
    pub(super) tools: ToolSizes,
}

/// The averages of a model. Texts and files are separate, because sizes of images are not evidence about texts.
#[derive(Debug, Clone, Copy)]
struct Averages {
    texts: Average,
    files: Average,
}

#[derive(Debug, Clone, Copy)]
struct Average {
    counted: f64,
    estimated: f64,
}

impl TokenRatios {
    /// Returns the ratio of texts for a model. If `model` is `None`, any model may answer, so returns the largest known
    /// ratio.
    pub(crate) fn of(&self, model: Option<&str>) -> f64 {
        self.largest(model, |averages| averages.texts).unwrap_or(UNKNOWN)
    }

    /// Learns from a whole request of an earlier process, unless the model has already counted a request in this one.
    pub(crate) fn learn_earlier(&self, model: &Arc<str>, counted: u64, estimated: u64, of_files: u64) {
        let mut models = self.lock();
        let is_new = models.len() < MAX_MODELS && !models.contains_key(model);
        if is_plausible(counted, estimated, of_files) && is_new {
            let mut averages = Averages::UNKNOWN;
            if of_files == 0 && estimated as f64 >= MAX_WEIGHT {
                averages.texts = Average::NOTHING;
            }
            averages.add(counted as f64, estimated.saturating_sub(of_files) as f64, of_files as f64);
            models.insert(Arc::clone(model), averages);
        }
    }

    /// Reports whether the model has counted a request.
    pub(crate) fn knows(&self, model: &str) -> bool {
        self.lock().contains_key(model)
    }

    /// Returns the ratio of images and documents.
    pub(crate) fn of_files(&self, model: Option<&str>) -> f64 {
        self.largest(model, |averages| averages.files).unwrap_or(UNKNOWN_OF_FILES)
    }

    fn largest(&self, model: Option<&str>, kind: fn(&Averages) -> Average) -> Option<f64> {
        let models = self.lock();
        match model {
            Some(model) => models.get(model).map(|averages| kind(averages).ratio()),
            None => models.values().map(|averages| kind(averages).ratio()).reduce(f64::max),
        }
    }

    /// Learns from the model's count of messages of `estimated` tokens, `of_files` of which are for images and
    /// documents. Ignores a count that cannot be of these messages alone. Returns the name of the model, shared.
    pub(crate) fn learn(&self, model: &str, counted: u64, estimated: u64, of_files: u64) -> Arc<str> {
        let mut models = self.lock();
        let name = models.get_key_value(model).map_or_else(|| model.into(), |(name, _)| Arc::clone(name));
        if is_plausible(counted, estimated, of_files) && (models.len() < MAX_MODELS || models.contains_key(&name)) {
            let averages = models.entry(Arc::clone(&name)).or_insert(Averages::UNKNOWN);
            averages.add(counted as f64, estimated.saturating_sub(of_files) as f64, of_files as f64);
        }
        name
    }

    /// Returns the ratios of texts of all models, by name.
    pub(crate) fn all(&self) -> BTreeMap<Arc<str>, f64> {
        self.lock().iter().map(|(model, averages)| (Arc::clone(model), averages.texts.ratio())).collect()
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Arc<str>, Averages>> {
        self.models.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reports whether messages of `estimated` tokens can have `counted` tokens. Images and documents, which account for
/// `of_files` of the estimate, may be much smaller than estimated.
pub(super) fn is_plausible(counted: u64, estimated: u64, of_files: u64) -> bool {
    let of_texts = estimated.saturating_sub(of_files);
    counted > 0 && estimated > 0 && counted / 4 <= estimated && of_texts / 4 <= counted
}

impl Averages {
    const UNKNOWN: Self = Self {
        texts: Average::new(UNKNOWN, UNKNOWN_WEIGHT),
        files: Average::new(UNKNOWN_OF_FILES, UNKNOWN_OF_FILES_WEIGHT),
    };

    fn add(&mut self, counted: f64, of_texts: f64, of_files: f64) {
        if of_files > 0.0 {
            let counted = (counted - of_texts * self.texts.ratio()).max(0.0);
            self.files.add(counted, of_files, MAX_FILE_WEIGHT);
        } else {
            self.texts.add(counted, of_texts, MAX_WEIGHT);
        }
    }
}

impl Average {
    const NOTHING: Self = Self { counted: 0.0, estimated: 0.0 };

    const fn new(ratio: f64, weight: f64) -> Self {
        Self { counted: ratio * weight, estimated: weight }
    }

    fn add(&mut self, counted: f64, estimated: f64, largest_weight: f64) {
        let share = (largest_weight / estimated).min(1.0);
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
    fn the_ratio_of_a_model_is_learnt_from_its_counts() {
        let ratios = TokenRatios::default();
        assert_eq!((ratios.of(Some("small")), ratios.of(None)), (UNKNOWN, UNKNOWN));
        for _ in 0..3 {
            ratios.learn("small", 800, 1_000, 0);
        }
        assert!((0.8..0.85).contains(&ratios.of(Some("small"))), "{}", ratios.of(Some("small")));
        assert_eq!(ratios.of(Some("large")), UNKNOWN);
        for _ in 0..40 {
            ratios.learn("large", 1_500, 1_000, 0);
        }
        assert!((ratios.of(Some("large")) - 1.5).abs() < 0.01);
        assert_eq!(ratios.of(None), ratios.of(Some("large")));
        let all: Vec<_> = ratios.all().into_iter().collect();
        assert_eq!(all, ["large", "small"].map(|model| (model.into(), ratios.of(Some(model)))));
    }

    #[test]
    fn one_long_text_does_not_decide_for_all_others() {
        let ratios = TokenRatios::default();
        ratios.learn("small", 300_000, 100_000, 0);
        for _ in 0..20 {
            ratios.learn("small", 1_000, 1_000, 0);
        }
        assert!(ratios.of(Some("small")) < 1.2, "{}", ratios.of(Some("small")));
    }

    #[test]
    fn a_request_of_an_earlier_process_counts_as_long_as_the_model_is_not_known() {
        for (counted, estimated, expected) in [(4_000, 10_000, 0.4), (80, 200, 0.826), (10, 10_000, UNKNOWN)] {
            let ratios = TokenRatios::default();
            for counted in [counted, 9_000] {
                ratios.learn_earlier(&"small".into(), counted, estimated, 0);
            }
            let expected = if expected == UNKNOWN { 0.9 } else { expected };
            assert!((ratios.of(Some("small")) - expected).abs() < 0.001, "{counted} of {estimated}");
        }
    }

    #[test]
    fn a_count_that_cannot_be_of_the_text_is_ignored() {
        let ratios = TokenRatios::default();
        for (counted, estimated) in [(0, 0), (0, 100), (100, 0), (10, 1_000), (10_000, 1_000)] {
            ratios.learn("small", counted, estimated, 0);
            assert_eq!(ratios.of(Some("small")), UNKNOWN, "{counted} of {estimated}");
        }
    }

    #[test]
    fn sizes_of_images_do_not_change_the_ratio_of_texts() {
        let ratios = TokenRatios::default();
        for _ in 0..2 {
            ratios.learn("small", 130 + 255, 100 + 1_600, 1_600);
        }
        assert_eq!(ratios.of(Some("small")), UNKNOWN);
        let two_small_ones = ratios.of_files(Some("small"));
        assert!((0.85..1.0).contains(&two_small_ones), "{two_small_ones}: the next image may be large");
        for _ in 0..40 {
            ratios.learn("small", 130 + 800, 100 + 1_600, 1_600);
        }
        let average = ratios.of_files(Some("small"));
        assert!((average - 0.5).abs() < 0.1, "{average}");
        assert_eq!(ratios.of_files(Some("large")), 1.0);
    }

    #[test]
    fn the_number_of_models_is_limited() {
        let ratios = TokenRatios::default();
        for model in 0..300 {
            ratios.learn(&model.to_string(), 100, 100, 0);
        }
        assert_eq!(ratios.lock().len(), MAX_MODELS);
        assert_eq!(&*ratios.learn("299", 100, 100, 0), "299");
    }
}
