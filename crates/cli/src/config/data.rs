//! The data directory of commands without `--data` and `store.url`.

use std::path::{Path, PathBuf};

use etcetera::base_strategy::{BaseStrategy as _, choose_native_strategy};

/// The name of the data directory next to a configuration file.
const DATA_FOLDER: &str = "data";
/// The name of the data directory in the user's data folder.
const USER_DATA_FOLDER: &str = "turnkit";

/// Returns the data directory next to the configuration file in `folder`, with a notice for the user.
///
/// The notice says where earlier data is, if `database` is in the user's data folder but not in this directory: a new
/// configuration file moves the data, but not the sessions stored without one.
pub(super) fn beside(folder: &Path, database: &str) -> (Option<PathBuf>, Option<String>) {
    let data = folder.join(DATA_FOLDER);
    let earlier = of_user().filter(|earlier| !data.join(database).exists() && earlier.join(database).is_file());
    let notice = earlier.map(|earlier| {
        let (data, earlier) = (data.display(), earlier.display());
        format!("data is stored in {data}, beside the configuration file; earlier sessions stay in {earlier}, which --data selects")
    });
    (Some(data), notice)
}

/// Returns the data directory for commands without a configuration file, with a notice for the user.
///
/// It is the one in the user's data folder, unless an earlier version left `database` in the current folder. Returns
/// `None` if the user has no home folder.
pub(super) fn without_file(database: &str) -> (Option<PathBuf>, Option<String>) {
    let of_user = of_user();
    if !Path::new(DATA_FOLDER).join(database).is_file() {
        return (of_user, None);
    }
    let usual = of_user.map_or_else(String::new, |path| format!("; without it, data lives in {}", path.display()));
    (Some(DATA_FOLDER.into()), Some(format!("the data in ./{DATA_FOLDER} is used, because it exists{usual}")))
}

/// Returns the data directory in the user's data folder: `$XDG_DATA_HOME/turnkit`, or its equivalent on the platform.
fn of_user() -> Option<PathBuf> {
    choose_native_strategy().ok().map(|folders| folders.data_dir().join(USER_DATA_FOLDER))
}
