//! The words of tools, for searches.

use std::collections::HashMap;

use turnkit_core::ToolDefinition;

/// What a word of a query adds to the score of a tool whose name has it as a whole word, or as a part of one.
const IN_NAME: (u32, u32) = (8, 4);
/// The same for a description.
const IN_DESCRIPTION: (u32, u32) = (2, 1);

/// The words of the names and descriptions of tools, in lower case.
pub(super) struct SearchIndex {
    /// Each word once, with the places of the tools that have it.
    words: HashMap<String, Vec<Occurrence>>,
}

/// The occurrence of a word in a tool.
#[derive(PartialEq, Eq)]
struct Occurrence {
    place: usize,
    is_in_name: bool,
}

impl SearchIndex {
    /// Creates the index of these tools, each with its place.
    pub(super) fn new<'a>(tools: impl Iterator<Item = (usize, &'a ToolDefinition)>) -> Self {
        let mut index = Self { words: HashMap::new() };
        for (place, tool) in tools {
            words(&tool.name).for_each(|word| index.add(word, Occurrence { place, is_in_name: true }));
            words(&tool.description).for_each(|word| index.add(word, Occurrence { place, is_in_name: false }));
        }
        index
    }

    fn add(&mut self, word: String, occurrence: Occurrence) {
        let known = self.words.entry(word).or_default();
        if known.last() != Some(&occurrence) {
            known.push(occurrence);
        }
    }

    /// Returns the places of the tools that have words of the query, each with its score. A whole word counts more than
    /// a part of one, and the name more than the description.
    pub(super) fn scores(&self, query: &str) -> HashMap<usize, u32> {
        let mut scores = HashMap::new();
        for word in words(query) {
            for (place, (in_name, in_description)) in self.best(&word) {
                *scores.entry(place).or_default() += in_name + in_description;
            }
        }
        scores
    }

    /// Returns the best scores of each tool for a word of a query: those of its name and of its description.
    fn best(&self, word: &str) -> HashMap<usize, (u32, u32)> {
        let mut best: HashMap<usize, (u32, u32)> = HashMap::new();
        for (known, occurrences) in self.words.iter().filter(|(known, _)| known.contains(word)) {
            let score = |(whole, part): (u32, u32)| if known == word { whole } else { part };
            for Occurrence { place, is_in_name } in occurrences {
                let (in_name, in_description) = best.entry(*place).or_default();
                match *is_in_name {
                    true => *in_name = score(IN_NAME).max(*in_name),
                    false => *in_description = score(IN_DESCRIPTION).max(*in_description),
                }
            }
        }
        best
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|character: char| !character.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_counts_once_for_the_name_and_once_for_the_description() {
        let tool = |name, description| ToolDefinition::new(name, description, "{}").unwrap();
        let tools = [
            tool("tickets__find", "Finds tickets, old tickets and new ones."),
            tool("orders__list", "Lists orders. FIND an order by its number."),
            tool("clock", "The time."),
        ];
        let index = SearchIndex::new(tools.iter().enumerate());
        for (query, expected) in [
            ("find", &[(0, 8 + 1), (1, 2)][..]),
            ("Tickets", &[(0, 8 + 2)]),
            ("ticket", &[(0, 4 + 1)]),
            ("ticket ticket order", &[(0, 10), (1, 4 + 2)]),
            ("nothing, of these", &[]),
            ("", &[]),
        ] {
            let mut scores: Vec<_> = index.scores(query).into_iter().collect();
            scores.sort_unstable();
            assert_eq!(scores, expected, "{query}");
        }
    }
}
