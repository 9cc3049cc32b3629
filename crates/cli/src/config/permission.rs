//! Parsing of permission rules.

use std::path::{Path, is_separator};

use turnkit_core::Subject;
use turnkit_engine::permission::{ArgvPattern, InvalidPattern, Rule, SubjectPattern};

use super::schema::{Decision, ExampleConfig, RuleConfig, ToolsConfig};
use super::short_rule;
use super::subject_kind::SubjectKind;

/// The reason why a rule cannot be used: the key that is wrong, and a sentence.
pub(super) type InvalidKey = (String, String);

/// Parses a rule and checks it against its examples.
pub(super) fn read(rule: &RuleConfig, tools: &ToolsConfig) -> Result<Rule, InvalidKey> {
    let of_tool = |why: String| ("tool".to_owned(), why);
    let written = short_rule::written_out(rule, tools).map_err(of_tool)?;
    let pattern = match &written {
        Some(written) => {
            if let Some(key) = given(rule).next() {
                let why = format!("the rule has both `{key}` and a short spelling of it; keep one");
                return Err((key.to_owned(), why));
            }
            pattern(written).map_err(|(_, why)| of_tool(format!("`{}`: {why}", rule.tool)))?
        }
        None => {
            check_key(rule, tools)?;
            pattern(rule)?
        }
    };
    let read = Rule::new(short_rule::tool_of(&rule.tool), rule.decision.into());
    let read = match pattern {
        Some(pattern) => read.touching(pattern),
        None => read,
    };
    for (key, examples, expected) in [("match", &rule.matching, true), ("not_match", &rule.not_match, false)] {
        for (index, example) in examples.iter().enumerate() {
            let at = |why: String| (format!("{key}.{index}"), why);
            if is_about(&read, example).map_err(at)? != expected {
                let says = if expected { "does not match" } else { "matches" };
                return Err(at(format!("the rule {says} {}, against its own example", shown(example))));
            }
        }
    }
    Ok(read)
}

/// Returns the keys of a rule that restrict what its calls touch.
fn given(rule: &RuleConfig) -> impl Iterator<Item = &'static str> {
    let RuleConfig { path, host, argv, text, .. } = rule;
    let given =
        [("path", path.is_some()), ("host", host.is_some()), ("argv", argv.is_some()), ("text", text.is_some())];
    given.into_iter().filter_map(|(key, is_given)| is_given.then_some(key))
}

/// Rejects a rule with a key that restricts what calls of its tool never touch: it would match no call. Tools that a
/// name with a `*` matches may touch anything.
fn check_key(rule: &RuleConfig, tools: &ToolsConfig) -> Result<(), InvalidKey> {
    let tool = rule.tool.as_str();
    if tool.ends_with('*') {
        return Ok(());
    }
    let kind = SubjectKind::for_tool(tool, tools);
    let Some(wrong) = given(rule).find(|key| kind.is_none_or(|kind| kind.key() != *key)) else { return Ok(()) };
    let remedy = match kind {
        Some(kind) => format!("rules about it can have `{}`", kind.key()),
        None => "rules about it can have none of `path`, `host`, `argv` and `text`".to_owned(),
    };
    Err((wrong.to_owned(), format!("calls of `{tool}` have no `{wrong}`, so the rule would never match; {remedy}")))
}

fn pattern(rule: &RuleConfig) -> Result<Option<SubjectPattern>, InvalidKey> {
    let RuleConfig { path, host, argv, text, .. } = rule;
    let mut given = given(rule);
    if let (Some(first), Some(second)) = (given.next(), given.next()) {
        return Err((second.to_owned(), format!("the rule has both `{first}` and `{second}`; write two rules")));
    }
    let wrong = |key: &str| {
        let key = key.to_owned();
        move |error: InvalidPattern| (key, error.to_string())
    };
    if let Some(path) = path {
        check_relative(path).map_err(|why| ("path".to_owned(), why))?;
        return path.parse().map(SubjectPattern::Path).map(Some).map_err(wrong("path"));
    }
    if let Some(host) = host {
        return host.parse().map(SubjectPattern::Host).map(Some).map_err(wrong("host"));
    }
    if let Some(argv) = argv {
        let pattern = ArgvPattern::new(argv.clone()).map_err(wrong("argv"))?;
        let runs = matches!(rule.decision, Decision::Allow | Decision::Notify);
        if runs && pattern.launches() {
            let why = "these words run another program, so the rule would never match; allow that one instead";
            return Err(("argv".to_owned(), why.to_owned()));
        }
        return Ok(Some(SubjectPattern::Argv(pattern)));
    }
    Ok(text.clone().map(SubjectPattern::Text))
}

