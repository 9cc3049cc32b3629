//! Short text.

use compact_str::CompactString;

/// A short text. Tokens of up to 24 bytes need no allocation.
pub type Str = CompactString;
