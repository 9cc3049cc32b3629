//! Folders of this machine whose files turns may name.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Component, Path, PathBuf, absolute};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use regex::RegexBuilder;

use crate::directory_tree::directory_tree;
use crate::replace::{create, replace};
use crate::search::{SearchResult, search};
use crate::secrets::{PRIVATE, Secrets, is_private, names};
use crate::text_file::off_thread;

/// The reason for the client why a path leads to nothing.
const ABSENT: &str = "no folder of `files.roots` has it";
/// The reason for the client why no folder can have a path.
const OUTSIDE: &str = "it is not in a folder of `files.roots`";
/// The largest compiled regular expression, in bytes.
const PATTERN_BYTES: usize = 1024 * 1024;
/// The longest path that is looked for, in bytes.
const PATH_BYTES: usize = 4096;

/// Folders of this machine whose files turns may name. A file is opened name by name, and no name may be a link or `..`, so that
/// neither a path nor a change at the same time leads out. `.git` and names that begin with `.env` can be neither read nor
/// written, nor can files with a second name (a hard link).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Roots {
    folders: Vec<Root>,
    /// Files and folders that are never read.
    secrets: Vec<PathBuf>,
    untrusted: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Root {
    /// Its absolute path as the operator wrote it.
    written: PathBuf,
    /// Its path without links.
    real: PathBuf,
}

/// A file of one of the folders, open for reading.
#[derive(Debug)]
pub struct RootFile(File);

impl Roots {
    /// Adds a folder. A relative path is looked for in the folders in the order in which they were added.
    ///
    /// # Errors
    /// There is no such folder, or it is the whole file system, in which processes and devices are files too.
    pub fn with(mut self, folder: &Path) -> io::Result<Self> {
        let root = Root { written: absolute(folder)?, real: folder.canonicalize()? };
        if !root.real.is_dir() {
            return Err(ErrorKind::NotADirectory.into());
        }
        if root.real.parent().is_none() {
            return Err(io::Error::other("it is the whole file system"));
        }
        self.folders.push(root);
        Ok(self)
    }

    /// Excludes a file, or a folder with all that is in it, wherever it is.
    #[must_use]
    pub fn without(mut self, secret: &Path) -> Self {
        self.secrets.push(absolute(secret).unwrap_or_else(|_| secret.to_owned()));
        self
    }

    /// Says that others write these files: names and contents are text from outside, which may tell a model to do what the user
    /// does not want.
    #[must_use]
    pub fn untrusted(self) -> Self {
        Self { untrusted: true, ..self }
    }

    /// Reports whether names and contents are text from outside.
    pub fn are_untrusted(&self) -> bool {
        self.untrusted
    }

    /// Returns the first folder that is `folder` or in it.
    pub fn folder_in(&self, folder: &Path) -> Option<&Path> {
        let folder = folder.canonicalize().ok()?;
        self.folders.iter().map(|root| root.real.as_path()).find(|root| root.starts_with(&folder))
    }

    /// Returns the path from its folder to what `path` names, in the same form however it is written, or the reason why nothing
    /// has this name, for the client. The file need not be there.
    pub fn path_beneath(&self, path: &str) -> Result<String, String> {
        let path = checked(path)?;
        let names = self.folders.iter().find_map(|root| root.names_beneath(path));
        let names = names.ok_or_else(|| OUTSIDE.to_owned())?;
        let names: Vec<_> = names.into_iter().map(OsStr::to_string_lossy).collect();
        Ok(if names.is_empty() { ".".to_owned() } else { names.join("/") })
    }

