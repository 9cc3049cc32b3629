//! Serialization of event fields that differs from the stored form of their types.

use schemars::JsonSchema;
use serde::ser::SerializeSeq;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Cost, FinishReason, Part, Str, Tokens, Usage};

/// The usage of model calls: the tokens, and their cost beside them.
#[derive(Serialize, Deserialize, JsonSchema)]
pub(super) struct Consumed {
    /// The tokens that were consumed.
    usage: Tokens,
    /// The cost of the tokens.
    cost: Cost,
    /// The version of the prices behind `cost`, if they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    prices: Option<Str>,
}

/// The usage of all model calls of a turn. The version of the prices is kept per step.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it only describes the fields")]
pub(super) struct Total {
    usage: Tokens,
    cost: Cost,
}

impl From<Consumed> for Usage {
    fn from(Consumed { usage, cost, prices }: Consumed) -> Self {
        usage.costing(cost, prices)
    }
}

pub(super) fn consumed<S: Serializer>(usage: &Usage, serializer: S) -> Result<S::Ok, S::Error> {
    let consumed = Consumed { usage: Tokens::of(usage), cost: usage.cost, prices: usage.prices.clone() };
    consumed.serialize(serializer)
}

/// Serializes a part without its opaque vendor data.
pub(super) fn part<S: Serializer>(part: &Part, serializer: S) -> Result<S::Ok, S::Error> {
    match part.opaque() {
        None => part.serialize(serializer),
        Some(_) => part.clone().without_opaque().serialize(serializer),
    }
}

/// Serializes parts without their opaque vendor data.
pub(super) fn parts<S: Serializer>(parts: &[Part], serializer: S) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(Some(parts.len()))?;
    for part in parts {
        match part.opaque() {
            None => list.serialize_element(part)?,
            Some(_) => list.serialize_element(&part.clone().without_opaque())?,
        }
    }
    list.end()
}

/// Writes the text form of a finish reason.
pub(super) fn write_word<S: Serializer>(reason: &FinishReason, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(reason.as_str())
}

/// Reads the text form of a finish reason.
pub(super) fn read_word<'de, D: Deserializer<'de>>(deserializer: D) -> Result<FinishReason, D::Error> {
    Str::deserialize(deserializer).map(|word| word.as_str().into())
}
