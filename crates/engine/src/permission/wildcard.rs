//! Patterns with wildcards.

/// Reports whether `pattern` matches `name`. A `*` at its end matches any rest.
pub(crate) fn matches_name(pattern: &str, name: &str) -> bool {
    match pattern.strip_suffix('*') {
        Some(prefix) => name.starts_with(prefix),
        None => name == pattern,
    }
}

/// Reports whether `pattern` matches all of `items`. Each element for which `is_any` returns `true` matches any number
/// of items. Takes at most as many steps as the product of both lengths.
pub(super) fn matches_all<P, T>(
    pattern: &[P],
    items: &[T],
    is_any: impl Fn(&P) -> bool,
    equal: impl Fn(&P, &T) -> bool,
) -> bool {
    let (mut at, mut item) = (0, 0);
    // The last wildcard element, and the first item after those that it matches.
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
