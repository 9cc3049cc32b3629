//! Previews of a call's changes, for the person who decides whether it may run.

use std::time::Duration;

use similar::TextDiff;
use turnkit_files::Roots;

/// The longest preview, in bytes, not counting the line about omitted lines. The preview is stored with the turn.
const PREVIEW_BYTES: usize = 16 * 1024;
/// The time limit for finding the shortest difference; after it, a longer difference is shown. For two long files with
/// their lines in different orders, the search would take many seconds.
const DIFF_TIMEOUT: Duration = Duration::from_millis(100);

/// Returns the path of a file for a heading: relative if there is one folder, otherwise absolute, so that it identifies
/// the folder.
pub(super) fn shown_path(roots: &Roots, path: &str) -> String {
    let shown = match roots.folders().count() {
        0 | 1 => roots.path_beneath(path),
        _ => roots.resolve_file(path).map(|place| place.to_string_lossy().into_owned()),
    };
    shown.unwrap_or_else(|_| path.to_owned())
}

/// Returns the difference between two texts in the unified format, under a heading.
pub(super) fn difference(heading: &str, before: &str, after: &str) -> String {
    let difference = TextDiff::configure().timeout(DIFF_TIMEOUT).diff_lines(before, after);
    capped(&format!("{heading}\n{}", difference.unified_diff()))
}

/// Returns the replaced and the new text of a passage, under a heading. Used if the rest of the file is not known.
pub(super) fn passage(heading: &str, old: &str, new: &str) -> String {
    let lines = |sign, text: &str| text.lines().map(|line| format!("\n{sign}{line}")).collect::<String>();
    capped(&format!("{heading}{}{}", lines('-', old), lines('+', new)))
}

/// Truncates a preview that is too long, and appends the number of omitted lines.
fn capped(preview: &str) -> String {
    let preview = preview.trim_end_matches('\n');
    if preview.len() <= PREVIEW_BYTES {
        return preview.to_owned();
    }
    let (shown, rest) = preview.split_at(preview.floor_char_boundary(PREVIEW_BYTES));
    let is_cut = !shown.ends_with('\n');
    let end = if is_cut { "…" } else { "" };
    match rest.lines().count().saturating_sub(is_cut.into()) {
        0 => format!("{shown}{end}"),
        more => {
            format!("{}{end}\n… {more} more {}", shown.trim_end_matches('\n'), if more == 1 { "line" } else { "lines" })
        }
    }
}
