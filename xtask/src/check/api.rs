//! Compares the public API of the library with `docs/api.txt`, so that it changes only on purpose.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};

use super::{Outcome, cargo};
use crate::Repository;

/// The recorded API.
const RECORD: &str = "docs/api.txt";

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    // The check of rustdoc built the same, so cargo has nothing to do.
    if !cargo::documentation(repository).status().context("cannot run cargo doc")?.success() {
        bail!("the documentation of the library cannot be built");
    }
    let current = api(&repository.target().join("doc/turnkit"))?;
    let copy = repository.target().join("api.txt");
    fs::write(&copy, &current).with_context(|| format!("cannot write {}", copy.display()))?;
    let recorded = fs::read_to_string(repository.root().join(RECORD)).unwrap_or_default();
    let mut problems = changes(&recorded, &current);
    if !problems.is_empty() {
        problems.push(format!("if that is intended: cp {} {RECORD}", copy.display()));
    }
    Ok(Outcome::new(problems, format!("{} lines", current.lines().count())))
}

/// Returns the public items with their methods, one per line.
fn api(pages: &Path) -> anyhow::Result<String> {
    let read = |page: &str| {
        let path = pages.join(page);
        fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let all = read("all.html")?;
    let mut items = String::new();
    let links = all.split("<li><a href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    for page in links.filter(|link| link.ends_with(".html")) {
        items.push_str(&item(page, &read(page)?));
    }
    Ok(items)
}

/// Returns the declaration of an item and of its methods from its page, such as `testing/struct.Gate.html`.
fn item(page: &str, html: &str) -> String {
    let path = page.trim_end_matches(".html").replace('/', "::");
    let declared =
        html.split("<pre class=\"rust item-decl\"><code>").nth(1).and_then(|rest| rest.split("</code>").next());
    let mut lines = format!("{path}\n");
    for line in plain(declared.unwrap_or_default()).lines().filter(|line| !line.trim().is_empty()) {
        lines.push_str(&format!("    {}\n", line.trim_end()));
    }
    for method in html.split(" class=\"method\">").skip(1) {
        let signature = method.split("<h4 class=\"code-header\">").nth(1).and_then(|rest| rest.split("</h4>").next());
        let signature = plain(signature.unwrap_or_default());
        lines.push_str(&format!("    {}\n", signature.split_whitespace().collect::<Vec<_>>().join(" ")));
    }
    lines
}

/// Removes the tags of HTML and the titles of folded parts, and decodes the entities that rustdoc writes.
fn plain(html: &str) -> String {
    let mut text = String::new();
    let unfolded: String = html
        .split("<summary")
        .enumerate()
        .map(|(index, part)| if index == 0 { part } else { part.split_once("</summary>").map_or("", |(_, rest)| rest) })
        .collect();
    let html = unfolded.as_str();
    for piece in html.replace("<div", " <div").split('<') {
        text.push_str(piece.split_once('>').map_or(piece, |(_, text)| text));
    }
    [("&lt;", "<"), ("&gt;", ">"), ("&#39;", "'"), ("&quot;", "\""), ("&amp;", "&")]
        .into_iter()
        .fold(text, |text, (entity, character)| text.replace(entity, character))
}

/// Returns the lines, each after the item that it belongs to.
fn with_items(api: &str) -> Vec<String> {
    let mut item = "";
    let lines = api.lines().map(|line| match line.strip_prefix("    ") {
        Some(member) => format!("{item}: {}", member.trim()),
        None => {
            item = line;
            line.to_owned()
        }
    });
    lines.collect()
}

/// Returns the lines that only one of two texts has.
fn changes(recorded: &str, current: &str) -> Vec<String> {
    let (recorded_lines, current_lines) = (with_items(recorded), with_items(current));
    let only = |these: &[String], others: &[String], sign: char| -> Vec<String> {
        these.iter().filter(|line| !others.contains(line)).map(|line| format!("{sign} {line}")).collect()
    };
    let mut changes = only(&recorded_lines, &current_lines, '-');
    changes.extend(only(&current_lines, &recorded_lines, '+'));
    if changes.is_empty() && recorded != current {
        changes.push("the order of the items differs".to_owned());
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_has_its_declaration_and_its_inherent_methods() {
        let html = "<pre class=\"rust item-decl\"><code>pub struct <a>Gate</a>(<span>/* private */</span>);</code></pre>\
                    <section id=\"method.open\" class=\"method\"><a>Source</a><h4 class=\"code-header\">pub fn \
                    <a>open</a>(&amp;self, of: Option&lt;u8&gt;)</h4></section>\
                    <section id=\"method.clone\" class=\"method trait-impl\"><h4 class=\"code-header\">fn clone()</h4>";
        let expected =
            "testing::struct.Gate\n    pub struct Gate(/* private */);\n    pub fn open(&self, of: Option<u8>)\n";
        assert_eq!(item("testing/struct.Gate.html", html), expected);
    }

    #[test]
    fn a_changed_signature_is_one_line_less_and_one_more() {
        assert_eq!(changes("a\n    fn b()\n", "a\n    fn b(u8)\n"), ["- a: fn b()", "+ a: fn b(u8)"]);
        assert_eq!(changes("a\n    fn b()\nc\n    fn b()\n", "a\n    fn b()\nc\n"), ["- c: fn b()"]);
        assert_eq!(changes("a\nb\n", "b\na\n"), ["the order of the items differs"]);
        assert!(changes("a\n", "a\n").is_empty());
    }
}
