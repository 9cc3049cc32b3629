//! Items in the order of the instructions, cut to their caps and to the budgets of their categories.

use std::collections::BTreeMap;

use turnkit_core::Str;
use turnkit_core::ports::{Category, ContextItem};

use super::tokens;

/// An item of the instructions after caps and budgets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PlacedItem {
    pub(crate) category: Category,
    pub(crate) source: Str,
    /// The remaining text.
    pub(crate) text: String,
    pub(crate) untrusted: bool,
    /// The estimated size of the remaining text.
    pub(crate) tokens: u64,
    pub(crate) cut: Option<Cut>,
    /// Whether the item's provider is closed: the turn must not run without the item.
    pub(crate) is_required: bool,
}

/// An item as its provider returned it.
#[derive(Debug, Clone)]
pub(super) struct ProvidedItem {
    pub(super) item: ContextItem,
    /// Whether the provider is closed.
    pub(super) is_required: bool,
}

/// The reduction of an item: its original size, and the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The estimated size of the text before it was shortened.
    pub(crate) from: u64,
    pub(crate) why: CutReason,
}

/// Why an item was shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CutReason {
    /// The item exceeds its cap.
    Cap,
    /// The items of the category together exceed its budget.
    Budget,
    /// The request would be too large with the whole item.
    Room,
}

impl PlacedItem {
    fn is_optional(&self) -> bool {
        self.category.is_optional() && !self.is_required
    }
}

/// Orders the items and shortens them to their caps and budgets. Drops items without text.
pub(super) fn place(items: Vec<ProvidedItem>, budgets: &BTreeMap<Category, u32>) -> Vec<PlacedItem> {
    let mut items: Vec<ProvidedItem> = items.into_iter().filter(|item| !item.item.text.trim().is_empty()).collect();
    items.sort_by_key(|item| item.item.category.place());
    let mut placed = Vec::with_capacity(items.len());
    for same in items.chunk_by(|one, next| one.item.category == next.item.category) {
        let mut capped: Vec<PlacedItem> = same.iter().map(capped).collect();
        if let Some(budget) = budgets.get(&same[0].item.category) {
            fit(&mut capped, same, u64::from(*budget));
        }
        placed.append(&mut capped);
    }
    placed
}

/// Empties items of a category until the rest fits its budget. The highest priority numbers go first, and among equals
/// the last item.
fn fit(placed: &mut [PlacedItem], items: &[ProvidedItem], budget: u64) {
    let mut total: u64 = placed.iter().map(|item| item.tokens).sum();
    let mut order: Vec<usize> = (0..placed.len()).collect();
    order.sort_by_key(|index| items[*index].item.priority);
    for index in order.into_iter().rev() {
        if total <= budget {
            break;
        }
        let item = &mut placed[index];
        total -= item.tokens;
        let from = item.cut.map_or(item.tokens, |cut| cut.from);
        (item.text, item.tokens, item.cut) = (String::new(), 0, Some(Cut { from, why: CutReason::Budget }));
    }
}

/// Empties optional items, the last first, until `needed` tokens are saved. Returns `true` if it emptied any.
pub(super) fn drop_optional(placed: &mut [PlacedItem], needed: u64) -> bool {
    let mut saved = 0;
    for item in placed.iter_mut().rev().filter(|item| item.is_optional() && item.tokens > 0) {
        if saved >= needed {
            break;
        }
        saved += item.tokens;
        let from = item.cut.map_or(item.tokens, |cut| cut.from);
        (item.text, item.tokens, item.cut) = (String::new(), 0, Some(Cut { from, why: CutReason::Room }));
    }
    saved > 0
}

/// Returns the item, cut to its cap.
fn capped(provided: &ProvidedItem) -> PlacedItem {
    let ProvidedItem { item, is_required } = provided;
    let text = item.text.trim_end();
    let whole = tokens::of_text(text);
    let cap = item.cap.map(u64::from).filter(|cap| *cap < whole);
    let text = cap.map_or_else(|| text.to_owned(), |cap| cut_at_line(text, cap));
    let (category, source, untrusted) = (item.category, item.source.clone(), item.untrusted);
    let cut = cap.map(|_| Cut { from: whole, why: CutReason::Cap });
    PlacedItem { category, source, tokens: tokens::of_text(&text), text, untrusted, cut, is_required: *is_required }
}

