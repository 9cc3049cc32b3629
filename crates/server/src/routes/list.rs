//! Lists, a part at a time.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::error::ApiError;

/// How much of a list a client gets if it does not say.
const USUAL_LIMIT: u32 = 50;
/// How much of a list a client gets at most.
const HIGHEST_LIMIT: u32 = 200;

/// A part of a list.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct List<T> {
    /// What is in it.
    pub data: Vec<T>,
    /// The `cursor` of the part after this one, if there is more.
    #[schema(required)]
    pub next: Option<String>,
}

/// Which part of a list is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limit(u32);

impl Limit {
    /// Reads `?limit=`.
    pub(crate) fn read(text: Option<&str>) -> Result<Self, ApiError> {
        let Some(text) = text else { return Ok(Self(USUAL_LIMIT)) };
        let limit = text.parse().ok().filter(|limit| (1..=HIGHEST_LIMIT).contains(limit));
        limit.map(Self).ok_or_else(|| ApiError::field("limit", format!("it is a number from 1 to {HIGHEST_LIMIT}")))
    }

    /// How many are shown at most.
    pub(crate) fn shown(self) -> u32 {
        self.0
    }

    /// How many rows to read: one more than is shown, to see whether there is more.
    pub(crate) fn rows(self) -> u32 {
        self.0 + 1
    }

    /// The part of a list that `rows` are; `cursor` names a row to go on after.
    pub(crate) fn list<R, T: From<R>>(self, mut rows: Vec<R>, cursor: impl Fn(&R) -> String) -> List<T> {
        let more = rows.len() > self.0 as usize;
        rows.truncate(self.0 as usize);
        let next = rows.last().filter(|_| more).map(cursor);
        List { data: rows.into_iter().map(T::from).collect(), next }
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
    fn a_limit_is_a_number_from_1_to_200() {
        for text in ["0", "201", "-1", "", "x", "4294967296", "1.5"] {
            assert!(Limit::read(Some(text)).is_err(), "{text}");
        }
        assert_eq!(Limit::read(Some("200")).unwrap().rows(), 201);
        assert_eq!(Limit::read(None).unwrap().rows(), 51);
    }
}
