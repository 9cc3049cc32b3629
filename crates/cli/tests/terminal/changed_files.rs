//! Files that a model changes, subject to decisions at the terminal.

use serde_json::json;
use turnkit_testkit::{FakeUpstream, Response};

use crate::prompt::Terminal;
use crate::support::Place;

const QUESTION: &str = "[a]pprove, for the [s]ession, al[w]ays, [e]dit, [d]eny: ";

/// Returns a model that writes each of these files and then the text `done`.
async fn writing(paths: &[&str]) -> FakeUpstream {
    let script = paths.iter().flat_map(|path| {
        let arguments = json!({ "path": path, "content": format!("for {path}\n") }).to_string();
        [Response::calls(&[("c1", "write_file", &arguments)]), Response::text("done")]
    });
    FakeUpstream::start(script).await.unwrap()
}

#[tokio::test]
async fn a_person_sees_the_difference_and_grants_for_always_one_file_of_one_folder() {
    let other = Place::new();
    let (first, second) = (other.path().join("first"), other.path().join("second"));
    [&first, &second].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    other.write("second/notes.md", "Buy milk\n");
    let (first, second) = (first.canonicalize().unwrap(), second.canonicalize().unwrap());
    let (in_first, in_second) = (first.join("notes.md"), second.join("notes.md"));
    let upstream = writing(&["notes.md", in_second.to_str().unwrap(), in_first.to_str().unwrap(), "notes.md"]).await;
    let place = Place::asking(&upstream);
    let configuration = std::fs::read_to_string(place.path().join("turnkit.toml")).unwrap();
    let tools = "[[agents]]\nname = \"main\"\ntools = [\"write_file\"]\n";
    let roots = format!("[files]\nroots = [{:?}, {:?}]\n", first, second);
    place.write("turnkit.toml", &format!("{configuration}{tools}{roots}"));

    let mut terminal = Terminal::start(&place, &["chat"]);
    terminal.enter("one", QUESTION).await;
    let shown = terminal.shown().replace('\r', "");
    let preview = format!("  replaces {}\n  @@ -1 +1 @@\n  -Buy milk\n  +for notes.md\n", in_second.display());
    assert!(shown.contains(&preview), "{shown}");
    terminal.enter("w", "done").await;
    // The same file under another path.
    terminal.enter("two", "done").await;
    assert!(!terminal.shown().contains(QUESTION), "{}", terminal.shown());
    // Another file, under a path that named the first file in its folder.
    terminal.enter("three", QUESTION).await;
    terminal.enter("a", "done").await;
    // The relative path now leads to that file.
    terminal.enter("four", QUESTION).await;
    terminal.enter("d not now", "done").await;
    terminal.leave().await;
    let text = |file| std::fs::read_to_string(file).unwrap();
    assert_eq!(text(&in_second), format!("for {}\n", in_second.display()));
    assert_eq!(text(&in_first), format!("for {}\n", in_first.display()));
}