    /// Opens a file, or returns the reason why it is not opened, for the client.
    pub async fn file(self: &Arc<Self>, path: &str) -> Result<RootFile, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let opened = off_thread(move || roots.open(&path, Secrets::open_file)).await;
        opened.unwrap_or_else(|error| Err(error.to_string())).map(RootFile)
    }

    /// Lists what is in a folder, as text, or returns the reason why it is not listed, for the client.
    pub async fn tree(self: &Arc<Self>, path: &str) -> Result<String, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let listed = off_thread(move || roots.listing(&path)).await;
        listed.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Returns the folders as the operator wrote them, made absolute.
    pub fn folders(&self) -> impl Iterator<Item = &Path> {
        self.folders.iter().map(|root| root.written.as_path())
    }

    /// Searches the files of a folder whose names end with `suffix` for lines that match a regular expression, or returns the
    /// reason why they are not searched, for the client. Dropping the future ends the search.
    pub async fn search(self: &Arc<Self>, path: &str, pattern: &str, suffix: &str) -> Result<SearchResult, String> {
        let pattern = RegexBuilder::new(pattern).size_limit(PATTERN_BYTES).build();
        let pattern = pattern.map_err(|error| format!("`pattern` is not a regular expression: {error}"))?;
        let (roots, path, suffix) = (Arc::clone(self), path.to_owned(), suffix.to_owned());
        let dropped = Arc::new(AtomicBool::new(false));
        let _guard = SetOnDrop(Arc::clone(&dropped));
        let searched = off_thread(move || {
            let secrets = Secrets::at(&roots.secrets);
            let folder = roots.open(&path, Secrets::open_folder)?;
            search(&folder, &secrets, &pattern, &suffix, &dropped).map_err(|error| reason(&error))
        });
        searched.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Creates a file, with the folders it is in, or replaces its content. Readers see the old content or the new one, never a
    /// part. Returns whether the file is new, or the reason why it is not written, for the client.
    pub async fn write(self: &Arc<Self>, path: &str, content: Vec<u8>) -> Result<bool, String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let written = off_thread(move || roots.replace(&path, &content)).await;
        written.unwrap_or_else(|error| Err(error.to_string()))
    }

    /// Changes the text of a file of at most `limit` bytes. Returns the text before and after, or the reason why it is not
    /// changed, for the client.
    pub async fn edit(
        self: &Arc<Self>,
        path: &str,
        limit: u64,
        edit: impl FnOnce(&str) -> Result<String, String> + Send + 'static,
    ) -> Result<(String, String), String> {
        let (roots, path) = (Arc::clone(self), path.to_owned());
        let edited = off_thread(move || {
            let content = RootFile(roots.open(&path, Secrets::open_file)?).content(limit);
            let content = content.map_err(|error| reason(&error))?;
            let content = content.ok_or_else(|| format!("it is longer than {limit} bytes"))?;
            let before = String::from_utf8(content).map_err(|_| "it is not UTF-8".to_owned())?;
            let after = edit(&before)?;
            roots.replace(&path, after.as_bytes())?;
            Ok((before, after))
        });
        edited.await.unwrap_or_else(|error| Err(error.to_string()))
    }

    fn replace(&self, path: &str, content: &[u8]) -> Result<bool, String> {
        match self.open(path, |secrets, folder, names| {
            let (name, parents) = names.split_last().ok_or(ErrorKind::IsADirectory)?;
            secrets.open_file(folder, names)?;
            replace(&secrets.open_folder(folder, parents)?, name, content, secrets)
        }) {
            Err(why) if why == ABSENT => self.create(path, content),
            replaced => replaced,
        }
    }

    /// Creates a file in the first folder that has all folders of its path, else in the first that it may be in.
    fn create(&self, path: &str, content: &[u8]) -> Result<bool, String> {
        let secrets = Secrets::at(&self.secrets);
        let path = checked(path)?;
        let places: Vec<_> = self.folders.iter().filter_map(|root| Some((root, root.names_beneath(path)?))).collect();
        let has_parents = |(root, names): &&(&Root, Vec<&OsStr>)| {
            names.split_last().is_some_and(|(_, parents)| secrets.open_folder(&root.real, parents).is_ok())
        };
        let place = places.iter().find(has_parents).or(places.first());
        let (root, names) = place.ok_or_else(|| OUTSIDE.to_owned())?;
        create(&root.real, names, content, &secrets).map_err(|error| reason(&error))
    }

    fn listing(&self, path: &str) -> Result<String, String> {
        let secrets = Secrets::at(&self.secrets);
        let folder = self.open(path, Secrets::open_folder)?;
        directory_tree(&folder, &secrets).map_err(|error| reason(&error))
    }

    /// Opens what `path` names, in the first folder that has it.
    fn open<T>(&self, path: &str, open: impl Fn(&Secrets, &Path, &[&OsStr]) -> io::Result<T>) -> Result<T, String> {
        let path = checked(path)?;
        if self.folders.is_empty() {
            return Err("no folder may be read: the operator lists folders in `files.roots`".to_owned());
        }
        let secrets = Secrets::at(&self.secrets);
        let (mut is_beneath, mut why) = (false, None);
        for folder in &self.folders {
            let Some(names) = folder.names_beneath(path) else { continue };
            is_beneath = true;
            if names.iter().any(|name| is_private(name)) {
                return Err(PRIVATE.to_owned());
            }
            match open(&secrets, &folder.real, &names) {
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) if error.kind() == ErrorKind::NotADirectory => why = Some(reason(&error)),
                opened => return opened.map_err(|error| reason(&error)),
            }
        }
        let absent = if is_beneath { ABSENT } else { OUTSIDE };
        Err(why.unwrap_or_else(|| absent.to_owned()))
    }
}

