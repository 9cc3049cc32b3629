//! The location of the data.

use std::fs;

use crate::support::{Outcome, Place, outcome};

/// Sends a message in the session `trip`, from a folder of this place, with these arguments and variables.
async fn asked(place: &Place, folder: &str, words: &[&str], variables: &[(&str, &str)]) -> Outcome {
    let folder = place.path().join(folder);
    fs::create_dir_all(&folder).unwrap();
    let words = [&["chat", "-p", "--session", "trip", "Hello"][..], words].concat();
    let asked =
        outcome(place.command(&words).current_dir(folder).envs(variables.iter().copied()).spawn().unwrap()).await;
    assert_eq!(asked.code, Some(0), "{asked:?}");
    asked
}

#[tokio::test]
async fn without_a_configuration_file_a_session_continues_from_any_folder() {
    let place = Place::new();
    for folder in ["here", "there"] {
        let asked = asked(&place, folder, &[], &[]).await;
        assert!(!asked.stderr.contains("./data"), "{asked:?}");
        assert_eq!(fs::read_dir(place.path().join(folder)).unwrap().count(), 0, "{folder}");
    }
    assert!(place.data_of_user().join("turnkit.db").is_file());
    let session = place.last_session().await;
    let shown = place.run(&["sessions", "show", &session]).await.stdout;
    assert_eq!(shown.matches("> Hello\n").count(), 2, "{shown}");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_users_data_folder_is_the_one_of_xdg() {
    let place = Place::new();
    let elsewhere = place.path().join("elsewhere");
    for (variable, expected) in [
        (elsewhere.to_str().unwrap(), elsewhere.join("turnkit")),
        ("", place.data_of_user()),
        ("relative", place.data_of_user()),
    ] {
        asked(&place, "here", &[], &[("XDG_DATA_HOME", variable)]).await;
        assert!(expected.join("turnkit.db").is_file(), "{variable:?}");
        fs::remove_dir_all(expected).unwrap();
    }
    assert_eq!(fs::read_dir(place.path().join("here")).unwrap().count(), 0);
}

#[tokio::test]
async fn with_a_configuration_file_data_lives_beside_it() {
    let place = Place::new();
    place.write("turnkit.toml", "");
    asked(&place, "here", &["--config", "../turnkit.toml"], &[]).await;
    assert!(place.path().join("data/turnkit.db").is_file());
    assert!(!place.data_of_user().exists());
}

#[tokio::test]
async fn a_new_configuration_file_names_the_folder_of_earlier_sessions_until_its_own_has_data() {
    let place = Place::new();
    asked(&place, "here", &[], &[]).await;
    place.write("here/turnkit.toml", "");
    let notice = format!(
        "data is stored in data, beside the configuration file; earlier sessions stay in {}, which --data selects\n",
        place.data_of_user().display()
    );
    let run = async |words: &[&str]| {
        outcome(place.command(words).current_dir(place.path().join("here")).spawn().unwrap()).await
    };
    for (words, told) in [
        (&["sessions", "ls"][..], true),
        (&["doctor"], true),
        (&["sessions", "ls", "--data", "other"], false),
        (&["chat", "-p", "Hello"], true),
        (&["chat", "-p", "Hello"], false),
        (&["sessions", "ls"], false),
    ] {
        let ended = run(words).await;
        assert_eq!([&ended.stderr, &ended.stdout].iter().any(|text| text.contains(notice.trim())), told, "{ended:?}");
    }
    let earlier = run(&["sessions", "ls", "--data", place.data_of_user().to_str().unwrap()]).await;
    assert!(earlier.stdout.contains("(trip)"), "{earlier:?}");
}

#[tokio::test]
async fn data_of_an_earlier_version_in_the_current_folder_is_used_with_a_notice() {
    let place = Place::new();
    asked(&place, "here", &["--data", "data"], &[]).await;
    let notice = format!(
        "the data in ./data is used, because it exists; without it, data lives in {}\n",
        place.data_of_user().display()
    );
    for (words, variables, told) in [
        (&[][..], &[][..], true),
        (&["--data", "other"], &[], false),
        (&[], &[("TURNKIT_STORE__URL", "sqlite:third/turnkit.db")], false),
    ] {
        let asked = asked(&place, "here", words, variables).await;
        assert_eq!(asked.stderr.contains(&notice), told, "{words:?} {asked:?}");
    }
    assert!(!place.data_of_user().exists());
    let run = async |words: &[&str]| {
        outcome(place.command(words).current_dir(place.path().join("here")).spawn().unwrap()).await
    };
    for (words, told) in [
        (&["sessions", "ls"][..], true),
        (&["turns", "ls"], true),
        (&["usage"], true),
        (&["keys", "ls"], true),
        (&["keys", "create", "ada"], true),
        (&["sessions", "ls", "--data", "data"], false),
    ] {
        let ended = run(words).await;
        assert_eq!((ended.code, ended.stderr.matches(&notice).count()), (Some(0), usize::from(told)), "{ended:?}");
        assert!(!ended.stdout.contains("./data"), "{ended:?}");
    }
    assert_eq!(run(&["sessions", "ls"]).await.stdout.lines().count(), 1);
}
