//! Short strings.

use compact_str::CompactString;

/// A short string. Tokens of up to 24 bytes need no allocation.
pub type Str = CompactString;
