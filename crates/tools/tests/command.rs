//! Tests of programs as tools.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]

use std::collections::BTreeMap;
use std::io::Read as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::time::timeout;
use turnkit_core::ports::{Tool as _, ToolContext};
use turnkit_core::{CallUid, RawJson, Session, SessionId, Subject, Timestamp, ToolDefinition, ToolError, TurnId};
use turnkit_tools::{CommandLine, CommandTool, LaunchSettings, Parameters, RunCommand};

const TEXTS: &str = r#"{"properties":{"a":{},"b":{},"c":{}},"required":["a"]}"#;

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

fn tool_in(folder: &Path, run: &[&str], stdin: Option<&str>) -> CommandTool {
    let parameters = Parameters::parse(TEXTS).unwrap();
    let line = CommandLine::parse(&words(run), stdin, &parameters).unwrap();
    let definition = ToolDefinition::new("tool", "", parameters.schema().get()).unwrap();
    let environment = [("PATH", "/usr/bin:/bin"), ("GREETING", "hello")];
    let environment = environment.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    CommandTool::new(definition, line, LaunchSettings { folder: folder.to_owned(), environment, launcher: Vec::new() })
}

fn tool(run: &[&str], stdin: Option<&str>) -> CommandTool {
    tool_in(Path::new("/"), run, stdin)
}

async fn call(tool: &CommandTool, arguments: &Value) -> Result<String, ToolError> {
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let arguments = RawJson::parse(&arguments.to_string()).unwrap();
    tool.call(&arguments, ToolContext::new(&session, uid)).await.map(|output| output.content)
}

fn subject(tool: &CommandTool, arguments: &Value) -> Result<Subject, ToolError> {
    tool.subject(&RawJson::parse(&arguments.to_string()).unwrap())
}

/// A program that prints the exact arguments it was started with.
const SHOW: &[&str] = &["/usr/bin/printf", "<%s>", "{a}", "fixed {b}", "{{c}}", "{b}", "{c}"];

#[tokio::test]
async fn each_placeholder_is_one_argument_whatever_is_in_it() {
    let show: Vec<&str> = SHOW.iter().copied().filter(|word| *word != "fixed {b}").collect();
    let tool = tool(&show, None);
    for (arguments, printed) in [
        (json!({ "a": "plain" }), "<plain><{c}>"),
        (
            json!({ "a": "two words; rm -rf / $(id) `id` | & > x", "b": "'\"" }),
            "<two words; rm -rf / $(id) `id` | & > x><{c}><'\">",
        ),
        (json!({ "a": "line\nbreak", "b": "{a}", "c": "*" }), "<line\nbreak><{c}><{a}><*>"),
        (json!({ "a": 1.5, "b": true, "c": null }), "<1.5><{c}><true>"),
        (json!({ "a": [1, "x"], "b": { "k": "v" } }), "<[1,\"x\"]><{c}><{\"k\":\"v\"}>"),
        (json!({ "a": "", "c": "ü" }), "<><{c}><ü>"),
    ] {
        assert_eq!(call(&tool, &arguments).await.as_deref(), Ok(printed), "{arguments}");
    }
}

#[tokio::test]
async fn a_value_that_would_be_an_option_is_refused_unless_options_have_ended() {
    let (open, ended) = (tool(&["cat", "{a}"], None), tool(&["printf", "--", "<%s>", "{a}"], None));
    for (value, why) in [
        (json!("-rf"), "`a` begins with `-`: the program would take it for an option"),
        (json!("--help"), "`a` begins with `-`: the program would take it for an option"),
        (json!("-"), "`a` begins with `-`: the program would take it for an option"),
        (json!(-1), "`a` begins with `-`: the program would take it for an option"),
        (json!("-\n"), "`a` begins with `-`: the program would take it for an option"),
        (json!("x\0y"), "`a` holds a NUL character, which no argument of a program can hold"),
    ] {
        let arguments = json!({ "a": value });
        let expected = ToolError::InvalidArguments(why.to_owned());
        assert_eq!(subject(&open, &arguments), Err(expected.clone()), "{value}");
        assert_eq!(call(&open, &arguments).await, Err(expected), "{value}");
        let printed = call(&ended, &arguments).await;
        assert_eq!(printed.is_ok(), !why.contains("NUL"), "{value}: {printed:?}");
    }
    assert_eq!(call(&ended, &json!({ "a": "-rf" })).await.as_deref(), Ok("<-rf>"));
}

