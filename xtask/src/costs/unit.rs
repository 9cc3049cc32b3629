//! What is counted.

use std::fmt;

/// What is counted, in the order of `costs.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// Of the processor, in the program and its libraries; not in the kernel.
    Instructions,
    /// Calls of the allocator for memory, new or of another size.
    Allocations,
    /// By functions of the C library that copy; a few bytes at a time are copied without them.
    BytesCopied,
    /// Of all threads of the process.
    SystemCalls,
}

impl Unit {
    pub(super) const ALL: [Self; 4] = [Self::Instructions, Self::Allocations, Self::BytesCopied, Self::SystemCalls];

    /// Names it in `costs.toml`.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Allocations => "allocations",
            Self::BytesCopied => "bytes_copied",
            Self::SystemCalls => "system_calls",
        }
    }

    /// How much more is no growth, in percent, unless `costs.toml` says otherwise: what chance and a compiler's other
    /// mood make of the same code.
    pub(super) fn tolerance(self) -> f64 {
        match self {
            Self::Instructions | Self::BytesCopied => 5.0,
            Self::Allocations => 3.0,
            Self::SystemCalls => 10.0,
        }
    }

    /// The count as it is written: no more digits than mean something.
    pub(super) fn written(self, count: f64) -> String {
        match self {
            Self::Instructions | Self::BytesCopied => format!("{count:.0}"),
            Self::Allocations | Self::SystemCalls => format!("{count:.1}"),
        }
    }

    /// The count as people read it, with its thousands apart.
    pub(super) fn grouped(self, count: f64) -> String {
        let written = self.written(count);
        let (whole, fraction) = written.split_at(written.find('.').unwrap_or(written.len()));
        let mut grouped = String::new();
        for (index, digit) in whole.chars().enumerate() {
            if index > 0 && (whole.len() - index) % 3 == 0 {
                grouped.push(',');
            }
            grouped.push(digit);
        }
        grouped + fraction
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key().replace('_', " "))
    }
}
