//! The data directory of commands that neither `--data` nor `store.url` gives one.

use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};

/// The name of the data directory beside a configuration file.
const BESIDE: &str = "data";
/// The name of the data directory in the user's data folder.
const OF_USER: &str = "turnkit";

/// The data directory beside the configuration file in `folder`.
pub(super) fn beside(folder: &Path) -> PathBuf {
    folder.join(BESIDE)
}

/// The data directory without a configuration file, and what the user should know about it: the one in the user's data
/// folder, unless an earlier version left `database` in the current one. `None` if the user has no home folder.
pub(super) fn without_file(database: &str) -> (Option<PathBuf>, Option<String>) {
    let of_user = of_user();
    if !Path::new(BESIDE).join(database).is_file() {
        return (of_user, None);
    }
    let usual = of_user.map_or_else(String::new, |path| format!("; without it, data lives in {}", path.display()));
    (Some(BESIDE.into()), Some(format!("the data in ./{BESIDE} is used, because it exists{usual}")))
}

/// The data directory in the user's data folder: `$XDG_DATA_HOME/turnkit`, or what the platform has in its place.
fn of_user() -> Option<PathBuf> {
    choose_native_strategy().ok().map(|folders| folders.data_dir().join(OF_USER))
}