#[tokio::test]
async fn a_required_argument_is_not_left_out_and_an_unknown_one_not_ignored() {
    let tool = tool(&["printf", "<%s>", "-o", "{a}", "{b}"], None);
    for (arguments, why) in [
        (json!({ "a": null }), "`a` is required: it cannot be absent or null"),
        (json!({ "b": "x" }), "`a` is required: it cannot be absent or null"),
        (json!({ "a": "x", "d": "y" }), "`d` is not a parameter of this tool; the parameters are a, b, c"),
    ] {
        let refused = ToolError::InvalidArguments(why.to_owned());
        assert_eq!(call(&tool, &arguments).await, Err(refused.clone()), "{arguments}");
        assert_eq!(subject(&tool, &arguments), Err(refused), "{arguments}");
    }
    assert_eq!(call(&tool, &json!({ "a": "x", "b": null })).await.as_deref(), Ok("<-o><x>"));
}

#[tokio::test]
async fn rules_and_people_see_the_words_that_run() {
    let tool = tool(&["git", "log", "--", "{a}", "{b}"], Some("{c}\n"));
    let arguments = json!({ "a": "-x y", "c": "text" });
    assert_eq!(subject(&tool, &arguments), Ok(Subject::Argv(words(&["git", "log", "--", "-x y"]))));
    let preview = |arguments: &Value| tool.preview(&RawJson::parse(&arguments.to_string()).unwrap());
    assert_eq!(preview(&arguments).as_deref(), Some("git log -- '-x y'\ntext\n"));
    let granted = |arguments: &Value| tool.grant_subject(&RawJson::parse(&arguments.to_string()).unwrap());
    assert_eq!(granted(&arguments), Ok(Subject::Text("git log -- '-x y'\ntext\n".to_owned())), "what it reads, too");
    assert_eq!(granted(&json!({ "a": "x" })), Ok(Subject::Argv(words(&["git", "log", "--", "x"]))));
    assert_eq!(preview(&json!({ "a": "b\nrm -rf /" })).as_deref(), Some(r"git log -- $'b\nrm -rf /'"));
}

#[test]
fn an_approval_is_about_the_program_that_the_operator_wrote() {
    let fingerprint = |tool: CommandTool| tool.definition().fingerprint.unwrap();
    let of = |run: &[&str], stdin| fingerprint(tool(run, stdin));
    let with = |name: &str, value: &str, launcher: &str| {
        let line = CommandLine::parse(&words(&["pay", "{a}"]), None, &Parameters::parse(TEXTS).unwrap()).unwrap();
        let environment = [(name.to_owned(), value.to_owned())].into();
        let launch = LaunchSettings { folder: "/".into(), environment, launcher: vec![launcher.into()] };
        fingerprint(CommandTool::new(ToolDefinition::new("tool", "", TEXTS).unwrap(), line, launch))
    };
    let all = [
        of(&["pay", "{a}"], None),
        of(&["pay", "{{a}}"], None),
        of(&["steal", "{a}"], None),
        of(&["pay", "{a}"], Some("")),
        of(&["pay", "{a}"], Some("{b}")),
        fingerprint(tool_in(Path::new("/usr"), &["pay", "{a}"], None)),
        with("TOKEN", "old", "x"),
        with("OTHER", "old", "x"),
    ];
    for (index, one) in all.iter().enumerate() {
        assert!(!all[..index].contains(one), "{index}");
    }
    assert_eq!(of(&["pay", "{a}"], None), all[0]);
    assert_eq!(
        with("TOKEN", "new", "y"),
        all[6],
        "neither a secret nor what a launcher is told changes what the tool does"
    );
}

#[test]
fn an_approval_of_a_program_that_the_model_chose_is_about_its_folder_too() {
    let launch = || LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
    let tool = |root: &str| RunCommand::new(vec![root.into()], None, launch());
    let granted =
        |arguments: Value| tool("/a").grant_subject(&RawJson::parse(&arguments.to_string()).unwrap()).unwrap();
    let make = json!({ "program": "make" });
    assert_eq!(granted(make.clone()), Subject::Argv(words(&["make"])));
    assert_eq!(granted(json!({ "program": "make", "cwd": " " })), granted(make));
    assert_eq!(granted(json!({ "program": "make", "cwd": "x y" })), Subject::Text("make\nin 'x y'".to_owned()));
    assert_ne!(tool("/a").definition().fingerprint, tool("/b").definition().fingerprint);
}

#[test]
fn a_model_knows_the_folders_and_the_programs_that_it_may_use() {
    let launch = || LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() };
    let described = |programs: Option<&[&str]>| {
        let tool = RunCommand::new(vec!["/a".into(), "/b".into()], programs.map(words), launch());
        tool.definition().description.clone()
    };
    let (any, some) = (described(None), described(Some(&["git", "make"][..])));
    assert!(any.contains("the user's folders, which are /a, /b,") && !any.contains("programs:"), "{any}");
    assert!(some.ends_with(" It runs only these programs: git, make."), "{some}");
}

