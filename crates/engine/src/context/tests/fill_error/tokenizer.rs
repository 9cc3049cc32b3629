//! Counts tokens as a provider does.

use tiktoken_rs::{CoreBPE, cl100k_base_singleton, o200k_base_singleton};
use turnkit_core::{ChatRequest, Image, Message, Part};

/// The tokens around a message: its role and its delimiters.
const PER_MESSAGE: u64 = 4;
/// The tokens that start the answer.
const ANSWER: u64 = 3;
/// The tokens around a tool call, and around a tool definition.
const PER_CALL: u64 = 8;
const PER_TOOL: u64 = 10;

/// A vocabulary of OpenAI's models, with their rules for counting messages, calls and images.
pub(super) struct Tokenizer {
    pub(super) name: &'static str,
    vocabulary: &'static CoreBPE,
}

impl Tokenizer {
    pub(super) fn all() -> [Self; 2] {
        [
            Self { name: "o200k_base", vocabulary: o200k_base_singleton() },
            Self { name: "cl100k_base", vocabulary: cl100k_base_singleton() },
        ]
    }

    /// Counts the instructions, the tools and the start of the answer.
    pub(super) fn overhead(&self, request: &ChatRequest) -> u64 {
        let instructions = request.instructions.as_deref().map_or(0, |text| PER_MESSAGE + self.text(text));
        let tools = request.tools.iter().map(|tool| {
            let texts = [&*tool.name, &*tool.description, tool.parameters.get()];
            PER_TOOL + texts.into_iter().map(|text| self.text(text)).sum::<u64>()
        });
        ANSWER + instructions + tools.sum::<u64>()
    }

    /// Counts a message.
    pub(super) fn message(&self, message: &Message) -> u64 {
        PER_MESSAGE + message.parts.iter().map(|part| self.part(part)).sum::<u64>()
    }

    fn part(&self, part: &Part) -> u64 {
        match part {
            Part::Text(text) => self.text(&text.text),
            Part::ToolCall(call) => PER_CALL + self.text(&call.name) + self.text(&call.arguments.0),
            Part::ToolResult(result) => self.text(&result.content),
            Part::Image(image) => of_image(image),
            other => panic!("no session has {other:?}"),
        }
    }

    fn text(&self, text: &str) -> u64 {
        self.vocabulary.count_ordinary(text) as u64
    }
}

/// Counts an image whose name is its size. The image is scaled to at most 2,048 pixels per side and to 768 on the
/// shorter one, and each tile of 512 pixels is counted.
fn of_image(image: &Image) -> u64 {
    let size = image.url.rsplit('/').next().unwrap().strip_suffix(".png").unwrap();
    let (width, height) = size.split_once('x').unwrap();
    let (width, height): (f64, f64) = (width.parse().unwrap(), height.parse().unwrap());
    let scale = (2_048.0 / width.max(height)).min(1.0);
    let scale = scale * (768.0 / (width.min(height) * scale)).min(1.0);
    let tiles = |side: f64| (side * scale / 512.0).ceil();
    85 + 170 * (tiles(width) * tiles(height)) as u64
}
