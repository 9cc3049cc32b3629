//! Lines on the standard output.

use std::io::{self, Write};

use anyhow::Context;

/// Prints a line at once.
pub(crate) fn line(text: &str) -> anyhow::Result<()> {
    let mut output = io::stdout().lock();
    writeln!(output, "{text}").and_then(|()| output.flush()).context("cannot write to the standard output")
}
