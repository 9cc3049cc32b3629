//! OpenAI's Chat Completions, as its many compatible servers speak it.

mod arguments;
mod calls;
mod decode;
mod encode;
mod error;
mod lenient;
mod message;
mod parts;
mod stream;
mod surrogates;
mod template;
mod types;
mod usage;

pub use decode::{Decoder, decode_body};
pub use encode::{OutputLimit, WIRE, encode};
pub use error::{ErrorResponse, classify};
pub use stream::StreamDecoder;
