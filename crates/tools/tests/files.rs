//! Tests of the file tools, called as the engine calls them.
#![expect(clippy::unwrap_used, reason = "a missing answer fails the test")]

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use turnkit_core::ports::ToolContext;
use turnkit_core::{CallUid, RawJson, Session, SessionId, Subject, Timestamp, ToolError, TurnId};
use turnkit_files::Roots;
use turnkit_tools::{FILE_TOOLS, file_tools};

async fn call(roots: &Arc<Roots>, name: &str, arguments: &str) -> Result<String, String> {
    let tools = file_tools(roots);
    let tool = tools.iter().find(|tool| tool.definition().name == name).unwrap();
    let session = Session::new(SessionId::default(), "test", Timestamp::default());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let arguments = RawJson::parse(arguments).unwrap();
    let output = tool.call(&arguments, ToolContext::new(&session, uid)).await;
    output.map(|output| output.content).map_err(|error| error.to_string())
}

fn roots(folders: &[&Path]) -> Arc<Roots> {
    Arc::new(folders.iter().fold(Roots::default(), |roots, folder| roots.with(folder).unwrap()))
}

#[tokio::test]
async fn files_are_written_read_edited_listed_and_searched() {
    let folder = tempfile::tempdir().unwrap();
    let roots = roots(&[folder.path()]);
    for (name, arguments, expected) in [
        ("list_files", "{}", Ok("(empty)")),
        ("write_file", r#"{"path":"a/b.md","content":"one\ntwo\n"}"#, Ok("created `a/b.md`: 8 bytes")),
        ("write_file", r#"{"path":"a/b.md","content":"one\ntwo\nthree\n"}"#, Ok("replaced `a/b.md`: 14 bytes")),
        (
            "read_file",
            r#"{"path":"a/b.md","offset":2,"limit":1}"#,
            Ok("two\n[lines 2 to 2 of 3; read on with offset 3]"),
        ),
        ("edit_file", r#"{"path":"a/b.md","old":"two","new":"2"}"#, Ok("edited `a/b.md` from line 2 on")),
        ("read_file", r#"{"path":"a/b.md"}"#, Ok("one\n2\nthree\n")),
        ("write_file", r#"{"path":"a/c.md","content":"a\na b\n"}"#, Ok("created `a/c.md`: 6 bytes")),
        (
            "edit_file",
            r#"{"path":"a/c.md","old":"a","new":"c","all":true}"#,
            Ok("edited `a/c.md` in 2 places, from line 1 on"),
        ),
        (
            "edit_file",
            r#"{"path":"a/c.md","old":"b","new":"d","all":true}"#,
            Ok("edited `a/c.md` in 1 place, from line 2 on"),
        ),
        ("list_files", "{}", Ok("a/\n  b.md\n  c.md")),
        ("search_files", r#"{"pattern":"^t"}"#, Ok("a/b.md:3: three")),
        ("search_files", r#"{"pattern":"^t","path":"a"}"#, Ok("a/b.md:3: three")),
        ("search_files", r#"{"pattern":"^t","suffix":".rs"}"#, Ok("no line matches")),
        ("read_file", r#"{"path":"c"}"#, Err("`c`: not found in any folder of `files.roots`")),
        ("read_file", r#"{"path":"a"}"#, Err("`a`: is a folder")),
        ("edit_file", r#"{"path":"c","old":"a","new":"b"}"#, Err("`c`: not found in any folder of `files.roots`")),
        ("write_file", r#"{"path":"../c","content":""}"#, Err("`../c`: must not contain `..`")),
        (
            "write_file",
            r#"{"path":".env","content":""}"#,
            Err("`.env`: access denied: files such as .git and .env, and the server's own files, are never read or \
                 written"),
        ),
        (
            "list_files",
            r#"{"path":"a/b.md"}"#,
            Err("invalid arguments: `a/b.md`: is a file: name a folder, or read it with read_file"),
        ),
        (
            "search_files",
            r#"{"pattern":"^t","path":"a/b.md"}"#,
            Err("invalid arguments: `a/b.md`: is a file: name a folder, or read it with read_file"),
        ),
        ("list_files", r#"{"path":"a/b.md/c"}"#, Err("`a/b.md/c`: a component of the path is not a folder")),
        (
            "read_file",
            r#"{"path":"a/b.md","offset":4}"#,
            Err("invalid arguments: `a/b.md`: there is no line 4; the file has 3 lines"),
        ),
        ("write_file", r#"{"path":"one","content":"1"}"#, Ok("created `one`: 1 byte")),
        (
            "read_file",
            r#"{"path":"one","offset":2}"#,
            Err("invalid arguments: `one`: there is no line 2; the file has 1 line"),
        ),
        ("search_files", r#"{"pattern":""}"#, Err("invalid arguments: `pattern` is empty")),
    ] {
        let answer = call(&roots, name, arguments).await;
        assert_eq!(answer.as_deref().map_err(String::as_str), expected, "{name} {arguments}");
    }
    let error = call(&roots, "search_files", r#"{"pattern":"("}"#).await.unwrap_err();
    assert!(error.starts_with("invalid arguments: `pattern` is not a regular expression: "), "{error}");
    let error = call(&roots, "read_file", r#"{"file":"a"}"#).await.unwrap_err();
    assert!(error.contains("unknown field `file`, expected one of `path`, `offset`, `limit`"), "{error}");
}

#[tokio::test]
async fn several_folders_are_listed_and_searched_with_their_paths() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    for folder in [&first, &second] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("a.md"), "needle").unwrap();
    }
    let roots = roots(&[&first, &second]);
    let (first, second) = (first.display(), second.display());
    let listed = call(&roots, "list_files", "{}").await.unwrap();
    assert_eq!(listed, format!("{first}/\n  a.md\n{second}/\n  a.md"));
    let found = call(&roots, "search_files", r#"{"pattern":"need"}"#).await.unwrap();
    assert_eq!(found, format!("{first}/a.md:1: needle\n{second}/a.md:1: needle"));
    let read = call(&roots, "read_file", &format!(r#"{{"path":"{second}/a.md"}}"#)).await;
    assert_eq!(read.as_deref(), Ok("needle"));
}

#[tokio::test]
async fn a_folder_written_with_dots_is_listed_and_searched_alone_and_with_others() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["project", "handbook"] {
        std::fs::create_dir(at(name)).unwrap();
        std::fs::write(at(name).join("a.md"), "needle").unwrap();
    }
    let written = at("project/../handbook");
    let alone = roots(&[&written]);
    assert_eq!(call(&alone, "list_files", "{}").await.as_deref(), Ok("a.md"));
    assert_eq!(call(&alone, "search_files", r#"{"pattern":"need"}"#).await.as_deref(), Ok("a.md:1: needle"));

    let both = roots(&[&at("project"), &written]);
    let (first, second) = (at("project"), at("handbook").canonicalize().unwrap());
    let (first, second) = (first.display(), second.display());
    let listed = call(&both, "list_files", "{}").await.unwrap();
    assert_eq!(listed, format!("{first}/\n  a.md\n{second}/\n  a.md"));
    let found = call(&both, "search_files", r#"{"pattern":"need"}"#).await.unwrap();
    assert_eq!(found, format!("{first}/a.md:1: needle\n{second}/a.md:1: needle"));
    // A displayed path can be passed to another call.
    let read = call(&both, "read_file", &format!(r#"{{"path":"{second}/a.md"}}"#)).await;
    assert_eq!(read.as_deref(), Ok("needle"));
    let listed = call(&both, "list_files", &format!(r#"{{"path":"{second}"}}"#)).await;
    assert_eq!(listed.as_deref(), Ok("a.md"));
}

#[tokio::test]
async fn a_search_lists_the_files_it_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for name in ["first", "second"] {
        std::fs::create_dir(at(name)).unwrap();
        std::fs::write(at(name).join("photo.jpg"), [0xff, 0xd8]).unwrap();
    }
    std::fs::write(at("first/a.md"), "needle").unwrap();
    std::fs::File::create(at("first/large.log")).unwrap().set_len(5 * 1024 * 1024).unwrap();
    let (one, both) = (roots(&[&at("first")]), roots(&[&at("first"), &at("second")]));
    let first = at("first");
    let first = first.display();
    let large = "[1 file was not searched: over 4 MiB]";
    for (roots, arguments, expected) in [
        (&one, r#"{"pattern":"e","suffix":".md"}"#, "a.md:1: needle".to_owned()),
        (&one, r#"{"pattern":"e"}"#, format!("a.md:1: needle\n{large}\n[1 file was not searched: not UTF-8 text]")),
        (&one, r#"{"pattern":"x","suffix":".log"}"#, format!("no line matches\n{large}")),
        (
            &both,
            r#"{"pattern":"e"}"#,
            format!("{first}/a.md:1: needle\n{large}\n[2 files were not searched: not UTF-8 text]"),
        ),
    ] {
        assert_eq!(call(roots, "search_files", arguments).await, Ok(expected), "{arguments}");
    }
}

fn preview(roots: &Arc<Roots>, name: &str, arguments: &Value) -> String {
    let tools = file_tools(roots);
    let tool = tools.iter().find(|tool| tool.definition().name == name).unwrap();
    tool.preview(&RawJson::parse(&arguments.to_string()).unwrap()).unwrap()
}

#[test]
fn a_preview_is_the_difference_between_the_file_and_the_result_of_the_call() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\none\n").unwrap();
    std::fs::write(folder.path().join("photo.jpg"), [0xff, 0xd8]).unwrap();
    let roots = roots(&[folder.path()]);
    let twice = "@@ -1,4 +1,4 @@\n-one\n+1\n two\n three\n four\n@@ -6,4 +6,4 @@\n six\n seven\n eight\n-one\n+1";
    for (name, arguments, expected) in [
        (
            "write_file",
            json!({"path":"./b/c.md","content":"one\n\ntwo\n"}),
            "creates b/c.md\n@@ -0,0 +1,3 @@\n+one\n+\n+two",
        ),
        ("write_file", json!({"path":"b.md","content":""}), "creates b.md"),
        (
            "write_file",
            json!({"path":"a.md","content":"one\n2\n"}),
            "replaces a.md\n@@ -1,9 +1,2 @@\n one\n-two\n-three\n-four\n-five\n-six\n-seven\n-eight\n-one\n+2",
        ),
        (
            "write_file",
            json!({"path":"photo.jpg","content":"one\n"}),
            "writes photo.jpg, which cannot be read: not UTF-8\n+one",
        ),
        (
            "edit_file",
            json!({"path":"a.md","old":"four\nfive","new":"4"}),
            "edits a.md in 1 place\n@@ -1,8 +1,7 @@\n one\n two\n three\n-four\n-five\n+4\n six\n seven\n eight",
        ),
        (
            "edit_file",
            json!({"path":"a.md","old":"one","new":"1","all":true}),
            &format!("edits a.md in 2 places\n{twice}"),
        ),
        (
            "edit_file",
            json!({"path":"a.md","old":"one","new":"1"}),
            "cannot edit a.md: `old` is in the file 2 times: make it longer, or pass `all`\n-one\n+1",
        ),
        ("edit_file", json!({"path":"b.md","old":"a","new":""}), "cannot edit b.md: not found\n-a"),
        (
            "edit_file",
            json!({"path":".env","old":"a","new":"b"}),
            "cannot edit .env: access denied: files such as .git and .env, and the server's own files, are never read \
             or written\n-a\n+b",
        ),
    ] {
        assert_eq!(preview(&roots, name, &arguments), expected, "{arguments}");
    }
    let same = json!({"path":"a.md","content":std::fs::read_to_string(folder.path().join("a.md")).unwrap()});
    assert_eq!(preview(&roots, "write_file", &same), "replaces a.md with the same text");
}

#[cfg(unix)]
#[test]
fn a_change_that_cannot_succeed_is_known_before_a_person_is_asked() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir(at("docs")).unwrap();
    std::fs::write(at("a.md"), "one\ntwo\none\n").unwrap();
    std::fs::write(at("locked.md"), "one\n").unwrap();
    std::fs::set_permissions(at("locked.md"), std::fs::Permissions::from_mode(0o444)).unwrap();
    std::os::unix::fs::symlink("a.md", at("link")).unwrap();
    let roots = roots(&[folder.path()]);
    let tools = file_tools(&roots);
    let check = |name: &str, arguments: &Value| {
        let tool = tools.iter().find(|tool| tool.definition().name == name).unwrap();
        tool.check(&RawJson::parse(&arguments.to_string()).unwrap())
    };
    let private = "access denied: files such as .git and .env, and the server's own files, are never read or written";
    for (path, why) in [
        (".env", Some(private)),
        (".git/config", Some(private)),
        ("link", Some("links are not followed: name the target of the link")),
        ("docs", Some("is a folder")),
        ("a.md/b", Some("a component of the path is not a folder")),
        ("locked.md", Some("is write-protected")),
        ("a.md", None),
        ("new/b.md", None),
    ] {
        let expected = why.map_or(Ok(()), |why| Err(ToolError::Denied(format!("`{path}`: {why}"))));
        assert_eq!(check("write_file", &json!({"path":path,"content":"x"})), expected, "{path}");
    }
    let invalid = |why: &str| Err(ToolError::InvalidArguments(why.to_owned()));
    for (arguments, expected) in [
        (json!({"path":"a.md","old":"two","new":"2"}), Ok(())),
        (json!({"path":"a.md","old":"one","new":"1","all":true}), Ok(())),
        (
            json!({"path":"a.md","old":"one","new":"1"}),
            invalid("`a.md`: `old` is in the file 2 times: make it longer, or pass `all`"),
        ),
        (
            json!({"path":"a.md","old":"three","new":"3"}),
            invalid("`a.md`: `old` is not in the file; read the file and copy the passage exactly"),
        ),
        (json!({"path":"b.md","old":"a","new":""}), invalid("`b.md`: not found")),
        (
            json!({"path":"locked.md","old":"one","new":"1"}),
            Err(ToolError::Denied("`locked.md`: is write-protected".to_owned())),
        ),
    ] {
        assert_eq!(check("edit_file", &arguments), expected, "{arguments}");
    }
}

#[test]
fn a_preview_names_the_folder_of_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let (first, second) = (folder.join("first"), folder.join("second"));
    [&first, &second].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    std::fs::write(second.join("a.md"), "one\n").unwrap();
    let roots = roots(&[&first, &second]);
    let heading = |path: &str| {
        let shown = preview(&roots, "write_file", &json!({"path":path,"content":"two\n"}));
        shown.lines().next().unwrap().to_owned()
    };
    assert_eq!(heading("a.md"), format!("replaces {}/a.md", second.display()));
    assert_eq!(heading("b.md"), format!("creates {}/b.md", first.display()));
}

#[test]
fn a_long_preview_is_truncated_and_reports_the_omitted_amount() {
    let folder = tempfile::tempdir().unwrap();
    let roots = roots(&[folder.path()]);
    let lines = |count: usize, text: &str| format!("{text}\n").repeat(count);
    for (content, end) in [
        (lines(10_000, "ten bytes"), "+ten bytes\n+ten …\n… 8513 more lines"),
        (lines(1, &"é".repeat(20_000)), "éé…"),
        (lines(2, &"é".repeat(20_000)), "éé…\n… 1 more line"),
    ] {
        let shown = preview(&roots, "write_file", &json!({"path":"a.md","content":content}));
        assert!(shown.len() < 17 * 1024 && shown.ends_with(end), "{}", &shown[shown.len() - 60..]);
    }
}

/// A permanent grant applies to one particular file or folder.
#[test]
fn a_grant_is_about_the_file_or_folder_that_a_path_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let (first, second) = (folder.join("first"), folder.join("second"));
    [&first, &second].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    std::fs::create_dir(second.join("docs")).unwrap();
    std::fs::write(second.join("a.md"), "").unwrap();
    let roots = roots(&[&first, &second]);
    let tools = file_tools(&roots);
    let subjects = |name: &str, arguments: Value| {
        let tool = tools.iter().find(|tool| tool.definition().name == name).unwrap();
        let arguments = RawJson::parse(&arguments.to_string()).unwrap();
        (tool.subject(&arguments).unwrap(), tool.grant_subject(&arguments).unwrap())
    };
    let path = |path: &Path| Subject::Path(path.to_str().unwrap().to_owned());
    for (name, mut arguments) in
        [("read_file", json!({})), ("write_file", json!({"content":""})), ("edit_file", json!({"old":"a","new":"b"}))]
    {
        let mut about = |path: &Path| {
            arguments["path"] = path.to_str().unwrap().into();
            subjects(name, arguments.clone())
        };
        // The subject for rules is the path relative to its folder, whichever folder that is.
        let relative = path(Path::new("a.md"));
        assert_eq!(about(&first.join("a.md")), (relative.clone(), path(&first.join("a.md"))), "{name}");
        assert_eq!(about(&second.join("a.md")), (relative.clone(), path(&second.join("a.md"))), "{name}");
        assert_eq!(about(Path::new("./a.md")), (relative.clone(), path(&second.join("a.md"))), "{name}");
        std::fs::write(first.join("a.md"), "").unwrap();
        assert_eq!(about(Path::new("a.md")), (relative, path(&first.join("a.md"))), "{name}");
        std::fs::remove_file(first.join("a.md")).unwrap();
    }
    for (name, mut arguments) in [("list_files", json!({})), ("search_files", json!({"pattern":"a"}))] {
        assert_eq!(subjects(name, arguments.clone()).1, path(Path::new(".")), "{name}");
        for (given, found) in [(".", &first), ("docs", &second.join("docs"))] {
            arguments["path"] = given.into();
            assert_eq!(subjects(name, arguments.clone()), (path(Path::new(given)), path(found)), "{name}");
        }
    }
}

#[cfg(unix)]
#[test]
fn an_approval_counts_while_the_folders_are_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("first"), folder.path().join("second"));
    [&first, &second].into_iter().for_each(|folder| std::fs::create_dir(folder).unwrap());
    let fingerprints = |folders: &[&Path]| -> Vec<_> {
        file_tools(&roots(folders)).iter().map(|tool| tool.definition().fingerprint.unwrap()).collect()
    };
    let one = fingerprints(&[&first]);
    // The same folder under another path has the same fingerprint.
    let linked = folder.path().join("linked");
    std::os::unix::fs::symlink("first", &linked).unwrap();
    assert_eq!(fingerprints(&[&linked]), one);
    for folders in [&[&*second][..], &[&first, &second], &[&second, &first]] {
        assert!(one.iter().zip(fingerprints(folders)).all(|(one, other)| *one != other), "{folders:?}");
    }
    assert_ne!(fingerprints(&[&first, &second]), fingerprints(&[&second, &first]));
}

#[test]
fn only_tools_that_change_files_need_approval() {
    let tools = file_tools(&Arc::default());
    let names: Vec<&str> = tools.iter().map(|tool| tool.definition().name.as_str()).collect();
    assert_eq!(names, FILE_TOOLS);
    let changing = tools.iter().map(|tool| tool.definition()).filter(|tool| !tool.flags.read_only);
    let changing: Vec<(&str, bool)> = changing.map(|tool| (tool.name.as_str(), tool.flags.idempotent)).collect();
    assert_eq!(changing, [("write_file", true), ("edit_file", false)]);
}
