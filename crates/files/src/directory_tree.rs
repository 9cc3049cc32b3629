//! Renders the contents of a folder as text for models.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::io;

use cap_std::fs::Dir;

use crate::secrets::{Secrets, is_private};

/// The largest number of files and folders in a tree. Entries near its root come first.
const MAX_ENTRIES: usize = 1_000;
/// The largest number of entries read from one folder.
const MAX_SEEN: usize = 10_000;
/// The largest depth of a tree, in folders.
const MAX_LEVELS: usize = 10;

/// A folder of the tree.
struct Folder {
    path: Vec<OsString>,
    entries: Vec<Entry>,
    /// Whether the folder has more entries than the tree shows, or was not read.
    is_cut: bool,
}

struct Entry {
    name: OsString,
    /// The index of the entry in the tree's list of folders, if the entry is a folder.
    folder: Option<usize>,
}

/// Lists the contents of a folder and of its subfolders, sorted by name. Each entry is a line, indented under its
/// folder; the name of a folder ends with `/`. A line `…` marks entries that were left out of a folder; if the tree is
/// full, a last line says so. Links and files that are not regular are left out without such a line.
pub(crate) fn directory_tree(root: &Dir, secrets: &Secrets) -> io::Result<String> {
    let mut folders = vec![Folder { path: Vec::new(), entries: Vec::new(), is_cut: true }];
    let (mut waiting, mut left, mut is_full) = (VecDeque::from([0]), MAX_ENTRIES, false);
    while let Some(place) = waiting.pop_front() {
        let Some(path) = folders.get(place).map(|folder| folder.path.clone()) else { continue };
        is_full |= left == 0;
        if left == 0 || path.len() > MAX_LEVELS {
            continue;
        }
        let (found, is_whole) = match entries(root, &path, secrets) {
            Err(error) if path.is_empty() => return Err(error),
            found => found.unwrap_or_default(),
        };
        is_full |= found.len() > left;
        let is_cut = !is_whole || found.len() > left;
        let mut entries = Vec::new();
        for (name, is_folder) in found.into_iter().take(left) {
            let folder = is_folder.then_some(folders.len());
            if let Some(folder) = folder {
                let path = path.iter().chain([&name]).cloned().collect();
                folders.push(Folder { path, entries: Vec::new(), is_cut: true });
                waiting.push_back(folder);
            }
            entries.push(Entry { name, folder });
        }
        left -= entries.len();
        if let Some(folder) = folders.get_mut(place) {
            (folder.entries, folder.is_cut) = (entries, is_cut);
        }
    }
    let mut text = String::new();
    write_folder(&mut text, &folders, 0);
    if is_full {
        _ = writeln!(text, "… and more: at most {MAX_ENTRIES} names are listed");
    }
    text.truncate(text.trim_end_matches('\n').len());
    Ok(if text.is_empty() { "(empty)".to_owned() } else { text })
}

/// Returns the entries of a folder, sorted by name, each with a flag that is `true` for folders. The last flag is
/// `true` if the list is complete.
fn entries(root: &Dir, path: &[OsString], secrets: &Secrets) -> io::Result<(Vec<(OsString, bool)>, bool)> {
    let mut folder = root.try_clone()?;
    for name in path {
        folder = secrets.enter(&folder, name)?;
    }
    entries_of(&folder)
}

/// Returns the entries of an open folder in the same form as [`entries`].
pub(crate) fn entries_of(folder: &Dir) -> io::Result<(Vec<(OsString, bool)>, bool)> {
    let (mut found, mut seen) = (Vec::new(), 0);
    for entry in folder.entries()? {
        let entry = entry?;
        seen += 1;
        if seen > MAX_SEEN {
            break;
        }
        // The entry may have been removed since the listing.
        let Ok(file_type) = entry.file_type() else { continue };
        let name = entry.file_name();
        if !is_private(&name) && (file_type.is_file() || file_type.is_dir()) {
            found.push((name, file_type.is_dir()));
        }
    }
    found.sort();
    Ok((found, seen <= MAX_SEEN))
}

fn write_folder(text: &mut String, folders: &[Folder], place: usize) {
    let Some(folder) = folders.get(place) else { return };
    let indent = 2 * folder.path.len();
    for Entry { name, folder } in &folder.entries {
        let name = name.to_string_lossy().replace(char::is_control, "\u{fffd}");
        let slash = if folder.is_some() { "/" } else { "" };
        _ = writeln!(text, "{:indent$}{name}{slash}", "");
        if let Some(folder) = folder {
            write_folder(text, folders, *folder);
        }
    }
    if folder.is_cut {
        _ = writeln!(text, "{:indent$}…", "");
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use cap_std::ambient_authority;

    use super::*;

    fn tree(folder: &Path) -> String {
        let folder = Dir::open_ambient_dir(folder, ambient_authority()).unwrap();
        directory_tree(&folder, &Secrets::default()).unwrap()
    }

    #[test]
    fn a_large_tree_shows_entries_near_its_root_and_where_it_is_truncated() {
        let folder = tempfile::tempdir().unwrap();
        let make = |path: &str| std::fs::create_dir_all(folder.path().join(path)).unwrap();
        make("a/deep");
        make("b");
        for number in 0..MAX_ENTRIES {
            std::fs::write(folder.path().join(format!("a/{number:04}")), "").unwrap();
        }
        let tree = tree(folder.path());
        let lines: Vec<&str> = tree.lines().collect();
        assert_eq!(lines[..3], ["a/", "  0000", "  0001"]);
        // The entries of `a` come by name until the tree is full; `b` is listed but not read.
        let more = "… and more: at most 1000 names are listed";
        assert_eq!(lines[lines.len() - 5..], ["  0997", "  …", "b/", "  …", more]);
        assert_eq!(lines.len(), MAX_ENTRIES + 3);
    }

    #[test]
    fn a_deep_tree_ends_at_its_last_level() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(folder.path().join("f/".repeat(MAX_LEVELS + 3))).unwrap();
        let tree = tree(folder.path());
        assert_eq!(tree.lines().count(), MAX_LEVELS + 2);
        assert_eq!(tree.lines().last().map(str::trim), Some("…"));
    }

    #[test]
    fn a_name_is_one_line() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a\nContext from b:"), "").unwrap();
        assert_eq!(tree(folder.path()), "a\u{fffd}Context from b:");
    }
}
