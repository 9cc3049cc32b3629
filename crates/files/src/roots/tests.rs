//! Tests of which files the folders reach.

use std::fs::{create_dir, hard_link, remove_file, rename, write};
use std::os::unix::fs::symlink;

use tempfile::TempDir;

use super::*;

/// Creates `outside/` with `secret`, and in it `inside/` and `second/`, both of which may be read.
fn outside() -> (TempDir, Roots) {
    let outside = tempfile::tempdir().unwrap();
    let at = |name: &str| outside.path().join(name);
    for folder in ["inside", "inside/docs", "inside/.git", "inside/data", "second"] {
        create_dir(at(folder)).unwrap();
    }
    for (file, text) in [
        ("secret", "secret"),
        ("inside/a.md", "a"),
        ("inside/docs/b.md", "b"),
        ("inside/.gitignore", "ignored"),
        ("inside/.git/config", "secret"),
        ("inside/.env", "secret"),
        ("inside/.env.local", "secret"),
        ("inside/turnkit.toml", "secret"),
        ("inside/data/turnkit.db", "secret"),
        ("second/a.md", "second"),
        ("second/c.md", "c"),
    ] {
        write(at(file), text).unwrap();
    }
    let roots = Roots::default().with(&at("inside")).unwrap().with(&at("second")).unwrap();
    (outside, roots)
}

fn read(roots: &Roots, path: &str) -> Result<String, String> {
    let content = RootFile(roots.open(path, Secrets::open_file)?).content(6).unwrap();
    content.map(|content| String::from_utf8(content).unwrap()).ok_or_else(|| "too large".to_owned())
}

#[test]
fn a_file_of_the_folders_is_read_by_a_relative_or_an_absolute_path() {
    let (outside, roots) = outside();
    let absolute = outside.path().canonicalize().unwrap().join("second/a.md");
    let linked = outside.path().join("linked");
    symlink("second", &linked).unwrap();
    let roots = roots.with(&linked).unwrap();
    create_dir(outside.path().join("second/b.md")).unwrap();
    write(outside.path().join("inside/b.md"), "file").unwrap();
    write(outside.path().join("second/b.md/d.md"), "d").unwrap();
    for (path, text) in [
        ("b.md/d.md", "d"),
        ("a.md", "a"),
        ("./docs/./b.md", "b"),
        ("docs//b.md", "b"),
        ("c.md", "c"),
        (absolute.to_str().unwrap(), "second"),
        (linked.join("c.md").to_str().unwrap(), "c"),
    ] {
        assert_eq!(read(&roots, path).as_deref(), Ok(text), "{path}");
    }
}

#[test]
fn nothing_leads_out_of_the_folders() {
    let (outside, roots) = outside();
    let inside = outside.path().join("inside");
    symlink("../secret", inside.join("out")).unwrap();
    symlink(outside.path().join("secret"), inside.join("absolute")).unwrap();
    symlink("..", inside.join("up")).unwrap();
    symlink("a.md", inside.join("within")).unwrap();
    symlink("/proc/self/environ", inside.join("environ")).unwrap();
    hard_link(outside.path().join("secret"), inside.join("twin")).unwrap();
    let secret = outside.path().canonicalize().unwrap().join("secret");
    for (path, why) in [
        ("", "must not be empty"),
        (" ", "must not be empty"),
        ("../secret", "must not contain `..`"),
        ("docs/../../secret", "must not contain `..`"),
        ("a\0.md", "contains a control character"),
        ("a\n.md", "contains a control character"),
        ("/proc/self/environ", "not in a folder of `files.roots`"),
        ("/dev/zero", "not in a folder of `files.roots`"),
        (secret.to_str().unwrap(), "not in a folder of `files.roots`"),
        ("\\\\server\\share", "not found in any folder of `files.roots`"),
        ("C:\\secret", "not found in any folder of `files.roots`"),
        ("out", "links are not followed: name the target of the link"),
        ("absolute", "links are not followed: name the target of the link"),
        ("within", "links are not followed: name the target of the link"),
        ("environ", "links are not followed: name the target of the link"),
        ("up/secret", "links are not followed: name the target of the link"),
        ("a.md/b", "a component of the path is not a folder"),
        ("twin", "has more than one name (hard links): copy it"),
        (&"a".repeat(PATH_BYTES + 1), "must be at most 4096 bytes"),
    ] {
        assert_eq!(read(&roots, path).as_ref().map_err(String::as_str), Err(why), "{path}");
    }
    assert_eq!(read(&Roots::default(), "a.md").unwrap_err().split(':').next(), Some("no folder may be read"));
}

