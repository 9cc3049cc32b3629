//! The short spelling of a rule: `run_command(git status:*)`.

use super::schema::{RuleConfig, ToolsConfig};
use super::subject_kind::SubjectKind;

/// The suffix that marks a prefix.
const PREFIX: &str = ":*";

/// Characters that a shell would interpret. No shell reads the words of a rule.
const SHELL_CHARACTERS: &[char] = &['*', '?', ';', '|', '&', '<', '>', '(', ')', '$', '`', '\\', '"', '\''];

/// Returns the name of the tool in either spelling.
pub(super) fn tool_of(spelled: &str) -> &str {
    spelled.split_once('(').map_or(spelled, |(tool, _)| tool)
}

/// Returns the rule with `path`, `host`, `argv` or `text` instead of the short spelling, or `None` if it has no short
/// spelling. The error is a sentence about `tool`.
pub(super) fn written_out(rule: &RuleConfig, tools: &ToolsConfig) -> Result<Option<RuleConfig>, String> {
    let spelled = rule.tool.as_str();
    let Some((tool, rest)) = spelled.split_once('(') else { return Ok(None) };
    let Some(inside) = rest.strip_suffix(')') else {
        return Err(format!("`{spelled}` does not end with `)`; write it like `run_command(git status:*)`"));
    };
    let kind = kind_of(tool, tools).map_err(|why| format!("`{spelled}`: {why}"))?;
    let (inside, is_prefix) = inside.strip_suffix(PREFIX).map_or((inside, false), |inside| (inside, true));
    let inside = inside.trim();
    if inside.is_empty() {
        return Err(format!("`{spelled}` names nothing; write `{tool}` for all calls of the tool"));
    }
    let mut written = RuleConfig { tool: tool.to_owned(), ..rule.clone() };
    match kind {
        SubjectKind::Path => written.path = Some(inside.to_owned()),
        SubjectKind::Host if is_prefix => {
            return Err(format!(
                "`{spelled}`: a host has no prefix; write `{tool}({inside})`, or `{tool}(*.{inside})` for the hosts below it"
            ));
        }
        SubjectKind::Host => written.host = Some(inside.to_owned()),
        SubjectKind::Text if is_prefix => {
            return Err(format!("`{spelled}`: a name has no parts; write `{tool}({inside}*)` for names that begin so"));
        }
        SubjectKind::Text => written.text = Some(inside.to_owned()),
        SubjectKind::Argv => written.argv = Some(words(inside, is_prefix, spelled)?),
    }
    Ok(Some(written))
}

/// Returns the kind of resource that the calls of a tool touch, if a rule can restrict it. The error says why not, and
/// suggests a remedy.
fn kind_of(tool: &str, tools: &ToolsConfig) -> Result<SubjectKind, String> {
    if tool.ends_with('*') {
        let remedy = "name one tool, or write `path`, `host`, `argv` or `text` instead of the parentheses";
        return Err(format!("`{tool}` does not say what the calls touch; {remedy}"));
    }
    SubjectKind::for_tool(tool, tools).ok_or_else(|| {
        format!("calls of `{tool}` touch nothing that a rule could name; write `{tool}` for all of them")
    })
}

/// Returns the program and its first arguments. They are always a prefix: the spelling without `:*`, which means an
/// exact command line in other programs, would allow more than it says.
fn words(inside: &str, is_prefix: bool, spelled: &str) -> Result<Vec<String>, String> {
    if inside.contains(SHELL_CHARACTERS) {
        let remedy = "list the words in `argv`, and write one rule per program";
        return Err(format!("`{spelled}`: shell syntax is not interpreted; {remedy}"));
    }
    if !is_prefix {
        let tool = tool_of(spelled);
        return Err(format!("`{spelled}`: rules match by prefix; write `{tool}({inside}:*)`"));
    }
    Ok(inside.split_whitespace().map(str::to_owned).collect())
}

#[cfg(test)]
mod tests {
    use turnkit_core::Subject;
    use turnkit_engine::permission::Rule;

    use super::*;
    use crate::config::permission;

    const TOOLS: &str = "command = [{ name = \"logs\" }]\nhttp = [{ name = \"ticket\" }]";

    fn read(rule: &str) -> Result<Rule, String> {
        let (rule, tools) = (toml::from_str(rule).unwrap(), toml::from_str(TOOLS).unwrap());
        permission::read(&rule, &tools).map_err(|(key, why)| format!("{key}: {why}"))
    }

