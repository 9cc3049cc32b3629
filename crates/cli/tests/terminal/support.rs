//! The binary in a folder of its own, with an environment of its own.

use std::fs;
use std::path::Path;
use std::process::Stdio;

use tempfile::TempDir;
use tokio::io::AsyncWriteExt;
use tokio::process::{Child, Command};
use turnkit_testkit::FakeUpstream;

/// A folder to run the binary in.
pub(crate) struct Place {
    directory: TempDir,
}

/// What a command came to.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Place {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        Self { directory: tempfile::tempdir().unwrap() }
    }

    /// A folder whose configuration points at an upstream.
    pub(crate) fn asking(upstream: &FakeUpstream) -> Self {
        let place = Self::new();
        let provider = format!(
            "[[providers]]\nid = \"fake\"\napi = \"openai-chat\"\nbase_url = \"{}\"\napi_key = \"secret-key\"\nmodels = [\"small\"]\n",
            upstream.base_url()
        );
        place.write("turnkit.toml", &provider);
        place
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        fs::write(self.path().join(name), text).unwrap();
    }

    pub(crate) fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_turnkit"));
        self.alone(&mut command, words);
        command
    }

    fn alone(&self, command: &mut Command, words: &[&str]) {
        command.args(words).current_dir(self.path()).env_clear().kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    }

    /// A command for which a file that may not grow is an error, not the end.
    #[cfg(target_os = "linux")]
    pub(crate) fn ignoring_the_limit_of_files(&self, words: &[&str]) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", "trap '' XFSZ; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_turnkit")]);
        self.alone(&mut command, words);
        command
    }

    pub(crate) fn start(&self, words: &[&str]) -> Child {
        self.command(words).spawn().unwrap()
    }

    pub(crate) async fn run(&self, words: &[&str]) -> Outcome {
        outcome(self.start(words)).await
    }

    pub(crate) async fn pipe(&self, words: &[&str], input: &str) -> Outcome {
        let mut child = self.command(words).stdin(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).await.unwrap();
        drop(stdin);
        outcome(child).await
    }

    /// The id of the session used last.
    pub(crate) async fn last_session(&self) -> String {
        let listed: serde_json::Value =
            serde_json::from_str(&self.run(&["sessions", "ls", "--json"]).await.stdout).unwrap();
        listed["data"][0]["id"].as_str().unwrap().to_owned()
    }
}

pub(crate) async fn outcome(child: Child) -> Outcome {
    let output = child.wait_with_output().await.unwrap();
    Outcome {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}
