//! Mutates valid answers.

/// Text to insert: values of every type, and bytes that end a value, a string or a line.
const ODD: [&[u8]; 20] = [
    b"null",
    b"\"\"",
    b"0",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"true",
    b"[]",
    b"{}",
    b"\"\\ud83d\"",
    b"\n\n",
    b"\r",
    b"data: ",
    b"data: [DONE]\n\n",
    b"\xEF\xBB\xBF",
    b"\xFF",
    b"\0",
    b"\"",
    b"}",
    b"[[[[[[[[",
];

/// An infinite, deterministic sequence of inputs, each made from seeds by a few changes.
pub(crate) struct Mutations {
    seeds: Vec<Vec<u8>>,
    state: u64,
}

impl Mutations {
    /// Creates mutations of these seeds.
    pub(crate) fn of(seeds: Vec<Vec<u8>>) -> Self {
        Self { seeds, state: 1 }
    }

    /// Returns a number below `most`. A `most` of zero counts as one.
    fn below(&mut self, most: usize) -> usize {
        self.state = self.state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.state >> 33) as usize % most.max(1)
    }

    fn seed(&mut self) -> Vec<u8> {
        let at = self.below(self.seeds.len());
        self.seeds[at].clone()
    }

    /// Returns some lines of a seed, with their line ends.
    fn lines(&mut self) -> Vec<u8> {
        let seed = self.seed();
        let lines: Vec<&[u8]> = seed.split_inclusive(|byte| *byte == b'\n').collect();
        let from = self.below(lines.len());
        let count = 1 + self.below(4);
        lines.iter().skip(from).take(count).copied().collect::<Vec<_>>().concat()
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        let at = self.below(input.len() + 1);
        match self.below(6) {
            0 => input.truncate(at),
            1 => {
                let end = (at + 1 + self.below(40)).min(input.len());
                input.drain(at..end);
            }
            2 => {
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << (self.state % 8);
                }
            }
            3 => {
                let odd = ODD[self.below(ODD.len())];
                input.splice(at..at, odd.iter().copied());
            }
            // Replaces a JSON value.
            4 => {
                let value = input[at..].iter().position(|byte| *byte == b':').map_or(at, |colon| at + colon + 1);
                let end = input[value..].iter().position(|byte| b",}]".contains(byte)).map_or(value, |end| value + end);
                let odd = ODD[self.below(ODD.len())];
                input.splice(value..end, odd.iter().copied());
            }
            // Inserts lines of another answer, or of the same one.
            _ => {
                let line = input[at..].iter().position(|byte| *byte == b'\n').map_or(at, |end| at + end + 1);
                let lines = self.lines();
                input.splice(line..line, lines);
            }
        }
    }
}

impl Iterator for Mutations {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        let mut input = self.seed();
        for _ in 0..=self.below(4) {
            self.change(&mut input);
        }
        Some(input)
    }
}
