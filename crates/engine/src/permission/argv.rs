//! Patterns of command lines.

use super::InvalidPattern;

/// The program and its first arguments. A rule that lets calls run never matches a program that launches another one,
/// such as `env` or `sh -c`.
///
/// ```
/// use turnkit_engine::permission::ArgvPattern;
///
/// let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// let pattern = ArgvPattern::new(words("git status")).unwrap();
/// assert!(pattern.matches(&words("git status --short"), false));
/// assert!(!pattern.matches(&words("git statusx"), false));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArgvPattern(Vec<String>);

/// Programs that run, or may run, the command named in their arguments.
const LAUNCHERS: &[&str] = &[
    "ash",
    "awk",
    "bash",
    "busybox",
    "chroot",
    "cmd",
    "csh",
    "dash",
    "doas",
    "env",
    "eval",
    "exec",
    "fish",
    "flock",
    "gawk",
    "ionice",
    "ksh",
    "ltrace",
    "mawk",
    "nice",
    "nohup",
    "nsenter",
    "parallel",
    "powershell",
    "pwsh",
    "script",
    "setsid",
    "sh",
    "ssh",
    "stdbuf",
    "strace",
    "su",
    "sudo",
    "systemd-run",
    "tcsh",
    "time",
    "timeout",
    "unshare",
    "watch",
    "xargs",
    "zsh",
];

/// Programs that run other programs only with these arguments.
const LAUNCHING: &[(&str, &[&str])] = &[
    ("fd", &["-x", "-X", "--exec", "--exec-batch"]),
    ("find", &["-exec", "-execdir", "-ok", "-okdir"]),
    ("git", &["-c", "--exec-path", "--config-env"]),
    ("node", &["-e", "-p", "--eval", "--print"]),
    ("perl", &["-e", "-E"]),
    ("php", &["-r"]),
    ("python", &["-c"]),
    ("ruby", &["-e"]),
];

impl ArgvPattern {
    /// Creates a pattern of these words.
    ///
    /// # Errors
    /// `words` is empty, or contains only empty words.
    pub fn new(words: Vec<String>) -> Result<Self, InvalidPattern> {
        if words.iter().all(String::is_empty) {
            return Err(InvalidPattern("`argv` must not be empty; its first word is the program".to_owned()));
        }
        Ok(Self(words))
    }

    /// Reports whether `argv` begins with the words of the pattern. A `strict` rule matches the program in any folder.
    pub fn matches(&self, argv: &[String], strict: bool) -> bool {
        let ([program, arguments @ ..], [wanted, words @ ..]) = (argv, &self.0[..]) else { return false };
        let is_program = program == wanted || (strict && name_of(program) == name_of(wanted));
        is_program && arguments.starts_with(words) && (strict || !launches(argv))
    }

    /// Reports whether the pattern itself launches another program. A rule that lets calls run never matches such a
    /// pattern.
    pub fn launches(&self) -> bool {
        launches(&self.0)
    }

    pub(super) fn len(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }
}

/// Reports whether a program launches other programs that its arguments name.
fn launches(argv: &[String]) -> bool {
    let [program, arguments @ ..] = argv else { return false };
    let name = name_of(program);
    // `python3.12` counts as python.
    let unversioned = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_launching =
        |flags: &&[&str]| arguments.iter().any(|argument| flags.iter().any(|flag| has_flag(argument, flag)));
    let flags = LAUNCHING.iter().find(|(launcher, _)| *launcher == unversioned).map(|(_, flags)| flags);
    LAUNCHERS.contains(&unversioned) || flags.is_some_and(is_launching)
}

/// Reports whether an argument is a flag, or may contain it along with its value or with other one-letter flags.
fn has_flag(argument: &str, flag: &str) -> bool {
    let is_letter = flag.len() == 2;
    let letters = argument.strip_prefix('-').filter(|rest| is_letter && !rest.starts_with('-'));
    argument == flag
        || letters.is_some_and(|letters| letters.contains(&flag[1..]))
        || (flag.starts_with("--") && argument.strip_prefix(flag).is_some_and(|rest| rest.starts_with('=')))
}

/// Returns the name of a program without its folder and in lower case, because some file systems ignore case.
fn name_of(program: &str) -> String {
    let name = program.rsplit(std::path::is_separator).next().unwrap_or_default().to_lowercase();
    name.strip_suffix(".exe").map(str::to_owned).unwrap_or(name)
}
