//! Chromium, without a window.

use std::path::PathBuf;

use anyhow::Context;

use super::{node, on_path, run};

const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

pub(super) fn find() -> anyhow::Result<PathBuf> {
    node::that_drives_browsers()?;
    if let Some(browser) = on_path(NAMES) {
        return Ok(browser);
    }
    install().with_context(|| format!("there is none of {} on PATH", NAMES.join(", ")))?;
    on_path(NAMES).context("the package chromium holds no program of this name")
}

/// From the system's packages, where this user may install them.
fn install() -> anyhow::Result<()> {
    let apt = on_path(&["apt-get"]).context("no apt-get to install it with")?;
    anyhow::ensure!(run("id", &["-u".into()])?.trim() == "0", "only root may install it");
    println!("installing chromium from the system's packages: pages in it listen to a server's events");
    run(&apt, &["update".into()])?;
    run(&apt, &["install".into(), "--yes".into(), "--no-install-recommends".into(), "chromium".into()])?;
    Ok(())
}
