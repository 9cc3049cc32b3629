//! Renders HTML as text, within limits. Without them, a page of one megabyte could take all memory, or occupy a thread
//! for hours.

use std::io::{self, Read};
use std::time::{Duration, Instant};

use html2text::{Element, Handle, RcDom};

use super::nesting::deepest;

/// The largest number of elements that may be open at once. Parsing and layout take quadratic time in this number.
const MAX_NESTED: usize = 4_000;
/// The levels that every page adds: the document, its `html` and `body`, and the text of the innermost element.
const OUTER: usize = 4;
/// The largest number of table cells in a page, if each row were as wide as the widest one. The layout takes memory for
/// each.
const MAX_CELLS: usize = 1_000_000;
/// The largest number of columns that a cell may span.
const MAX_COLUMNS: usize = 100;
/// The length of a line, in characters.
const LINE_CHARS: usize = 120;
/// The time limit for parsing a page.
const PARSE_TIME: Duration = Duration::from_secs(5);

/// Renders HTML as text, with numbered links.
pub(super) fn rendered(html: &[u8]) -> Result<String, String> {
    if deepest(&String::from_utf8_lossy(html)) > MAX_NESTED {
        return Err(too_deep());
    }
    let failed = |error| format!("the page cannot be shown as text: {error}");
    let page = html2text::config::plain();
    let dom = page.parse_html(InTime::from(html)).map_err(failed)?;
    limit(&dom)?;
    let tree = page.dom_to_render_tree(&dom).map_err(failed)?;
    page.render_to_string(tree, LINE_CHARS).map_err(failed)
}

/// Checks the nesting depth of the elements and the size of the tables. Removes spans that the layout would expand into
/// a cell for each row or column.
fn limit(dom: &RcDom) -> Result<(), String> {
    let (mut rows, mut widest) = (0_usize, 0_usize);
    let mut open = vec![(dom.document.clone(), 0)];
    while let Some((node, depth)) = open.pop() {
        if depth > MAX_NESTED + OUTER {
            return Err(too_deep());
        }
        let children = node.children.borrow();
        if let Element { name, attrs, .. } = &node.data {
            let is_kept = |name: &str, value: &str| match name {
                "rowspan" => false,
                "colspan" => span(value).is_some(),
                _ => true,
            };
            attrs.borrow_mut().retain(|attribute| is_kept(&attribute.name.local, &attribute.value));
            if &*name.local == "tr" {
                rows += 1;
                widest = widest.max(children.iter().map(columns).sum());
            }
        }
        open.extend(children.iter().map(|child| (child.clone(), depth + 1)));
    }
    match rows.saturating_mul(widest) > MAX_CELLS {
        true => Err(format!("the tables of the page have more than {MAX_CELLS} cells")),
        false => Ok(()),
    }
}

/// Returns the number of columns that a child of a row takes.
fn columns(child: &Handle) -> usize {
    let Element { attrs, .. } = &child.data else { return 0 };
    let attrs = attrs.borrow();
    let mut spans = attrs.iter().filter(|attribute| &*attribute.name.local == "colspan");
    spans.find_map(|attribute| span(&attribute.value)).unwrap_or(1)
}

/// Returns the number of columns that a cell spans, if it is within the limit.
fn span(value: &str) -> Option<usize> {
    value.parse().ok().filter(|columns| (1..=MAX_COLUMNS).contains(columns))
}

fn too_deep() -> String {
    format!("the page nests more than {MAX_NESTED} elements")
}

/// A reader over a page that fails once the time limit has passed. The parser reads a piece and then processes it.
struct InTime<'a> {
    rest: &'a [u8],
    began: Instant,
}

impl<'a> From<&'a [u8]> for InTime<'a> {
    fn from(rest: &'a [u8]) -> Self {
        Self { rest, began: Instant::now() }
    }
}

impl Read for InTime<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.began.elapsed() > PARSE_TIME {
            return Err(io::Error::other("it takes too long to read"));
        }
        self.rest.read(buffer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_would_take_all_memory_or_time_is_refused_or_shown_at_once() {
        let deep = || Err(too_deep());
        let wide = || Err("the tables of the page have more than 1000000 cells".to_owned());
        let spans: String = (0..20_000).map(|span| format!("<tr><td colspan={span}>")).collect();
        for (name, html, expected) in [
            ("cells that span rows", "<table>".to_owned() + &"<tr><td rowspan=99999>".repeat(40_000), Ok(())),
            ("cells that span columns", format!("<table>{spans}"), wide()),
            ("one wide row", format!("<table><tr>{}{}", "<td>".repeat(9_000), "<tr><td>".repeat(9_000)), wide()),
            ("ends of other elements", "<div></x>".repeat(100_000), deep()),
            ("an empty comment", "<!-->".to_owned() + &"<div>".repeat(100_000), deep()),
            ("styles of images", "<svg><style>".to_owned() + &"<g>".repeat(100_000), deep()),
            ("cells in images", "<svg>".to_owned() + &"<td>".repeat(100_000), deep()),
            ("elements that are none", "<path>".repeat(100_000), deep()),
            ("paragraphs that do not end", "<p>a".repeat(20_000), Ok(())),
        ] {
            assert_eq!(rendered(html.as_bytes()).map(drop), expected, "{name}");
        }
    }

    #[test]
    fn a_table_keeps_its_texts_without_its_spans() {
        let html = "<table><tr><td rowspan=2>a<td colspan=2>b<tr><td>c<td colspan=100000>d</table>";
        let text = rendered(html.as_bytes()).unwrap();
        assert!(["a", "b", "c", "d"].iter().all(|cell| text.contains(cell)), "{text}");
    }
}
