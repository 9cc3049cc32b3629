//! Pages of lists.

use std::io;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use turnkit_core::StoreError;
use utoipa::{IntoParams, ToSchema};

use crate::error::ApiError;

/// The number of items in a page if the client sets no limit.
const DEFAULT_LIMIT: u32 = 50;
/// The largest number of items in a page.
const MAX_LIMIT: u32 = 200;
/// The largest size of a page with more than one item, in bytes of JSON.
const MAX_BYTES: usize = 1024 * 1024;

/// A page of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct List<T> {
    /// The items of the page.
    pub data: Vec<T>,
    /// The `cursor` of the next page, if there is one.
    #[schema(required)]
    pub next: Option<String>,
    /// Ids or storage locations of damaged items in this page.
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<String>,
}

impl<T> List<T> {
    /// Returns an empty page.
    pub fn empty() -> Self {
        Self { data: Vec::new(), next: None, unreadable: Vec::new() }
    }
}

/// The query parameters that select a page.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct Page {
    /// The largest number of items to return, up to 200.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 200, default = 50)]
    pub(crate) limit: Option<String>,
    /// The `next` of the previous page.
    pub(crate) cursor: Option<String>,
}

/// Reads the id by which the parameter `name` filters a list. A text that is not an id is rejected like an unknown id.
pub(crate) fn id_filter<T: FromStr>(name: &str, text: Option<String>) -> Result<Option<T>, ApiError> {
    text.map(|id| id.parse().map_err(|_| no_such(name))).transpose()
}

/// Returns the error of a list. If the request has a single id, `only` is its parameter, and `NotFound` is reported for
/// it.
pub(crate) fn list_error(error: StoreError, only: Option<&str>) -> ApiError {
    match (error, only) {
        (StoreError::NotFound, Some(name)) => no_such(name),
        (error, _) => error.into(),
    }
}

fn no_such(name: &str) -> ApiError {
    ApiError::unknown(name, format_args!("there is no such {name}"))
}

/// The requested number of items.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit(u32);

impl Limit {
    /// Reads `?limit=`.
    pub(crate) fn read(text: Option<&str>) -> Result<Self, ApiError> {
        Self::read_up_to(text, MAX_LIMIT)
    }

    /// Reads `?limit=` of a list whose pages hold at most `highest` items.
    pub(crate) fn read_up_to(text: Option<&str>, highest: u32) -> Result<Self, ApiError> {
        let Some(text) = text else { return Ok(Self(DEFAULT_LIMIT)) };
        let limit = text.parse().ok().filter(|limit| (1..=highest).contains(limit));
        limit.map(Self).ok_or_else(|| ApiError::field("limit", format!("must be a number from 1 to {highest}")))
    }

    /// Returns the largest number of items in the page.
    pub(crate) fn shown(self) -> u32 {
        self.0
    }

    /// Returns the number of rows to read: one more than the page holds, to detect a next page.
    pub(crate) fn rows(self) -> u32 {
        self.0 + 1
    }

    /// Returns the page of a list in memory that follows the row with this cursor, or the first one.
    ///
    /// # Errors
    /// The cursor does not belong to the list.
    pub(crate) fn list_after<R, T: From<R> + Serialize>(
        self,
        after: Option<&str>,
        mut rows: Vec<R>,
        cursor: impl Fn(&R) -> String,
    ) -> Result<List<T>, ApiError> {
        if let Some(after) = after {
            let place = rows.iter().position(|row| cursor(row) == after).ok_or_else(ApiError::not_found)?;
            rows.drain(..=place);
        }
        Ok(self.list(rows, cursor))
    }

    /// Returns the page at the start of `rows`. `cursor` returns the cursor that continues after a row.
    pub(crate) fn list<R, T: From<R> + Serialize>(self, rows: Vec<R>, cursor: impl Fn(&R) -> String) -> List<T> {
        let (mut list, mut bytes, mut last) = (List::empty(), 0, None);
        for row in rows {
            let place = cursor(&row);
            let item = T::from(row);
            bytes += json_bytes(&item);
            let full = list.data.len() == self.0 as usize || bytes > MAX_BYTES;
            if full && last.is_some() {
                list.next = last;
                return list;
            }
            list.data.push(item);
            last = Some(place);
        }
        list
    }
}

/// Returns the length of a value as JSON, without storing the JSON.
fn json_bytes(value: &impl Serialize) -> usize {
    struct Count(usize);

    impl io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    match serde_json::to_writer(&mut count, value) {
        Ok(()) => count.0,
        // A value that cannot be serialized counts as empty.
        Err(_) => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_names_its_next_part_only_if_there_is_one() {
        let limit = Limit::read(Some("2")).unwrap();
        for (rows, data, next) in
            [(vec![], vec![], None), (vec![1, 2], vec![1, 2], None), (vec![1, 2, 3], vec![1, 2], Some("2"))]
        {
            let list: List<i32> = limit.list(rows, i32::to_string);
            assert_eq!((list.data, list.next.as_deref()), (data, next));
        }
    }

    #[test]
    fn a_part_ends_before_it_is_too_large_but_holds_one_thing_whatever_its_size() {
        let limit = Limit::read(None).unwrap();
        let row = |kibibytes: usize| "a".repeat(kibibytes * 1024);
        for (sizes, shown) in
            [(&[500, 500, 500][..], 2), (&[500, 2000], 1), (&[2000, 1], 1), (&[2000], 1), (&[1; 50], 50)]
        {
            let list: List<String> = limit.list(sizes.iter().copied().map(row).collect(), |row| row.len().to_string());
            assert_eq!(list.data.len(), shown, "{sizes:?}");
            let next = (shown < sizes.len()).then(|| (sizes[shown - 1] * 1024).to_string());
            assert_eq!(list.next, next, "{sizes:?}");
        }
    }

    #[test]
    fn a_limit_is_a_number_from_1_to_200() {
        for text in ["0", "201", "-1", "", "x", "4294967296", "1.5"] {
            assert!(Limit::read(Some(text)).is_err(), "{text}");
        }
        assert_eq!(Limit::read(Some("200")).unwrap().rows(), 201);
        assert_eq!(Limit::read(None).unwrap().rows(), 51);
    }
}