impl Root {
    /// The names that lead from the folder to `path`; `None` if an absolute path does not begin with it.
    fn names_beneath<'a>(&self, path: &'a Path) -> Option<Vec<&'a OsStr>> {
        let beneath = match path.has_root() {
            true => path.strip_prefix(&self.written).or_else(|_| path.strip_prefix(&self.real)).ok()?,
            false => path,
        };
        Some(names(beneath).collect())
    }
}

impl RootFile {
    /// Reads the content; `None` if it is longer than `limit` bytes.
    pub async fn read(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        off_thread(move || self.content(limit)).await.unwrap_or_else(|error| Err(io::Error::other(error)))
    }

    fn content(self, limit: u64) -> io::Result<Option<Vec<u8>>> {
        let mut content = Vec::new();
        self.0.take(limit.saturating_add(1)).read_to_end(&mut content)?;
        Ok((content.len() as u64 <= limit).then_some(content))
    }
}

/// Sets a flag when the caller drops its future.
struct SetOnDrop(Arc<AtomicBool>);

impl Drop for SetOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn checked(path: &str) -> Result<&Path, String> {
    let checked = Path::new(path);
    if path.trim().is_empty() {
        Err("it is empty".to_owned())
    } else if path.len() > PATH_BYTES {
        Err(format!("it is longer than {PATH_BYTES} bytes"))
    } else if path.chars().any(char::is_control) {
        Err("it holds a control character".to_owned())
    } else if checked.components().any(|component| component == Component::ParentDir) {
        Err("`..` is not allowed in it".to_owned())
    } else {
        Ok(checked)
    }
}