#[tokio::test]
async fn a_program_that_is_not_there_does_not_count_as_one_that_failed() {
    let folder = TempDir::new().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let environment: BTreeMap<_, _> = [("PATH".to_owned(), "/usr/bin:/bin".to_owned())].into();
    // Like the launcher of the sandbox, `env` reports a missing program as its own failure.
    let launch = LaunchSettings { folder: root.clone(), environment, launcher: vec!["/usr/bin/env".into()] };
    let tool = RunCommand::new(vec![root], None, launch);
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    for (program, expected) in [
        ("no-such-program", Err("the program `no-such-program` cannot be started: not found")),
        ("./no-such-program", Err("the program `./no-such-program` cannot be started: not found")),
        ("false", Err("exit status: 1: it wrote nothing")),
        ("true", Ok("it wrote nothing")),
    ] {
        let arguments = RawJson::parse(&json!({ "program": program }).to_string()).unwrap();
        let ran = tool.call(&arguments, ToolContext::new(&session, uid)).await;
        let ran = ran.map(|output| output.content).map_err(|error| error.to_string());
        assert_eq!(ran.as_deref().map_err(String::as_str), expected, "{program}");
    }
}

#[test]
fn a_command_line_that_cannot_be_used_names_the_word() {
    let parameters = Parameters::parse(TEXTS).unwrap();
    for (run, stdin, key, why) in [
        (&[][..], None, "run", "expected a list of words, the first of which is the program"),
        (&[" "], None, "run", "expected a list of words, the first of which is the program"),
        (&["{a}"], None, "run.0", "the program is fixed: a placeholder can only be an argument"),
        (&["bin/{a}"], None, "run.0", "the program is fixed: a placeholder can only be an argument"),
        (&["ls", "x\0"], None, "run.1", "no argument can hold a NUL character"),
        (
            &["ls", "-l", "--name={a}"],
            None,
            "run.2",
            "a placeholder is a whole argument: write it as a word of its own",
        ),
        (
            &["ls", "{d}"],
            None,
            "run.1",
            "`{d}` is the placeholder of no parameter; the parameters are a, b, c; `{{d}}` is the text itself",
        ),
        (
            &["ls", "-n", "{b}"],
            None,
            "run.2",
            "without the optional `{b}`, `-n` may have no value: make it `required`, or put `--` before it",
        ),
        (
            &["cat"],
            Some("{a} {d}"),
            "stdin",
            "`{d}` is the placeholder of no parameter; the parameters are a, b, c; `{{d}}` is the text itself",
        ),
    ] {
        let error = CommandLine::parse(&words(run), stdin, &parameters).unwrap_err();
        assert_eq!((error.key.as_str(), error.reason.as_str()), (key, why), "{run:?}");
    }
    for run in [&["ls", "-n", "{a}"][..], &["ls", "-n", "--", "{b}"], &["ls", "{}", "{x y}", "{{d}}"]] {
        CommandLine::parse(&words(run), None, &parameters).unwrap();
    }
}

