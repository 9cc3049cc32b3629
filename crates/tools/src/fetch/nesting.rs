//! How deeply a page nests its elements, before it is laid out: that takes time quadratic in the depth.

/// Elements without an end, or whose end may be left out.
const UNCLOSED: &[&str] = &[
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "param", "path", "source", "td", "th", "tr", "track", "wbr",
];

/// Returns the greatest number of elements that are open at the same place, about.
pub(super) fn deepest(html: &str) -> usize {
    let (mut open, mut deepest) = (0_usize, 0);
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        if rest.starts_with('/') {
            open = open.saturating_sub(1);
            continue;
        }
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
            continue;
        }
        let name: String = rest.chars().take_while(char::is_ascii_alphanumeric).take(10).collect();
        let name = name.to_ascii_lowercase();
        match name.as_str() {
            // What looks like an element in these is none.
            "script" | "style" => rest = after_end(rest, &name),
            name if name.starts_with(|it: char| it.is_ascii_alphabetic()) && !UNCLOSED.contains(&name) => open += 1,
            _ => {}
        }
        deepest = deepest.max(open);
    }
    deepest
}

/// What follows the end of the element `name`.
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
        ] {
            assert_eq!(deepest(html), expected, "{html}");
        }
        assert_eq!(deepest(&"<div><b>".repeat(1_000)), 2_000);
    }
}
