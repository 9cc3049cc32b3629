//! A message of a history, with what was computed from it once.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::{Message, Str};

/// The id of an encoding: a wire and, if the encoding depends on it, the vendor.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct WireId(pub Str);

/// A message and, once a wire has encoded it, its cached encoding.
#[derive(Debug)]
pub struct Entry {
    message: Message,
    encoded: OnceLock<(WireId, Box<[u8]>)>,
    tokens: OnceLock<u64>,
}

impl Entry {
    /// Creates an entry without a cached encoding.
    pub fn new(message: Message) -> Arc<Self> {
        Arc::new(Self::from_message(message))
    }

    fn from_message(message: Message) -> Self {
        Self { message, encoded: OnceLock::new(), tokens: OnceLock::new() }
    }

    /// Returns the message.
    pub fn message(&self) -> &Message {
        &self.message
    }

    /// Passes the encoding for `wire` to `write`. An entry caches the encoding of one wire, created by `encode` at most
    /// once; for any other wire, `encode` is called each time.
    pub fn encoded(&self, wire: &WireId, encode: impl Fn(&Message) -> Vec<u8>, write: impl FnOnce(&[u8])) {
        let (known, bytes) = self.encoded.get_or_init(|| (wire.clone(), encode(&self.message).into()));
        if known == wire {
            write(bytes);
        } else {
            write(&encode(&self.message));
        }
    }

    /// Returns the size in tokens, estimated by `estimate` at most once per entry.
    pub fn tokens(&self, estimate: impl FnOnce(&Message) -> u64) -> u64 {
        *self.tokens.get_or_init(|| estimate(&self.message))
    }
}

impl PartialEq for Entry {
    fn eq(&self, other: &Self) -> bool {
        self.message == other.message
    }
}

impl Serialize for Entry {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.message.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Message::deserialize(deserializer).map(Self::from_message)
    }
}
