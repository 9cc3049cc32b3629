//! Tests of what rules match.

use turnkit_core::Subject;

use super::super::{ArgvPattern, Decision, HostPattern, PathPattern, Rule, SubjectPattern};

fn words(line: &str) -> Vec<String> {
    line.split(' ').map(str::to_owned).collect()
}

#[test]
fn a_path_is_a_file_or_a_folder_with_all_in_it_however_it_is_written() {
    for (pattern, path, allows, denies) in [
        ("src", "src", true, true),
        ("src", "src/main.rs", true, true),
        ("src", "./src//main.rs", true, true),
        ("src", "docs/../src/main.rs", true, true),
        ("src", "src/../secrets/key", false, false),
        ("src", "../src/main.rs", false, false),
        ("src", "srcs/main.rs", false, false),
        ("src", "/src/main.rs", false, false),
        ("src", "lib/src/main.rs", false, false),
        ("SRC", "src/main.rs", false, true),
        ("src/*.rs", "src/main.rs", true, true),
        ("src/*.rs", "src/main.rs.bak", false, false),
        ("src/*.rs", "src/bin/main.rs", false, false),
        ("**/*.env", "a/b/.env", true, true),
        ("**/*.env", ".env", true, true),
        ("**", "a/b", true, true),
        ("**", "../a", false, true),
        ("/etc", "/usr/../etc/passwd", true, true),
        ("/etc", "/../etc/passwd", true, true),
        ("a*b*c", "abxbc", true, true),
        ("a*b*c", "abxb", false, false),
    ] {
        let parsed: PathPattern = pattern.parse().unwrap();
        let found = (parsed.matches(path, false), parsed.matches(path, true));
        assert_eq!(found, (allows, denies), "{pattern} {path}");
    }
    for text in ["", "..", "a/../../b"] {
        assert!(text.parse::<PathPattern>().is_err(), "{text}");
    }
}

#[test]
fn a_host_is_compared_as_a_client_resolves_it() {
    for (pattern, url, matches) in [
        ("example.com", "https://example.com/a", true),
        ("example.com", "HTTPS://EXAMPLE.com.:8443/", true),
        ("example.com", "https://user@example.com/", true),
        ("example.com", "https://example.com@evil.org/", false),
        ("example.com", "https://docs.example.com/", false),
        ("example.com", "https://example.com.evil.org/", false),
        ("example.com", "https://evil.org/?example.com", false),
        ("example.com", "https://evil.org\\@example.com/", false),
        ("*.example.com", "https://docs.example.com/", true),
        ("*.example.com", "https://a.b.example.com/", true),
        ("*.example.com", "https://example.com/", false),
        ("*.example.com", "https://evilexample.com/", false),
        ("127.0.0.1", "http://0x7f.1/", true),
        ("127.0.0.1", "http://2130706433/", true),
        ("[::1]", "http://[0:0:0:0:0:0:0:1]/", true),
        ("münchen.de", "https://xn--mnchen-3ya.de/", true),
        ("example.com", "example.com", false),
    ] {
        let parsed: HostPattern = pattern.parse().unwrap();
        assert_eq!(parsed.matches(url), matches, "{pattern} {url}");
    }
    for text in ["", "*", "*.", "a*.com", "*.127.0.0.1", "https://example.com", "a b"] {
        assert!(text.parse::<HostPattern>().is_err(), "{text}");
    }
}

#[test]
fn a_rule_that_lets_programs_run_matches_none_that_runs_another() {
    for (pattern, argv, allows, denies) in [
        ("git status", "git status", true, true),
        ("git status", "git status --short", true, true),
        ("git status", "git statusx", false, false),
        ("git status", "git", false, false),
        ("git", "/usr/bin/git status", false, true),
        ("git", "./git status", false, true),
        ("git", "GIT status", false, true),
        ("git", "git -c core.pager=evil log", false, true),
        ("git", "git -ccore.pager=evil log", false, true),
        ("find", "find . -name x", true, true),
        ("find", "find . -exec rm x", false, true),
        ("find", "find . -execdir rm x", false, true),
        ("python3", "python3 tool.py", true, true),
        ("python3", "python3 -c evil", false, true),
        ("python3.12", "python3.12 -Ic evil", false, true),
        ("node", "node --eval=evil", false, true),
        ("env", "env git status", false, true),
        ("sh", "sh -c evil", false, true),
        ("bash", "/bin/bash script.sh", false, true),
        ("xargs", "xargs rm", false, true),
        ("rm", "rm -r x", true, true),
    ] {
        let (parsed, argv) = (ArgvPattern::new(words(pattern)).unwrap(), words(argv));
        assert_eq!((parsed.matches(&argv, false), parsed.matches(&argv, true)), (allows, denies), "{pattern} {argv:?}");
    }
    assert!(ArgvPattern::new(Vec::new()).is_err());
}

#[test]
fn a_rule_matches_the_tool_and_its_subject() {
    let text = |text: &str| Subject::Text(text.to_owned());
    let about =
        |tool: &str, pattern: &str| Rule::new(tool, Decision::Allow).touching(SubjectPattern::Text(pattern.to_owned()));
    for (rule, tool, subject, matches) in [
        (Rule::new("read", Decision::Allow), "read", text("a"), true),
        (Rule::new("read", Decision::Allow), "read_all", text("a"), false),
        (Rule::new("read*", Decision::Allow), "read_all", Subject::None, true),
        (about("*", "deploy"), "read", text("deploy"), true),
        (about("*", "deploy"), "read", text("deployed"), false),
        (about("*", "deploy*"), "read", text("deployed"), true),
        (about("*", "deploy"), "read", text("Deploy"), false),
        (Rule { decision: Decision::Deny, ..about("*", "deploy") }, "read", text("Deploy"), true),
        (about("*", "deploy"), "read", Subject::None, false),
        (about("*", "deploy"), "read", Subject::Path("deploy".to_owned()), false),
        (about("write", "deploy"), "read", text("deploy"), false),
    ] {
        assert_eq!(rule.matches(tool, &subject), matches, "{rule:?} {tool} {subject:?}");
    }
}