#[tokio::test]
async fn a_program_has_its_own_environment_folder_and_input() {
    let folder = TempDir::new().unwrap();
    std::fs::write(folder.path().join("here.sh"), "#!/bin/sh\necho here in $(pwd)\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(folder.path().join("here.sh"), mode).unwrap();
    let path = folder.path().canonicalize().unwrap();
    let mut environment: Vec<String> =
        call(&tool(&["env"], None), &json!({ "a": "" })).await.unwrap().lines().map(str::to_owned).collect();
    environment.sort();
    assert_eq!(environment.len(), 3, "{environment:?}");
    assert_eq!(environment[..2], ["GREETING=hello", "PATH=/usr/bin:/bin"]);
    assert!(environment[2].starts_with("TURNKIT_CALL="), "{environment:?}");
    let here = tool_in(&path, &["./here.sh"], None);
    assert_eq!(call(&here, &json!({ "a": "" })).await, Ok(format!("here in {}\n", path.display())));
    for (stdin, arguments, read) in [
        (None, json!({ "a": "x" }), ""),
        (Some("Dear {a}: {{b}}"), json!({ "a": "x\0y" }), "Dear x\0y: {b}"),
        (Some("{a}{b}"), json!({ "a": "x" }), ""),
        (Some("{a}"), json!({ "a": "long ".repeat(100_000) }), &"long ".repeat(100_000)),
    ] {
        assert_eq!(call(&tool(&["cat"], stdin), &arguments).await.as_deref(), Ok(read), "{stdin:?}");
    }
    let unread = call(&tool(&["true"], Some("{a}")), &json!({ "a": "long ".repeat(1_000_000) })).await;
    assert_eq!(unread.as_deref(), Ok(""));
}

#[tokio::test]
async fn a_program_that_fails_reports_the_reason() {
    let long = format!("printf '%0{}d' 0; printf end; exit 1", 10_000);
    for (run, why) in [
        (&["sh", "-c", "echo out; echo err >&2; exit 3"][..], "exit status: 3: err"),
        (&["sh", "-c", "echo out; exit 3"], "exit status: 3: out"),
        (&["sh", "-c", "exit 1"], "exit status: 1: it wrote nothing"),
        (&["sh", "-c", "kill -9 $$"], "signal: 9 (SIGKILL): it wrote nothing"),
        (&["no-such-program"], "`no-such-program` cannot be started: No such file or directory (os error 2)"),
        (&["/etc"], "`/etc` cannot be started: Permission denied (os error 13)"),
    ] {
        let failed = call(&tool(run, None), &json!({ "a": "" })).await;
        assert_eq!(failed, Err(ToolError::Failed(why.to_owned())), "{run:?}");
    }
    let Err(ToolError::Failed(why)) = call(&tool(&["sh", "-c", &long], None), &json!({ "a": "" })).await else {
        unreachable!("it failed")
    };
    assert!(why.ends_with("00end") && why.chars().count() == 4_000 + "exit status: 1: ".len(), "{}", why.len());
}

#[tokio::test]
async fn the_output_of_a_program_is_bounded_and_need_not_be_text() {
    let flood = "head -c 30000000 /dev/zero | tr '\\0' x; head -c 30000000 /dev/zero >&2";
    let text = call(&tool(&["sh", "-c", flood], None), &json!({ "a": "" })).await.unwrap();
    assert_eq!(
        text.len(),
        10 * 1024 * 1024 + "\n[the output is longer than 10485760 bytes; the rest is left out]".len()
    );
    let bytes = call(&tool(&["printf", "a\\377b"], None), &json!({ "a": "" })).await;
    assert_eq!(bytes.as_deref(), Ok("a\u{fffd}b"));
}

/// Starts a program that starts another one. Both hold the write end of a pipe, so reading the pipe ends when both have
/// ended.
fn holding_a_pipe(folder: &Path, script: &str) -> (CommandTool, std::thread::JoinHandle<String>) {
    let pipe = folder.join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reading = std::thread::spawn(move || {
        let mut read = String::new();
        std::fs::File::open(pipe).unwrap().read_to_string(&mut read).unwrap();
        read
    });
    (tool_in(folder, &["sh", "-c", script], None), reading)
}

#[tokio::test]
async fn a_dropped_call_ends_the_program_and_its_children() {
    let folder = TempDir::new().unwrap();
    let script = "sh -c 'echo child; touch started; sleep 1000; echo late' > pipe & wait";
    let (tool, reading) = holding_a_pipe(folder.path(), script);
    let started = async {
        while !folder.path().join("started").exists() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let arguments = json!({ "a": "" });
    tokio::select! {
        ended = call(&tool, &arguments) => unreachable!("it waits: {ended:?}"),
        () = started => {}
    }
    // The pipe ends with its last writer.
    assert_eq!(reading.join().unwrap(), "child\n");
}

#[tokio::test]
async fn processes_that_a_program_leaves_behind_end_with_it() {
    let folder = TempDir::new().unwrap();
    let script = "sh -c 'echo child; touch started; sleep 1000' > pipe & while ! [ -e started ]; do :; done; echo done";
    let (tool, reading) = holding_a_pipe(folder.path(), script);
    let ended = timeout(Duration::from_secs(20), call(&tool, &json!({ "a": "" }))).await.unwrap();
    assert_eq!(ended.as_deref(), Ok("done\n"));
    // The pipe ends with its last writer.
    assert_eq!(reading.join().unwrap(), "child\n");
}

/// A process that has left the group may keep the streams open. The call ends all the same.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_process_that_has_left_the_group_holds_up_no_call() {
    let folder = TempDir::new().unwrap();
    // It ends by itself once the test opens the pipe.
    let script = "mkfifo pipe; setsid sh -c 'echo > left; cat pipe' & while ! [ -s left ]; do :; done; echo done";
    let tool = tool_in(folder.path(), &["sh", "-c", script], None);
    let ended = timeout(Duration::from_secs(20), call(&tool, &json!({ "a": "" }))).await.unwrap();
    assert_eq!(ended.as_deref(), Ok("done\n"));
    drop(std::fs::OpenOptions::new().write(true).open(folder.path().join("pipe")).unwrap());
}