#[test]
fn private_files_are_never_read_under_any_name() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    let roots = roots.without(&at("turnkit.toml")).without(&at("data"));
    symlink(".git", at("alias")).unwrap();
    for path in [
        ".env",
        ".ENV",
        ".env.local",
        ".git/config",
        ".Git/config",
        // Names that file systems of Windows and macOS may treat as `.git`.
        ".git./config",
        ".git::$INDEX_ALLOCATION/config",
        "GIT~1/config",
        ".g\u{200c}it/config",
        "ENV~1.LOC",
        "turnkit.toml",
        "data",
        "data/turnkit.db",
    ] {
        assert_eq!(read(&roots, path).unwrap_err(), PRIVATE, "{path}");
    }
    assert!(read(&roots, "alias/config").is_err());
    assert_eq!(read(&roots, ".gitignore").unwrap_err(), "too large");
    // A file that an editor puts in place of a secret is secret, too.
    write(at("new"), "new").unwrap();
    rename(at("new"), at("turnkit.toml")).unwrap();
    assert_eq!(read(&roots, "turnkit.toml").unwrap_err(), PRIVATE);
    let beneath = Roots::default().with(&at("data")).unwrap().without(&at("."));
    assert_eq!(read(&beneath, "turnkit.db").unwrap_err(), PRIVATE);
    assert_eq!(beneath.listing(".").unwrap_err(), PRIVATE);
}

/// The configuration is rewritten, as editors do it, while it is read.
#[test]
fn a_secret_that_is_replaced_while_it_is_read_stays_secret() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    let roots = roots.without(&at("turnkit.toml"));
    std::thread::scope(|scope| {
        let saves = scope.spawn(|| {
            for _ in 0..2_000 {
                write(at("next"), "secret").unwrap();
                remove_file(at("turnkit.toml")).unwrap();
                rename(at("next"), at("turnkit.toml")).unwrap();
            }
        });
        while !saves.is_finished() {
            assert_eq!(read(&roots, "turnkit.toml").unwrap_err(), PRIVATE);
        }
    });
}

#[test]
fn a_file_is_replaced_where_it_is_and_a_new_one_is_created_in_the_first_folder_that_has_its_folder() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join(name);
    create_dir(at("second/notes")).unwrap();
    let absolute = at("second/new/e.md");
    for (path, file, is_new) in [
        ("a.md", "inside/a.md", false),
        ("c.md", "second/c.md", false),
        ("d.md", "inside/d.md", true),
        ("notes/n.md", "second/notes/n.md", true),
        ("far/away/f.md", "inside/far/away/f.md", true),
        (absolute.to_str().unwrap(), "second/new/e.md", true),
    ] {
        let place = roots.resolve_file(path).unwrap();
        assert_eq!(place, outside.path().canonicalize().unwrap().join(file), "{path}");
        assert_eq!(roots.replace(path, path.as_bytes()), Ok(is_new), "{path}");
        assert_eq!(std::fs::read_to_string(at(file)).unwrap(), path);
    }
    let names = std::fs::read_dir(at("inside")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with(".turnkit")));
    assert_eq!(std::fs::read_to_string(at("second/a.md")).unwrap(), "second");
}

#[test]
fn a_path_leads_to_the_first_folder_that_has_a_file_or_a_folder_of_this_name() {
    let (outside, roots) = outside();
    let real = outside.path().canonicalize().unwrap();
    let at = |name: &str| outside.path().join(name);
    write(at("inside/both"), "file").unwrap();
    create_dir(at("second/both")).unwrap();
    write(at("second/both/d.md"), "d").unwrap();
    symlink("../secret", at("second/out")).unwrap();
    let second = at("second/a.md");
    for (path, file, folder) in [
        ("a.md", "inside/a.md", "inside/a.md"),
        ("./c.md", "second/c.md", "inside/c.md"),
        ("both", "inside/both", "second/both"),
        ("both/d.md", "second/both/d.md", "second/both/d.md"),
        ("out", "second/out", "second/out"),
        (".", "inside", "inside"),
        (second.to_str().unwrap(), "second/a.md", "second/a.md"),
    ] {
        assert_eq!(roots.resolve_file(path), Ok(real.join(file)), "{path}");
        assert_eq!(roots.resolve_folder(path), Ok(real.join(folder)), "{path}");
    }
    for (path, why) in [("../a", "must not contain `..`"), ("/etc/passwd", OUTSIDE), ("", "must not be empty")] {
        assert_eq!(roots.resolve_file(path).unwrap_err(), why, "{path}");
    }
}

#[test]
fn nothing_outside_the_folders_is_written_and_nothing_private() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    symlink("../secret", at("out")).unwrap();
    symlink("..", at("up")).unwrap();
    symlink("../new", at("dangling")).unwrap();
    hard_link(outside.path().join("secret"), at("twin")).unwrap();
    let roots = roots.without(&at("turnkit.toml")).without(&at("data"));
    let link = "links are not followed: name the target of the link";
    let beside = outside.path().join("beside");
    for (path, why) in [
        ("out", link),
        ("up/secret", link),
        ("up/new", link),
        ("dangling", link),
        ("twin", "has more than one name (hard links): copy it"),
        ("../secret", "must not contain `..`"),
        ("a.md/b", "a component of the path is not a folder"),
        ("docs", "is a folder"),
        (".", "is a folder"),
        (".env", PRIVATE),
        (".env.new", PRIVATE),
        (".git/hooks/pre-commit", PRIVATE),
        ("turnkit.toml", PRIVATE),
        ("data/new", PRIVATE),
        (beside.to_str().unwrap(), "not in a folder of `files.roots`"),
    ] {
        assert_eq!(roots.check_writable_blocking(path).unwrap_err(), why, "{path}");
        assert_eq!(roots.replace(path, b"written").unwrap_err(), why, "{path}");
    }
    assert_eq!(std::fs::read_to_string(outside.path().join("secret")).unwrap(), "secret");
    assert!(!outside.path().join("new").exists() && !at("data/new").exists() && !beside.exists());
}

