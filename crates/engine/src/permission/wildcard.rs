//! Patterns with parts that stand for any others.

/// Reports whether `pattern` is `name`; a `*` at its end stands for any rest.
pub(crate) fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}

/// Reports whether `pattern` matches all of `items`, where each of its elements that `is_any` stands for any number of
/// items. It takes at most as many steps as the product of both lengths.
pub(super) fn matches_all<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    equal: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    // The last element that stands for any items, and the first item that it leaves to the rest of the pattern.
    let mut retry: Option<(usize, usize)> = None;
    while item < items.len() {
        match pattern.get(at) {
            Some(element) if is_any(element) => {
                retry = Some((at, item));
                at += 1;
            }
            Some(element) if items.get(item).is_some_and(|item| equal(element, item)) => {
                at += 1;
                item += 1;
            }
            _ => match retry {
                Some((any, first)) => {
                    retry = Some((any, first + 1));
                    at = any + 1;
                    item = first + 1;
                }
                None => return false,
            },
        }
    }
    pattern.get(at..).is_some_and(|rest| rest.iter().all(is_any))
}
