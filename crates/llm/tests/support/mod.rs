//! Decoding an answer the way the transport does, and looking at what came out.

use turnkit_core::{Answer, Delta, Fold, Partial, ProviderError, TurnId};
use turnkit_llm::wire::openai_chat::{StreamDecoder, decode_body};

/// A whole answer, or what was there and why it is not whole.
pub(crate) type Outcome = Result<Answer, Box<Broken>>;

/// An answer that is not whole.
#[derive(Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) error: ProviderError,
    pub(crate) partial: Partial,
}

/// The outcome of a streamed answer that arrived in these reads.
pub(crate) fn streamed<'a>(reads: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let (mut decoder, mut deltas) = (StreamDecoder::default(), Vec::new());
    let read_all = || {
        reads.into_iter().try_for_each(|read| decoder.push(read, &mut deltas))?;
        decoder.end(&mut deltas)
    };
    let ended = read_all();
    fold(&deltas, ended)
}

/// The outcome of a buffered answer.
#[allow(dead_code, reason = "not every test binary decodes buffered answers")]
pub(crate) fn buffered(body: &[u8]) -> Outcome {
    match decode_body(body) {
        Ok(deltas) => fold(&deltas, Ok(())),
        Err(error) => fold(&[], Err(error)),
    }
}

/// Folds deltas, which must fit each other.
pub(crate) fn fold(deltas: &[Delta], ended: Result<(), ProviderError>) -> Outcome {
    let mut fold = Fold::new(TurnId::default(), 1);
    for delta in deltas {
        assert_eq!(fold.push(delta), Ok(()), "{delta:?} in {deltas:#?}");
    }
    match ended {
        Ok(()) => {
            let partial = fold.clone().abandon();
            fold.finish().map_err(|error| Box::new(Broken { error, partial }))
        }
        Err(error) => Err(Box::new(Broken { error, partial: fold.abandon() })),
    }
}
