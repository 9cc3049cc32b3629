//! Estimates the nesting depth of a page before it is parsed, because parsing takes quadratic time in the depth.

use std::collections::HashMap;

/// Elements without an end tag, or with an optional one. They nest only inside images (`svg` and `math`), whose depth
/// is checked after parsing.
const UNCLOSED: &[&str] = &[
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "param", "path", "source", "td", "th", "tr", "track", "wbr",
];

/// Estimates the largest number of elements that are open at once. Depth that this estimate misses is detected after
/// parsing.
pub(super) fn deepest(html: &str) -> usize {
    let (mut open, mut deepest) = (HashMap::<String, usize>::new(), 0);
    let mut depth = 0_usize;
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if let Some(end) = rest.strip_prefix('/') {
            // The end tag of an element that is not open has no effect.
            if let Some(count) = open.get_mut(&name(end)).filter(|count| **count > 0) {
                *count -= 1;
                depth -= 1;
            }
            continue;
        }
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = match comment.strip_prefix('>').or_else(|| comment.strip_prefix("->")) {
                Some(after) => after,
                None => comment.split_once("-->").map_or("", |(_, after)| after),
            };
            continue;
        }
        let name = name(rest);
        match name.as_str() {
            // Tags inside these elements are plain text, except in images.
            "script" | "style" if !is_in_image(&open) => rest = after_end(rest, &name),
            "" => {}
            _ if UNCLOSED.contains(&name.as_str()) => {}
            _ => {
                *open.entry(name).or_default() += 1;
                depth += 1;
            }
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Returns the name at the start of a tag, in lower case. Returns an empty string if there is no tag.
fn name(tag: &str) -> String {
    let name = tag.chars().take_while(char::is_ascii_alphanumeric).take(10);
    let name: String = name.map(|c| c.to_ascii_lowercase()).collect();
    if name.starts_with(|c: char| c.is_ascii_alphabetic()) { name } else { String::new() }
}

fn is_in_image(open: &HashMap<String, usize>) -> bool {
    ["svg", "math"].into_iter().any(|name| open.get(name).is_some_and(|count| *count > 0))
}

/// Returns the text after the end tag of the element `name`.
fn after_end<'a>(html: &'a str, name: &str) -> &'a str {
    let end = html.match_indices("</").map(|(at, _)| &html[at + 2..]);
    let mut ends = end.filter(|rest| rest.get(..name.len()).is_some_and(|found| found.eq_ignore_ascii_case(name)));
    ends.next().unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_elements_are_counted() {
        for (html, expected) in [
            ("", 0),
            ("text < 3", 0),
            ("<div><b>x</b><i>y</i></div>", 2),
            ("<ul><li>a<li>b<li>c</ul><br><img>", 1),
            ("<script>if (a<b && c<d) x('<div><div>')</script><div>", 1),
            ("<STYLE>a<b</Style ><div>", 1),
            ("<script>a<b", 0),
            ("<!-- <div><div> --><div>", 1),
            ("<!-- <div>", 0),
            ("</div></div><div>", 1),
            ("<é><", 0),
            ("<div></x><div></x>", 2),
            ("<b></b></b><i>", 1),
            ("<!--><div>", 1),
            ("<!---><div>", 1),
            ("<svg><style><g>", 3),
            ("<svg></svg><style><g></style>", 1),
        ] {
            assert_eq!(deepest(html), expected, "{html}");
        }
        assert_eq!(deepest(&"<div><b>".repeat(1_000)), 2_000);
    }
}