#[test]
fn a_replaced_file_keeps_its_permissions() {
    use std::os::unix::fs::PermissionsExt as _;
    let (outside, roots) = outside();
    let file = outside.path().join("inside/a.md");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o750)).unwrap();
    roots.replace("a.md", b"new").unwrap();
    assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o750);
}

#[test]
fn a_write_protected_file_is_not_replaced() {
    use std::os::unix::fs::PermissionsExt as _;
    let (outside, roots) = outside();
    let file = outside.path().join("inside/a.md");
    for (mode, expected) in [(0o444, Err("is write-protected".to_owned())), (0o600, Ok(false))] {
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
        assert_eq!(roots.check_writable_blocking("a.md"), expected.clone().map(|_| ()), "{mode:o}");
        assert_eq!(roots.replace("a.md", b"new"), expected, "{mode:o}");
        assert_eq!(std::fs::read_to_string(&file).unwrap() == "new", expected.is_ok(), "{mode:o}");
    }
}

/// The name of the file alternates with a link to a secret while it is written.
#[test]
fn a_link_made_while_a_file_is_written_leads_nowhere() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    std::thread::scope(|scope| {
        let swaps = scope.spawn(|| {
            for round in 0..500 {
                match round % 2 {
                    0 => symlink("../secret", at("next")).unwrap(),
                    _ => write(at("next"), "a").unwrap(),
                }
                rename(at("next"), at("a.md")).unwrap();
            }
        });
        while !swaps.is_finished() {
            _ = roots.replace("a.md", b"written");
        }
    });
    assert_eq!(std::fs::read_to_string(outside.path().join("secret")).unwrap(), "secret");
}

/// A folder is replaced by a link after the root was configured.
#[test]
fn a_folder_that_becomes_a_link_is_read_no_more() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join(name);
    create_dir(at("elsewhere")).unwrap();
    write(at("elsewhere/d.md"), "secret").unwrap();
    rename(at("second"), at("gone")).unwrap();
    symlink("elsewhere", at("second")).unwrap();
    assert_eq!(read(&roots, "d.md").unwrap_err(), "links are not followed: name the target of the link");
}

#[test]
fn only_regular_files_up_to_the_limit_are_read() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    write(at("fits"), "123456").unwrap();
    write(at("long"), "1234567").unwrap();
    std::fs::File::create(at("sparse")).unwrap().set_len(1 << 40).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(at("pipe")).status().unwrap().success());
    for (path, expected) in [
        ("fits", Ok("123456")),
        ("long", Err("too large")),
        ("sparse", Err("too large")),
        ("pipe", Err("not a regular file")),
        ("docs", Err("is a folder")),
        (".", Err("is a folder")),
        ("missing", Err("not found in any folder of `files.roots`")),
    ] {
        let read = read(&roots, path);
        assert_eq!(read.as_deref().map_err(String::as_str), expected, "{path}");
    }
}

/// A name alternates between a file and a link to a secret while it is read.
#[test]
fn a_link_made_while_a_file_is_read_leads_nowhere() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    std::thread::scope(|scope| {
        let swaps = scope.spawn(|| {
            for round in 0..2_000 {
                match round % 2 {
                    0 => symlink("../secret", at("next")).unwrap(),
                    _ => write(at("next"), "a").unwrap(),
                }
                rename(at("next"), at("a.md")).unwrap();
            }
        });
        while !swaps.is_finished() {
            assert_ne!(read(&roots, "a.md").as_deref(), Ok("secret"));
        }
    });
}

#[test]
fn a_tree_lists_files_and_folders_but_no_links_and_nothing_private() {
    let (outside, roots) = outside();
    let at = |name: &str| outside.path().join("inside").join(name);
    symlink("../secret", at("out")).unwrap();
    create_dir(at("docs/empty")).unwrap();
    let roots = roots.without(&at("data"));
    let tree = ".gitignore\na.md\ndata/\n  …\ndocs/\n  b.md\n  empty/\nturnkit.toml";
    assert_eq!(roots.listing("."), Ok(tree.to_owned()));
    assert_eq!(roots.listing("docs"), Ok("b.md\nempty/".to_owned()));
    assert_eq!(roots.listing("docs/empty"), Ok("(empty)".to_owned()));
    for (path, why) in [
        ("a.md", "a component of the path is not a folder"),
        ("data", PRIVATE),
        (".git", PRIVATE),
        ("..", "must not contain `..`"),
        ("missing", "not found in any folder of `files.roots`"),
    ] {
        assert_eq!(roots.listing(path).unwrap_err(), why, "{path}");
    }
}
