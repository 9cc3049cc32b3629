//! Invalid configurations. Each is rejected with one line that names the location and a remedy.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::support::{Place, outcome};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    file: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default = "serve")]
    args: Vec<String>,
    says: Vec<String>,
    #[serde(default = "usage")]
    code: i32,
}

fn serve() -> Vec<String> {
    vec!["serve".to_owned()]
}

fn usage() -> i32 {
    2
}

#[tokio::test]
async fn an_invalid_configuration_is_rejected_in_one_line_that_shows_no_secret() {
    let Vectors { vector } = toml::from_str(include_str!("../vectors/configuration.toml")).unwrap();
    for Vector { name, file, env, args, says, code } in vector {
        let place = Place::new();
        if let Some(file) = file {
            place.write("turnkit.toml", &file);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let begun = Instant::now();
        let refused = outcome(place.command(&args).envs(env).spawn().unwrap()).await;
        assert!(begun.elapsed() < Duration::from_secs(1), "{name}: it took {:?}", begun.elapsed());
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(code), ""), "{name}: {refused:?}");
        let said: Vec<&str> = refused.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(said.len(), 1, "{name}: {refused:?}");
        for words in says {
            assert!(said[0].contains(&words), "{name}: {words:?} is not in {}", said[0]);
        }
        assert!(!refused.stderr.contains("hidden"), "{name}: {refused:?}");
        assert!(!place.has_data(), "{name}: nothing is made");
    }
}

#[tokio::test]
async fn a_folder_in_place_of_the_file_is_refused() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("turnkit.toml")).unwrap();
    for words in [&["chat", "-p", "Hello"][..], &["sessions", "ls"]] {
        let refused = place.run(words).await;
        let said = "error: turnkit.toml: is a folder, not a file\n";
        assert_eq!((refused.code, refused.stderr.as_str()), (Some(2), said));
    }
}

#[tokio::test]
async fn variables_without_effect_are_named_and_stop_nothing() {
    let place = Place::new();
    let variables = [("TURNKIT_SERVER_LISTEN", "hidden"), ("TURNKIT_MODELS", "hidden")];
    let listens = "the environment variable TURNKIT_SERVER_LISTEN has no effect; did you mean TURNKIT_SERVER__LISTEN?";
    let model = "the environment variable TURNKIT_MODELS has no effect; did you mean TURNKIT_MODEL?";
    for (words, is_told) in [(&["chat", "-p", "Hello"][..], true), (&["doctor"], true), (&["sessions", "ls"], false)] {
        let ended = outcome(place.command(words).envs(variables).spawn().unwrap()).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let told = format!("{}{}", ended.stdout, ended.stderr);
        assert_eq!((told.contains(listens), told.contains(model)), (is_told, is_told), "{words:?} {ended:?}");
        assert!(!told.contains("hidden"), "{ended:?}");
    }
}

/// Programs may be installed later, and a network may be private.
#[cfg(unix)]
#[tokio::test]
async fn tools_that_may_not_do_what_is_intended_are_named_at_the_start_and_by_doctor_and_stop_nothing() {
    let place = Place::new();
    std::fs::create_dir(place.path().join("work")).unwrap();
    place.write("work/text", "no program");
    let file = r#"[[agents]]
name = "a"
[tools.run_command]
roots = ["work"]
programs = ["sh", "nonesuch", "./text"]
[[tools.command]]
name = "gone"
run = ["/nonesuch"]
[[tools.command]]
name = "lost"
run = ["nonesuch", "sh"]
[[tools.command]]
name = "found"
run = ["sh"]
[[tools.http]]
name = "ticket"
url = "http://tickets.example.com/{id}?as={id}"
parameters = { properties = { id = {} }, required = ["id"] }
auth = { type = "bearer", token = "hidden" }
[[tools.http]]
name = "keyed"
url = "http://10.0.0.1/"
headers = { X-Api-Key = "hidden" }
[[tools.http]]
name = "open"
url = "http://tickets.example.com/"
headers = { accept = "text/plain" }
[[tools.http]]
name = "queried"
url = "http://tickets.example.com/?auth=hidden&keyId=7"
[[tools.http]]
name = "local"
url = "http://localhost:8080/"
auth = { type = "bearer", token = "hidden" }
"#;
    place.write("turnkit.toml", file);
    let unencrypted = "unencrypted; use https: unless you trust the network";
    let expected = [
        "turnkit.toml:3: tools.run_command has no effect: no agent names `run_command` in its `tools`".to_owned(),
        "turnkit.toml:5: tools.run_command.programs: there is no program `nonesuch` in PATH".to_owned(),
        "turnkit.toml:5: tools.run_command.programs: ./text is not an executable file".to_owned(),
        "turnkit.toml:8: tool `gone`: /nonesuch is not an executable file".to_owned(),
        "turnkit.toml:11: tool `lost`: there is no program `nonesuch` in PATH".to_owned(),
        format!("turnkit.toml:17: tool `ticket`: its credentials are sent to tickets.example.com {unencrypted}"),
        format!("turnkit.toml:22: tool `keyed`: its credentials are sent to 10.0.0.1 {unencrypted}"),
        format!("turnkit.toml:30: tool `queried`: its credentials are sent to tickets.example.com {unencrypted}"),
    ];
    for (words, is_told) in [(&["chat", "-p", "Hello"][..], true), (&["doctor"], true), (&["sessions", "ls"], false)] {
        let ended = outcome(place.command(words).env("PATH", "/usr/bin:/bin").spawn().unwrap()).await;
        assert_eq!(ended.code, Some(0), "{ended:?}");
        let told = format!("{}{}", ended.stdout, ended.stderr);
        let places: Vec<&str> = told.lines().filter(|line| line.contains("turnkit.toml:")).collect();
        assert_eq!(places.len(), if is_told { expected.len() } else { 0 }, "{words:?}: {told}");
        for warning in expected.iter().filter(|_| is_told) {
            assert!(places.iter().any(|line| line.contains(warning)), "{words:?}: {warning}: {told}");
        }
        assert!(!told.contains("hidden"), "{told}");
    }
}

/// A rule may name tools that do not exist yet.
#[tokio::test]
async fn a_pattern_that_matches_no_tool_is_no_mistake() {
    let place = Place::new();
    place.write("turnkit.toml", "[permissions]\nrules = [{ tool = \"tickets__*\", decision = \"ask\" }]\n");
    let answered = place.run(&["chat", "-p", "What is 1 + 1?"]).await;
    assert_eq!((answered.code, answered.stdout.as_str()), (Some(0), "1 + 1 is 2.\n"), "{answered:?}");
}