    #[test]
    fn a_short_spelling_is_the_rule_that_is_written_out() {
        for (short, tool, written_out) in [
            ("run_command(git status:*)", "run_command", r#"argv = ["git", "status"]"#),
            ("run_command( git   status :*)", "run_command", r#"argv = ["git", "status"]"#),
            ("logs(./logs.sh --service:*)", "logs", r#"argv = ["./logs.sh", "--service"]"#),
            ("read_file(src/:*)", "read_file", r#"path = "src/""#),
            ("write_file(a (1).txt)", "write_file", r#"path = "a (1).txt""#),
            ("edit_file(**/*.md)", "edit_file", r#"path = "**/*.md""#),
            ("fetch_url(docs.rs)", "fetch_url", r#"host = "docs.rs""#),
            ("ticket(*.example.com)", "ticket", r#"host = "*.example.com""#),
            ("read_skill(deploy*)", "read_skill", r#"text = "deploy*""#),
            ("clock", "clock", ""),
            ("read_*", "read_*", ""),
        ] {
            for decision in ["allow", "notify", "ask", "deny"] {
                let written_out = format!("tool = \"{tool}\"\ndecision = \"{decision}\"\n{written_out}");
                let short = format!("tool = \"{short}\"\ndecision = \"{decision}\"");
                assert_eq!(read(&short).unwrap(), read(&written_out).unwrap(), "{short}");
            }
        }
    }

    #[test]
    fn a_prefix_matches_whole_parts_of_a_subject_and_never_its_text() {
        let argv = |line: &str| Subject::Argv(line.split(' ').map(str::to_owned).collect());
        let path = |path: &str| Subject::Path(path.to_owned());
        let url = |url: &str| Subject::Url(url.to_owned());
        // The last two columns: does the rule match if it allows, and if it denies?
        for (rule, subject, allows, denies) in [
            ("run_command(git status:*)", argv("git status"), true, true),
            ("run_command(git status:*)", argv("git status -s"), true, true),
            // There is no shell, so git reads these words as file names.
            ("run_command(git status:*)", argv("git status ; rm -r ."), true, true),
            ("run_command(git status:*)", argv("git status; rm -r ."), false, false),
            ("run_command(git status:*)", argv("git statusx"), false, false),
            ("run_command(git status:*)", argv("git -c alias.status=!rm status"), false, false),
            ("run_command(git status:*)", argv("gitx status"), false, false),
            ("run_command(git:*)", argv("gitx"), false, false),
            ("run_command(git:*)", argv("git -c core.pager=rm log"), false, true),
            ("run_command(git status:*)", argv("/tmp/git status"), false, true),
            ("run_command(git status:*)", argv("GIT status"), false, true),
            ("run_command(git status:*)", argv("git"), false, false),
            ("run_command(git status:*)", argv("sh -c git status"), false, false),
            ("run_command(git status:*)", argv("env git status"), false, false),
            ("run_command(git status:*)", Subject::Argv(vec!["git status".to_owned()]), false, false),
            ("run_command(git status:*)", Subject::Argv(Vec::new()), false, false),
            ("run_command(git status:*)", Subject::Text("git status".to_owned()), false, false),
            ("read_file(src/:*)", path("src/main.rs"), true, true),
            ("read_file(src/:*)", path("src"), true, true),
            ("read_file(src/:*)", path("a/../src/./main.rs"), true, true),
            ("read_file(src/:*)", path("src/../etc"), false, false),
            ("read_file(src/:*)", path("src/../../src/a"), false, false),
            ("read_file(src/:*)", path("srcx/main.rs"), false, false),
            ("read_file(src/ma:*)", path("src/main.rs"), false, false),
            ("read_file(src/:*)", path("/src/main.rs"), false, false),
            ("read_file(src/:*)", path("SRC/main.rs"), false, true),
            ("fetch_url(docs.rs)", url("https://docs.rs/tokio"), true, true),
            ("fetch_url(docs.rs)", url("https://DOCS.rs.:443/tokio"), true, true),
            ("fetch_url(docs.rs)", url("https://docs.rs.evil.com/"), false, false),
            ("fetch_url(docs.rs)", url("https://evildocs.rs/"), false, false),
            ("fetch_url(docs.rs)", url("https://docs.rs@evil.com/"), false, false),
            ("fetch_url(docs.rs)", url("https://evil.com/docs.rs"), false, false),
            ("fetch_url(docs.rs)", url("https://a.docs.rs/"), false, false),
            ("fetch_url(*.docs.rs)", url("https://a.docs.rs/"), true, true),
            ("fetch_url(*.docs.rs)", url("https://adocs.rs/"), false, false),
        ] {
            for (decision, expected) in [("allow", allows), ("notify", allows), ("ask", denies), ("deny", denies)] {
                let read = read(&format!("tool = \"{rule}\"\ndecision = \"{decision}\"")).unwrap();
                assert_eq!(read.matches(tool_of(rule), &subject), expected, "{rule} {decision} {subject}");
                assert!(!read.matches("another_tool", &subject), "{rule}");
            }
        }
    }

    #[test]
    fn a_short_spelling_that_could_be_misread_is_rejected_with_a_remedy() {
        for (rule, message) in [
            (
                "run_command(git status)",
                "tool: `run_command(git status)`: rules match by prefix; write \
             `run_command(git status:*)`",
            ),
            (
                "run_command(git status; rm:*)",
                "tool: `run_command(git status; rm:*)`: shell syntax is not interpreted; list \
             the words in `argv`, and write one rule per program",
            ),
            (
                "run_command(git *)",
                "tool: `run_command(git *)`: shell syntax is not interpreted; list \
             the words in `argv`, and write one rule per program",
            ),
            (
                "run_command('git status':*)",
                "tool: `run_command('git status':*)`: shell syntax is not interpreted; list \
             the words in `argv`, and write one rule per program",
            ),
            (
                "run_command(sh -c:*)",
                "tool: `run_command(sh -c:*)`: these words run another program, so the rule would \
             never match; allow that one instead",
            ),
            (
                "run_command(git status:*",
                "tool: `run_command(git status:*` does not end with `)`; write it like \
             `run_command(git status:*)`",
            ),
            ("run_command()", "tool: `run_command()` names nothing; write `run_command` for all calls of the tool"),
            (
                "run_command( :*)",
                "tool: `run_command( :*)` names nothing; write `run_command` for all calls of the tool",
            ),
            (
                "read_*(src/:*)",
                "tool: `read_*(src/:*)`: `read_*` does not say what the calls touch; name one tool, or write \
             `path`, `host`, `argv` or `text` instead of the parentheses",
            ),
            (
                "clock(now)",
                "tool: `clock(now)`: calls of `clock` touch nothing that a rule could name; write `clock` for all \
             of them",
            ),
            (
                "read_file(../etc:*)",
                "tool: `read_file(../etc:*)`: a path must not be empty or lead out of its folder \
             with `..`",
            ),
            (
                "read_file(/etc/:*)",
                "tool: `read_file(/etc/:*)`: a path starts at the folder of `files.roots` that has the \
             file: leave out the part before it",
            ),
            (
                "fetch_url(docs.rs:*)",
                "tool: `fetch_url(docs.rs:*)`: a host has no prefix; write `fetch_url(docs.rs)`, or \
             `fetch_url(*.docs.rs)` for the hosts below it",
            ),
            (
                "fetch_url(https://docs.rs/)",
                "tool: `fetch_url(https://docs.rs/)`: `https://docs.rs/` is not a host; write a name \
             such as example.com or *.example.com",
            ),
            (
                "fetch_url(domain:docs.rs)",
                "tool: `fetch_url(domain:docs.rs)`: `domain:docs.rs` is not a host; write a name such \
             as example.com or *.example.com",
            ),
            (
                "read_skill(deploy:*)",
                "tool: `read_skill(deploy:*)`: a name has no parts; write `read_skill(deploy*)` for \
             names that begin so",
            ),
        ] {
            let read = read(&format!("tool = \"{rule}\"\ndecision = \"allow\""));
            assert_eq!(read.unwrap_err(), message, "{rule}");
        }
        let both = read("tool = \"read_file(src/:*)\"\npath = \"src\"\ndecision = \"allow\"");
        assert_eq!(both.unwrap_err(), "path: the rule has both `path` and a short spelling of it; keep one");
        assert!(read("tool = \"run_command(sh -c:*)\"\ndecision = \"deny\"").is_ok());
    }
}
