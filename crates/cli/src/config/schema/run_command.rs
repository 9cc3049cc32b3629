//! The section `[tools.run_command]`: programs that models choose.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Secret;
use super::value::{folders, some_positive};
use crate::sandbox::Sandbox;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RunCommandConfig {
    /// Folders in which programs work, and whose files they may read, run and change. Relative paths start at the
    /// folder of this file. Programs can read everything in them, including secrets. The folders must not contain this
    /// file, `credentials` of providers, the data, or programs of `[[tools.command]]`.
    #[serde(deserialize_with = "folders")]
    pub(crate) roots: Vec<PathBuf>,
    /// Additional folders whose files programs may read and run, such as a toolchain.
    #[serde(deserialize_with = "folders")]
    pub(crate) readable: Vec<PathBuf>,
    /// The programs that may run, as models write them: names that are looked up in PATH, or paths. They may run other
    /// programs. Default: every program.
    pub(crate) programs: Option<Vec<String>>,
    /// The environment of programs. They also get PATH, TURNKIT_CALL, and the first of `roots` as HOME and TMPDIR.
    pub(crate) env: BTreeMap<String, Secret>,
    /// Whether files in the folders may contain untrusted text, such as downloads. If so, the output of programs is
    /// untrusted text.
    pub(crate) repeats: bool,
    /// The longest time of a call, in seconds. Default: `timeout_s` of `[tools]`.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The resolved folders, without symbolic links.
    #[serde(skip)]
    pub(crate) found: Sandbox,
}
