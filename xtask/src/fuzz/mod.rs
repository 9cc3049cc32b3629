//! `cargo xtask fuzz`: generates inputs that reach new parts of the code.

mod engine;

use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};

use crate::repository::environment;
use crate::{Command, Repository};
use engine::{Engine, RunResult};

pub(crate) const COMMAND: Command = Command {
    name: "fuzz",
    arguments: "[OPTIONS]",
    about: "feeds decoders inputs that no provider sends; each target for 60 seconds, or as `--help` says",
    run,
};

const HELP: &str = "\
Usage: cargo xtask fuzz [TARGET…] [--seconds N]
       cargo xtask fuzz TARGET --input FILE

Each target decodes inputs that libFuzzer makes of recorded and hand-written answers, guided by which code they reach,
and checks the laws of crates/llm/tests/fuzz/laws.rs, which hold for every input.

  sse               events, compared with the standard read word by word
  openai_chat       answers of Chat Completions
  openai_responses  answers of Responses
  anthropic         answers of Messages
  gemini            answers of generateContent

  --seconds N       how long each target runs [default: 60]
  --input FILE      try this input alone, as one that failed

An input that breaks a law is kept, and printed with the command that runs it again. A C++ compiler is required; inputs
of earlier runs are in target/fuzz/corpus.";

/// The targets, each with the wires whose recorded answers are its first inputs.
const TARGETS: [(&str, &[&str]); 5] = [
    ("sse", &["openai-chat", "openai-responses", "anthropic", "gemini"]),
    ("openai_chat", &["openai-chat"]),
    ("openai_responses", &["openai-responses"]),
    ("anthropic", &["anthropic"]),
    ("gemini", &["gemini"]),
];

/// The parsed arguments.
struct Arguments {
    targets: Vec<(&'static str, &'static [&'static str])>,
    seconds: u32,
    input: Option<PathBuf>,
}

fn run(repository: &Repository, arguments: &[String]) -> anyhow::Result<bool> {
    let Some(wanted) = parse(arguments)? else {
        println!("{HELP}");
        return Ok(true);
    };
    let engine = Engine::build(repository)?;
    if let (Some(input), [(target, _)]) = (&wanted.input, wanted.targets.as_slice()) {
        return engine.run_input(target, input);
    }
    let mut rows = Vec::new();
    let mut all_passed = true;
    for (target, wires) in wanted.targets {
        let seeds = seeds(repository.root(), wires);
        let RunResult { tried, per_second, reached, broken } = engine.fuzz(target, &seeds, wanted.seconds)?;
        all_passed &= broken.is_none();
        let outcome = broken.map_or_else(
            || "passed".to_owned(),
            |input| format!("BROKEN\n  rerun: cargo xtask fuzz {target} --input {}", input.display()),
        );
        rows.push(format!("{target:<18}{tried:>10} inputs, {per_second:>7} a second, {reached:>6} edges: {outcome}"));
    }
    println!("\n{}", rows.join("\n"));
    Ok(all_passed)
}

/// Parses the arguments. Returns `None` if they ask for help.
fn parse(arguments: &[String]) -> anyhow::Result<Option<Arguments>> {
    let mut wanted = Arguments { targets: Vec::new(), seconds: 60, input: None };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--help" | "-h" => return Ok(None),
            "--seconds" => {
                let seconds = words.next().context("--seconds needs a number")?;
                wanted.seconds = seconds.parse().with_context(|| format!("--seconds: `{seconds}` is not a number"))?;
            }
            "--input" => wanted.input = Some(words.next().context("--input needs a file")?.into()),
            name => match TARGETS.into_iter().find(|(target, _)| *target == name) {
                Some(target) => wanted.targets.push(target),
                None => bail!("there is no target `{name}`; `cargo xtask fuzz --help` lists them"),
            },
        }
    }
    ensure!(wanted.input.is_none() || wanted.targets.len() == 1, "--input needs the one target it is for");
    if wanted.targets.is_empty() {
        wanted.targets = TARGETS.to_vec();
    }
    Ok(Some(wanted))
}

/// Returns folders of recorded answers: those of the repository, and further ones if they exist.
fn seeds(root: &Path, wires: &[&str]) -> Vec<PathBuf> {
    let own = root.join("crates/llm/fixtures");
    let recorded = environment("TURNKIT_FIXTURES").map_or_else(|| root.join("../shared/fixtures"), PathBuf::from);
    let folders = wires.iter().flat_map(|wire| {
        [own.join(wire.replace('-', "_")), recorded.join("providers").join(wire), recorded.join(wire)]
    });
    folders.filter(|folder| folder.is_dir()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse_words(words: &[&str]) -> anyhow::Result<Option<Arguments>> {
        parse(&words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn without_names_every_target_runs() {
        let all = parse_words(&["--seconds", "5"]).unwrap().unwrap();
        assert_eq!((all.targets.len(), all.seconds), (TARGETS.len(), 5));
        let one = parse_words(&["gemini"]).unwrap().unwrap();
        assert_eq!((one.targets[0].0, one.targets.len(), one.seconds), ("gemini", 1, 60));
    }

    #[test]
    fn meaningless_arguments_are_rejected() {
        for words in [&["nobody"][..], &["--seconds"], &["--seconds", "x"], &["--input", "file"]] {
            assert!(parse_words(words).is_err(), "{words:?}");
        }
        assert!(parse_words(&["--help"]).unwrap().is_none());
    }
}
