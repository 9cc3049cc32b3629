//! The units of costs.

use std::fmt;

/// The unit of a cost, in the order of `costs.toml`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Unit {
    /// Processor instructions in the program and its libraries, but not in the kernel.
    Instructions,
    /// Calls of the allocator that allocate memory or change its size.
    Allocations,
    /// Bytes copied by functions of the C library. Copies of a few bytes do not use them.
    BytesCopied,
    /// System calls of all threads of the process.
    SystemCalls,
}

impl Unit {
    pub(super) const ALL: [Self; 4] = [Self::Instructions, Self::Allocations, Self::BytesCopied, Self::SystemCalls];

    /// Returns the name in `costs.toml`.
    pub(super) fn key(self) -> &'static str {
        match self {
            Self::Instructions => "instructions",
            Self::Allocations => "allocations",
            Self::BytesCopied => "bytes_copied",
            Self::SystemCalls => "system_calls",
        }
    }

    /// Returns the allowed growth in percent, unless `costs.toml` sets another one. It covers randomness, and different
    /// compiler decisions about the same code.
    pub(super) fn tolerance(self) -> f64 {
        match self {
            Self::Instructions | Self::BytesCopied => 5.0,
            Self::Allocations => 3.0,
            Self::SystemCalls => 10.0,
        }
    }

    /// Formats the count with its significant digits.
    pub(super) fn written(self, count: f64) -> String {
        match self {
            Self::Instructions | Self::BytesCopied => format!("{count:.0}"),
            Self::Allocations | Self::SystemCalls => format!("{count:.1}"),
        }
    }

    /// Formats the count for people, with a separator between thousands.
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
