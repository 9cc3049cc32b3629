//! Decoding of bodies that arrive compressed although no request asks for compression.
//!
//! Every request sends `accept-encoding: identity`. Some gateways compress the response anyway.

use std::io::{self, Write};

use brotli_decompressor::{BrotliDecoderParameter, DecompressorWriter};
use bytes::Bytes;
use flate2::write::MultiGzDecoder;
use hyper::header::{CONTENT_ENCODING, HeaderMap};

use crate::NetError;

/// The first byte of every gzip stream.
const GZIP: u8 = 0x1F;
/// The size of brotli's output buffer, in bytes.
const BUFFER: usize = 8 * 1024;
/// Maximum number of characters of an unsupported encoding that the error repeats.
const MAX_NAME: usize = 64;

/// Decoder of a compressed body, fed as the body arrives.
pub(crate) struct Encoded {
    decoder: Decoder,
    /// How many more compressed bytes may arrive.
    left: usize,
    has_begun: bool,
}

enum Decoder {
    Gzip(Box<MultiGzDecoder<LimitedOutput>>),
    Brotli(Box<DecompressorWriter<LimitedOutput>>),
    /// Not encoded, contrary to the response header: some proxies decode the body and leave the header unchanged.
    Plain,
    /// An unsupported encoding.
    Unknown(String),
}

/// Output of a decoder, with a limit.
struct LimitedOutput {
    bytes: Vec<u8>,
    left: usize,
    is_over: bool,
}

impl Encoded {
    /// Returns the decoder for a response with these headers; `None` for a body that is not encoded.
    pub(crate) fn from_headers(headers: &HeaderMap, max_body: usize) -> Option<Box<Self>> {
        let named = headers.get_all(CONTENT_ENCODING).iter().map(|value| value.to_str().unwrap_or("?").trim());
        let named = named.filter(|name| !name.is_empty() && !name.eq_ignore_ascii_case("identity"));
        let encoding = named.collect::<Vec<_>>().join(", ").to_ascii_lowercase();
        let output = LimitedOutput { bytes: Vec::new(), left: max_body, is_over: false };
        let decoder = match encoding.as_str() {
            "" => return None,
            "gzip" | "x-gzip" => Decoder::Gzip(Box::new(MultiGzDecoder::new(output))),
            "br" => {
                let mut decoder = DecompressorWriter::new(output, BUFFER);
                // The `br` encoding of HTTP has no large windows. They would take up to a gigabyte.
                decoder.set_parameter(BrotliDecoderParameter::BROTLI_DECODER_PARAM_LARGE_WINDOW, 0);
                Decoder::Brotli(Box::new(decoder))
            }
            _ => Decoder::Unknown(encoding.chars().take(MAX_NAME).collect()),
        };
        Some(Box::new(Self { decoder, left: max_body, has_begun: false }))
    }

    /// Decodes the next bytes as far as possible. Fails if the result is longer than `max` bytes.
    pub(crate) fn take(&mut self, arrived: &Bytes, max: usize) -> Result<Bytes, NetError> {
        self.left = self.left.checked_sub(arrived.len()).ok_or(NetError::TooLarge)?;
        let Some(first) = arrived.first() else { return Ok(Bytes::new()) };
        if !std::mem::replace(&mut self.has_begun, true) && *first != GZIP && matches!(self.decoder, Decoder::Gzip(_)) {
            self.decoder = Decoder::Plain;
        }
        if let Some(output) = self.output() {
            output.left = max;
        }
        let (name, written) = match &mut self.decoder {
            Decoder::Gzip(decoder) => ("gzip", decoder.write_all(arrived).and_then(|()| decoder.flush())),
            Decoder::Brotli(decoder) => ("br", decoder.write_all(arrived)),
            Decoder::Plain => return Ok(arrived.clone()),
            Decoder::Unknown(encoding) => return Err(NetError::Encoding(std::mem::take(encoding))),
        };
        let Some(output) = self.output() else { return Ok(Bytes::new()) };
        match written {
            Ok(()) => Ok(std::mem::take(&mut output.bytes).into()),
            Err(_) if output.is_over => Err(NetError::TooLarge),
            Err(_) => Err(NetError::Damaged(name)),
        }
    }

    /// Checks at the end of the body that it is complete.
    pub(crate) fn end(&mut self) -> Result<(), NetError> {
        let ended = match &mut self.decoder {
            _ if !self.has_begun => Ok(()),
            Decoder::Gzip(decoder) => decoder.try_finish(),
            Decoder::Brotli(decoder) => decoder.close(),
            Decoder::Plain | Decoder::Unknown(_) => Ok(()),
        };
        ended.map_err(|_| NetError::Incomplete)
    }

    fn output(&mut self) -> Option<&mut LimitedOutput> {
        match &mut self.decoder {
            Decoder::Gzip(decoder) => Some(decoder.get_mut()),
            Decoder::Brotli(decoder) => Some(decoder.get_mut()),
            Decoder::Plain | Decoder::Unknown(_) => None,
        }
    }
}

impl std::fmt::Debug for Encoded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Encoded").field("left", &self.left).finish_non_exhaustive()
    }
}

impl Write for LimitedOutput {
    fn write(&mut self, decoded: &[u8]) -> io::Result<usize> {
        match self.left.checked_sub(decoded.len()) {
            Some(left) => {
                self.left = left;
                self.bytes.extend_from_slice(decoded);
                Ok(decoded.len())
            }
            None => {
                self.is_over = true;
                Err(io::Error::other("larger than its limit"))
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