/// Returns as many whole leading lines as fit into `cap`, with a last line that marks the omission. If the first line
/// alone does not fit, cuts within it. If not even the last line fits, returns an empty text.
pub(super) fn cut_at_line(text: &str, cap: u64) -> String {
    const MARKER: &str = "[… the rest is left out]";
    // One token covers the line break and the rounding of both estimates.
    let Some(room) = cap.checked_sub(tokens::of_text(MARKER)) else { return String::new() };
    let room = room.saturating_sub(1);
    let fits = |end: usize| tokens::of_text(&text[..end]) <= room;
    // The estimate grows monotonically with the text, which allows a binary search.
    let ends: Vec<usize> = text.match_indices('\n').map(|(end, _)| end).collect();
    let kept = match ends.partition_point(|end| fits(*end)) {
        0 => {
            let borders: Vec<usize> = text.char_indices().map(|(border, _)| border).collect();
            borders.partition_point(|border| fits(*border)).checked_sub(1).map_or(0, |last| borders[last])
        }
        lines => ends[lines - 1],
    };
    let kept = text[..kept].trim_end();
    if kept.is_empty() { MARKER.to_owned() } else { format!("{kept}\n{MARKER}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(category: Category, text: &str) -> ContextItem {
        ContextItem::new(category, text, text)
    }

    fn place(items: Vec<ContextItem>, budgets: &BTreeMap<Category, u32>) -> Vec<PlacedItem> {
        let provided = items.into_iter().map(|item| ProvidedItem { item, is_required: false });
        super::place(provided.collect(), budgets)
    }

    fn texts(placed: &[PlacedItem]) -> Vec<&str> {
        placed.iter().map(|item| item.text.as_str()).collect()
    }

    #[test]
    fn every_category_has_one_place_and_items_of_the_same_keep_their_order() {
        use Category::{Bootstrap, Constraints, Knowledge, Memory, Skills, Status, System, Tools};
        let given = [Status, Tools, Skills, Knowledge, Memory, Bootstrap, System, Constraints];
        let mut items: Vec<ContextItem> = given.iter().map(|category| item(*category, category.name())).collect();
        items.push(item(System, "second"));
        items.push(item(System, " \n"));
        let expected =
            ["constraints", "system", "second", "bootstrap", "memory", "knowledge", "skills", "tools", "status"];
        assert_eq!(texts(&place(items, &BTreeMap::new())), expected);
    }

    #[test]
    fn an_item_over_its_cap_is_cut_at_a_line_and_never_larger_than_its_cap() {
        let long = "a line of text\n".repeat(40);
        for (text, cap, kept_lines) in [
            (long.as_str(), 1_000, Some(40)),
            (long.as_str(), 30, Some(6)),
            ("日本語の長い行".repeat(20).as_str(), 30, None),
            (long.as_str(), 7, Some(0)),
            (long.as_str(), 6, Some(0)),
        ] {
            let placed = place(vec![ContextItem { cap: Some(cap), ..item(Category::System, text) }], &BTreeMap::new());
            let cut = placed[0].cut;
            assert_eq!(cut.is_some(), tokens::of_text(text.trim_end()) > u64::from(cap));
            if cut.is_some() {
                assert!(placed[0].tokens <= u64::from(cap), "{placed:?}");
                assert_eq!(placed[0].text.ends_with("[… the rest is left out]"), cap >= 7, "{placed:?}");
            }
            if let Some(lines) = kept_lines {
                assert_eq!(placed[0].text.matches("a line of text").count(), lines, "{cap}");
            }
        }
    }

    #[test]
    fn optional_items_are_left_out_from_the_last_one_on_until_that_makes_enough_room() {
        let text = "x".repeat(40);
        let categories =
            [Category::Constraints, Category::System, Category::Memory, Category::Skills, Category::Status];
        for (needed, left) in [(1, 4), (10, 4), (11, 3), (30, 2), (1_000, 2)] {
            let mut placed = place(categories.map(|category| item(category, &text)).into(), &BTreeMap::new());
            assert!(drop_optional(&mut placed, needed));
            let kept = placed.iter().take_while(|item| item.tokens > 0).count();
            assert_eq!((kept, placed.iter().filter(|item| item.tokens > 0).count()), (left, left), "{needed}");
            for item in &placed[left..] {
                assert_eq!(item.cut, Some(Cut { from: 10, why: CutReason::Room }));
            }
            assert_eq!(drop_optional(&mut placed, 1), left > 2);
        }
    }

    #[test]
    fn items_of_a_closed_provider_are_not_left_out() {
        let provided = |text: &str, is_required| ProvidedItem { item: item(Category::Memory, text), is_required };
        let mut placed = super::place(vec![provided("likes", false), provided("policy", true)], &BTreeMap::new());
        assert!(drop_optional(&mut placed, 1_000));
        assert_eq!(texts(&placed), ["", "policy"]);
        assert!(!drop_optional(&mut placed, 1_000));
    }

    #[test]
    fn a_category_over_its_budget_loses_the_items_that_matter_least_first() {
        let text = "x".repeat(40);
        let items = [2, 9, 1, 9].map(|priority| ContextItem { priority, ..item(Category::Memory, &text) });
        let other = item(Category::Status, &text);
        for (budget, left) in
            [(40, [true; 4]), (39, [true, true, true, false]), (20, [true, false, true, false]), (9, [false; 4])]
        {
            let budgets = BTreeMap::from([(Category::Memory, budget)]);
            let placed = place(items.iter().cloned().chain([other.clone()]).collect(), &budgets);
            let kept: Vec<bool> = placed.iter().map(|item| item.tokens > 0).collect();
            assert_eq!(kept, [left.as_slice(), &[true]].concat(), "{budget}");
            for item in placed.iter().filter(|item| item.tokens == 0) {
                assert_eq!(item.cut, Some(Cut { from: 10, why: CutReason::Budget }));
            }
        }
    }
}
