//! Command lines with placeholders for arguments of a call.

use serde_json::{Value, json};
use turnkit_core::{RawJson, ToolError};

use crate::template::{InvalidTemplate, Parameters, Template, Values};

/// A program with its arguments and its standard input, as the operator configures them. A placeholder must be a whole
/// argument, and cannot be the program.
#[derive(Debug, Clone)]
pub struct CommandLine {
    program: String,
    words: Vec<Word>,
    stdin: Option<Template>,
    parameters: Parameters,
    /// The program with its arguments and the standard input, as the operator wrote them.
    written: Value,
}

#[derive(Debug, Clone)]
enum Word {
    Fixed(String),
    /// The value of a parameter. After a `--`, a value that begins with `-` is not an option.
    Argument {
        name: String,
        after_options: bool,
    },
}

impl CommandLine {
    /// Parses the words of `run` and the text of `stdin`.
    ///
    /// # Errors
    /// A word is invalid. The error names it.
    pub fn parse(run: &[String], stdin: Option<&str>, parameters: &Parameters) -> Result<Self, InvalidTemplate> {
        let Some((program, arguments)) = run.split_first().filter(|(program, _)| !program.trim().is_empty()) else {
            return Err(InvalidTemplate::new("run", "expected a list of words, the first of which is the program"));
        };
        let Some(program) = Template::parse(program).fixed().map(str::to_owned) else {
            return Err(InvalidTemplate::new("run.0", "the program is fixed: a placeholder can only be an argument"));
        };
        if let Some(index) = run.iter().position(|word| word.contains('\0')) {
            return Err(InvalidTemplate::new(format!("run.{index}"), "no argument can hold a NUL character"));
        }
        let words = arguments.iter().enumerate().map(|(index, word)| {
            let read = read_word(&Template::parse(word), &arguments[..index], parameters);
            read.map_err(|why| InvalidTemplate::new(format!("run.{}", index + 1), why))
        });
        let words = words.collect::<Result<_, _>>()?;
        let written = json!({ "run": run, "stdin": stdin });
        let stdin = stdin.map(Template::parse);
        let checked = stdin.iter().try_for_each(|stdin| parameters.check(stdin));
        checked.map_err(|why| InvalidTemplate::new("stdin", why))?;
        Ok(Self { program, words, stdin, parameters: parameters.clone(), written })
    }

    /// Returns the arguments of a call.
    ///
    /// # Errors
    /// The arguments do not match the parameters.
    pub(super) fn values(&self, arguments: &RawJson) -> Result<Values, ToolError> {
        self.parameters.read(arguments)
    }

    /// Returns the program and its arguments for a call. The placeholder of an absent optional argument is left out.
    ///
    /// # Errors
    /// An argument would be read as an option, or cannot be passed.
    pub(super) fn argv(&self, values: &Values) -> Result<Vec<String>, ToolError> {
        let mut argv = vec![self.program.clone()];
        for word in &self.words {
            match word {
                Word::Fixed(text) => argv.push(text.clone()),
                Word::Argument { name, after_options } => {
                    let Some(value) = values.text(name) else { continue };
                    checked(name, &value, *after_options).map_err(ToolError::InvalidArguments)?;
                    argv.push(value);
                }
            }
        }
        Ok(argv)
    }

    /// Returns the settings as the operator wrote them.
    pub(super) fn written(&self) -> &Value {
        &self.written
    }

    /// Returns the standard input of the program for a call, or `None` if it has none.
    pub(super) fn stdin(&self, values: &Values) -> Option<String> {
        self.stdin.as_ref()?.fill(values, |value| value)
    }
}

/// Parses one argument of the program, which follows the words in `before`.
fn read_word(word: &Template, before: &[String], parameters: &Parameters) -> Result<Word, String> {
    parameters.check(word)?;
    if let Some(text) = word.fixed() {
        return Ok(Word::Fixed(text.to_owned()));
    }
    let Some(name) = word.whole() else {
        return Err("a placeholder is a whole argument: write it as a word of its own".to_owned());
    };
    let after_options = before.iter().any(|word| word == "--");
    let option = before.last().filter(|word| word.starts_with('-') && !after_options);
    match option.filter(|_| !parameters.is_required(name)) {
        Some(option) => Err(format!(
            "without the optional `{{{name}}}`, `{option}` may have no value: make it `required`, or put `--` before it"
        )),
        None => Ok(Word::Argument { name: name.to_owned(), after_options }),
    }
}

fn checked(name: &str, value: &str, after_options: bool) -> Result<(), String> {
    if value.contains('\0') {
        return Err(format!("`{name}` holds a NUL character, which no argument of a program can hold"));
    }
    match value.starts_with('-') && !after_options {
        true => Err(format!("`{name}` begins with `-`: the program would take it for an option")),
        false => Ok(()),
    }
}
