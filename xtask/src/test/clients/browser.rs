//! Chromium, in headless mode.

use std::path::PathBuf;

use super::node;
use crate::system::from_package;

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub(super) fn find() -> anyhow::Result<PathBuf> {
    node::that_drives_browsers()?;
    from_package("chromium", NAMES, "pages in it listen to a server's events")
}
