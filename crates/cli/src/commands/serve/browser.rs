//! Opens the page in the user's browser.

use std::io;
use std::process::{Child, Command, Stdio};

use crate::terminal::remark;

/// The program that opens an address in the user's browser, with its arguments before the address.
const OPENER: (&str, &[&str]) = if cfg!(target_os = "macos") {
    ("open", &[])
} else if cfg!(windows) {
    // `start` is part of the command interpreter, and takes its first quoted argument for a title.
    ("cmd", &["/C", "start", ""])
} else {
    ("xdg-open", &[])
};

/// Opens `url` in the user's browser. A failure is reported, and the server continues.
pub(super) fn open(url: &str) {
    let started = start(url);
    let name = OPENER.0;
    match started {
        Ok(mut child) => {
            // Waits beside the server, so that the program does not remain as a zombie.
            std::thread::spawn(move || {
                if !child.wait().is_ok_and(|status| status.success()) {
                    remark(&format!("{name} opened no browser: open the address above yourself"));
                }
            });
        }
        Err(error) => remark(&format!("cannot run {name}: {error}; open the address above yourself")),
    }
}

fn start(url: &str) -> io::Result<Child> {
    let (name, arguments) = OPENER;
    let mut command = Command::new(name);
    command.args(arguments).arg(url).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn()
}