/// Rejects an absolute path. Calls touch paths relative to a root, so an absolute path would match none of them.
fn check_relative(path: &str) -> Result<(), String> {
    if Path::new(path).is_absolute() || path.starts_with(is_separator) {
        let why = "a path starts at the folder of `files.roots` that has the file: leave out the part before it";
        return Err(why.to_owned());
    }
    Ok(())
}

/// Reports whether the rule matches a call that an example describes.
fn is_about(rule: &Rule, example: &ExampleConfig) -> Result<bool, String> {
    let of_tool = |subject| Ok(rule.matches(rule.tool.strip_suffix('*').unwrap_or(&rule.tool), &subject));
    match (&rule.subject, example) {
        (Some(SubjectPattern::Argv(_)), ExampleConfig::Words(words)) => of_tool(Subject::Argv(words.clone())),
        (Some(SubjectPattern::Argv(_)), ExampleConfig::Text(_)) => {
            Err("an example of a rule with `argv` is a list of words".to_owned())
        }
        (_, ExampleConfig::Words(_)) => Err("only examples of rules with `argv` are lists of words".to_owned()),
        (None, ExampleConfig::Text(tool)) => Ok(rule.matches(tool, &Subject::None)),
        (Some(SubjectPattern::Path(_)), ExampleConfig::Text(path)) => {
            check_relative(path)?;
            of_tool(Subject::Path(path.clone()))
        }
        (Some(SubjectPattern::Host(_)), ExampleConfig::Text(url)) if url.contains("://") => {
            of_tool(Subject::Url(url.clone()))
        }
        (Some(SubjectPattern::Host(_)), ExampleConfig::Text(host)) => of_tool(Subject::Url(format!("https://{host}/"))),
        (Some(SubjectPattern::Text(_)), ExampleConfig::Text(text)) => of_tool(Subject::Text(text.clone())),
    }
}

fn shown(example: &ExampleConfig) -> String {
    match example {
        ExampleConfig::Text(text) => format!("`{text}`"),
        ExampleConfig::Words(words) => format!("{words:?}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOOLS: &str = "command = [{ name = \"logs\" }]\nhttp = [{ name = \"ticket\" }]";

    #[test]
    fn a_rule_with_a_key_that_calls_of_its_tool_never_have_is_refused() {
        let tools: ToolsConfig = toml::from_str(TOOLS).unwrap();
        for (tool, of_calls) in [
            ("clock", None),
            ("calculator", None),
            ("ask_user", None),
            ("task", None),
            ("tool_search", None),
            ("read_file", Some("path")),
            ("search_files", Some("path")),
            ("edit_file", Some("path")),
            ("fetch_url", Some("host")),
            ("ticket", Some("host")),
            ("run_command", Some("argv")),
            ("logs", Some("argv")),
            ("read_skill", Some("text")),
        ] {
            for (key, value) in [("path", "\"a\""), ("host", "\"a.b\""), ("argv", "[\"a\"]"), ("text", "\"a\"")] {
                for decision in ["allow", "deny"] {
                    let rule = |tool: &str| {
                        toml::from_str(&format!("tool = \"{tool}\"\ndecision = \"{decision}\"\n{key} = {value}"))
                    };
                    let rest = match of_calls {
                        Some(known) if known == key => None,
                        Some(known) => Some(format!("rules about it can have `{known}`")),
                        None => Some("rules about it can have none of `path`, `host`, `argv` and `text`".to_owned()),
                    };
                    let refused = rest.map(|rest| {
                        let why = format!("calls of `{tool}` have no `{key}`, so the rule would never match; {rest}");
                        (key.to_owned(), why)
                    });
                    assert_eq!(read(&rule(tool).unwrap(), &tools).err(), refused, "{tool} {key} {decision}");
                    let of_many = read(&rule(&format!("{tool}*")).unwrap(), &tools);
                    assert!(of_many.is_ok(), "{tool}* {key} {decision}: {of_many:?}");
                }
            }
        }
    }
}
