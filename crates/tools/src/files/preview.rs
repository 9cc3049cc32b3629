//! What a call would change, as the person who decides about it reads it.

use std::time::Duration;

use similar::TextDiff;
use turnkit_files::Roots;

/// The longest preview, in bytes, but for the line that says how much is left out. It is stored with the turn.
const PREVIEW_BYTES: usize = 16 * 1024;
/// How long the shortest difference is looked for; then a longer one is shown. That of two long files with their lines in
/// different orders takes many seconds to find.
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// The path of a file as a heading names it: relative if there is one folder, else absolute, so that it says which.
pub(super) fn shown_path(roots: &Roots, path: &str) -> String {
    let shown = match roots.folders().count() {
        0 | 1 => roots.path_beneath(path),
        _ => roots.file_place(path).map(|place| place.to_string_lossy().into_owned()),
    };
    shown.unwrap_or_else(|_| path.to_owned())
}

/// The difference of two texts in the unified format, under a heading.
pub(super) fn difference(heading: &str, before: &str, after: &str) -> String {
    let difference = TextDiff::configure().timeout(LONGEST_LOOK).diff_lines(before, after);
    capped(&format!("{heading}\n{}", difference.unified_diff()))
}

/// A text in place of another, under a heading, where it is not known what else is in the file.
pub(super) fn passage(heading: &str, old: &str, new: &str) -> String {
    let lines = |sign, text: &str| text.lines().map(|line| format!("\n{sign}{line}")).collect::<String>();
    capped(&format!("{heading}{}{}", lines('-', old), lines('+', new)))
}

/// The beginning of a preview that is too long, and how many lines are left out.
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
