//! Programs that models choose.

use std::collections::BTreeMap;
use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Secret;
use super::value::some_positive;
use crate::sandbox::Sandbox;

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct RunCommandConfig {
    /// Folders in which programs work, and whose files they may read, run and change; relative paths start at the folder of
    /// this file. Everything in them can be read, secrets too. They must not hold this file, `credentials` of providers, the
    /// data, or programs of `[[tools.command]]`.
    pub(crate) roots: Vec<PathBuf>,
    /// More folders whose files programs may read and run, such as a toolchain.
    pub(crate) readable: Vec<PathBuf>,
    /// The programs that may run, as models write them: names that are looked for in PATH, or paths. They may run others.
    /// Absent: every program.
    pub(crate) programs: Option<Vec<String>>,
    /// The environment of programs. Besides, they have PATH, TURNKIT_CALL, and the first of `roots` as HOME and TMPDIR.
    pub(crate) env: BTreeMap<String, Secret>,
    /// Whether files of the folders may hold text from outside, such as downloads: then what programs write is text from outside.
    pub(crate) repeats: bool,
    /// How many seconds a call may take. Absent: `timeout_s` of `[tools]`.
    #[serde(deserialize_with = "some_positive")]
    #[schemars(range(min = 1))]
    pub(crate) timeout_s: Option<u64>,
    /// The folders as they were found, without links.
    #[serde(skip)]
    pub(crate) found: Sandbox,
}