/// The reason for the client.
fn reason(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "it is not there".to_owned(),
        ErrorKind::NotADirectory => "a name in it is no folder".to_owned(),
        ErrorKind::IsADirectory => "it is a folder".to_owned(),
        ErrorKind::PermissionDenied => "the server may not read it".to_owned(),
        _ => error.to_string(),
    }
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::fs::{create_dir, hard_link, remove_file, rename, write};
    use std::os::unix::fs::symlink;

    use tempfile::TempDir;

    use super::*;

    /// `outside/` with `secret`, `inside/` (which may be read) and `second/` (which may be read too).
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
            ("", "it is empty"),
            (" ", "it is empty"),
            ("../secret", "`..` is not allowed in it"),
            ("docs/../../secret", "`..` is not allowed in it"),
            ("a\0.md", "it holds a control character"),
            ("a\n.md", "it holds a control character"),
            ("/proc/self/environ", "it is not in a folder of `files.roots`"),
            ("/dev/zero", "it is not in a folder of `files.roots`"),
            (secret.to_str().unwrap(), "it is not in a folder of `files.roots`"),
            ("\\\\server\\share", "no folder of `files.roots` has it"),
            ("C:\\secret", "no folder of `files.roots` has it"),
            ("out", "links are not followed: name what it leads to"),
            ("absolute", "links are not followed: name what it leads to"),
            ("within", "links are not followed: name what it leads to"),
            ("environ", "links are not followed: name what it leads to"),
            ("up/secret", "links are not followed: name what it leads to"),
            ("a.md/b", "a name in it is no folder"),
            ("twin", "it has more than one name (hard links): copy it"),
            (&"a".repeat(PATH_BYTES + 1), "it is longer than 4096 bytes"),
        ] {
            assert_eq!(read(&roots, path).as_ref().map_err(String::as_str), Err(why), "{path}");
        }
        assert_eq!(read(&Roots::default(), "a.md").unwrap_err().split(':').next(), Some("no folder may be read"));
    }

    #[test]
    fn what_is_private_is_never_read_whatever_its_name() {
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
            // As file systems of Windows and macOS may find them.
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
        // What an editor puts in the place of a secret is secret.
        write(at("new"), "new").unwrap();
        rename(at("new"), at("turnkit.toml")).unwrap();
        assert_eq!(read(&roots, "turnkit.toml").unwrap_err(), PRIVATE);
        let beneath = Roots::default().with(&at("data")).unwrap().without(&at("."));
        assert_eq!(read(&beneath, "turnkit.db").unwrap_err(), PRIVATE);
        assert_eq!(beneath.listing(".").unwrap_err(), PRIVATE);
    }

    /// The configuration is written anew, as editors do, while it is read.
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
            assert_eq!(roots.replace(path, path.as_bytes()), Ok(is_new), "{path}");
            assert_eq!(std::fs::read_to_string(at(file)).unwrap(), path);
        }
        let names = std::fs::read_dir(at("inside")).unwrap().map(|entry| entry.unwrap().file_name());
        assert!(names.into_iter().all(|name| !name.to_string_lossy().starts_with(".turnkit")));
        assert_eq!(std::fs::read_to_string(at("second/a.md")).unwrap(), "second");
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
        let link = "links are not followed: name what it leads to";
        let beside = outside.path().join("beside");
        for (path, why) in [
            ("out", link),
            ("up/secret", link),
            ("up/new", link),
            ("dangling", link),
            ("twin", "it has more than one name (hard links): copy it"),
            ("../secret", "`..` is not allowed in it"),
            ("a.md/b", "a name in it is no folder"),
            ("docs", "it is a folder"),
            (".", "it is a folder"),
            (".env", PRIVATE),
            (".env.new", PRIVATE),
            (".git/hooks/pre-commit", PRIVATE),
            ("turnkit.toml", PRIVATE),
            ("data/new", PRIVATE),
            (beside.to_str().unwrap(), "it is not in a folder of `files.roots`"),
        ] {
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
        for (mode, expected) in [(0o444, Err("it is write-protected".to_owned())), (0o600, Ok(false))] {
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            assert_eq!(roots.replace("a.md", b"new"), expected, "{mode:o}");
            assert_eq!(std::fs::read_to_string(&file).unwrap() == "new", expected.is_ok(), "{mode:o}");
        }
    }

    /// The name of the file is a link to a secret in turns, while it is written.
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
        assert_eq!(read(&roots, "d.md").unwrap_err(), "links are not followed: name what it leads to");
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
            ("pipe", Err("it is not a regular file")),
            ("docs", Err("it is a folder")),
            (".", Err("it is a folder")),
            ("missing", Err("no folder of `files.roots` has it")),
        ] {
            let read = read(&roots, path);
            assert_eq!(read.as_deref().map_err(String::as_str), expected, "{path}");
        }
    }

    /// A name is a file and a link to a secret in turns, while it is read.
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
    fn a_tree_lists_files_and_folders_but_neither_links_nor_what_is_private() {
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
            ("a.md", "a name in it is no folder"),
            ("data", PRIVATE),
            (".git", PRIVATE),
            ("..", "`..` is not allowed in it"),
            ("missing", "no folder of `files.roots` has it"),
        ] {
            assert_eq!(roots.listing(path).unwrap_err(), why, "{path}");
        }
    }
}
