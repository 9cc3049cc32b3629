//! Export and import of sessions, with and without a server.

use crate::support::Place;

#[tokio::test]
async fn a_session_goes_to_another_installation_as_a_file() {
    let (here, there) = (Place::new(), Place::new());
    here.run(&["chat", "-p", "--session", "trip", "What is 1 + 1?"]).await;
    let exported = here.run(&["sessions", "export", "trip"]).await;
    assert_eq!(exported.code, Some(0), "{exported:?}");
    assert!(exported.stdout.ends_with("{\"type\":\"end\",\"lines\":6}\n"), "{exported:?}");

    there.write("trip.jsonl", &exported.stdout);
    let imported = there.run(&["sessions", "import", "trip.jsonl"]).await;
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let id = imported.stdout.trim();
    assert!(imported.stderr.contains("imported 1 turn; continue with"), "{imported:?}");
    let [before, after] =
        [here.run(&["sessions", "show", "trip"]).await.stdout, there.run(&["sessions", "show", id]).await.stdout];
    assert_eq!(before, after);
    assert_eq!(there.run(&["chat", "-p", "--session", id, "What is 2 + 2?"]).await.stdout, "2 + 2 is 4.\n");
}

#[tokio::test]
async fn a_server_exports_and_imports_the_same() {
    let place = Place::new();
    place.run(&["chat", "-p", "--session", "trip", "What is 1 + 1?"]).await;
    let markdown = place.run(&["sessions", "export", "trip", "--format", "md"]).await.stdout;
    assert!(markdown.starts_with("# What is 1 + 1?\n\n## User\n") && markdown.ends_with("1 + 1 is 2.\n"), "{markdown}");
    let lines = place.run(&["sessions", "export", "trip"]).await.stdout;
    let server = place.serve().await;
    assert_eq!(place.run(&["sessions", "export", "trip"]).await.stdout, lines);
    assert_eq!(place.run(&["sessions", "export", "trip", "--format", "md"]).await.stdout, markdown);
    let imported = place.pipe(&["sessions", "import"], &lines).await;
    assert_eq!(imported.code, Some(0), "{imported:?}");
    let cut = place.pipe(&["sessions", "import"], lines.rsplit_once("{\"type\":\"end\"").unwrap().0).await;
    assert_eq!((cut.code, cut.stdout.as_str()), (Some(2), ""), "{cut:?}");
    assert!(cut.stderr.contains("line 7: the last line is missing: the export was cut"), "{cut:?}");
    assert_eq!(place.run(&["sessions", "ls"]).await.stdout.lines().count(), 2);
    server.stop().await;
}

#[tokio::test]
async fn a_truncated_export_is_reported_with_its_line_and_creates_nothing() {
    let place = Place::new();
    place.run(&["chat", "-p", "--session", "trip", "Hello"]).await;
    let lines = place.run(&["sessions", "export", "trip"]).await.stdout;
    let cut = place.pipe(&["sessions", "import"], &lines[..lines.len() - 10]).await;
    assert_eq!((cut.code, cut.stdout.as_str()), (Some(2), ""), "{cut:?}");
    assert!(cut.stderr.contains("line 5: invalid JSON"), "{cut:?}");
    assert_eq!(place.run(&["sessions", "ls"]).await.stdout.lines().count(), 1);
    assert_eq!(place.run(&["sessions", "import", "nowhere.jsonl"]).await.code, Some(2));
}
