//! Decodes answers in the same way as the transport, and inspects the results.

pub(crate) mod case;
pub(crate) mod recording;

use std::path::{Path, PathBuf};

use turnkit_core::{Answer, CallUid, Delta, Fold, Part, PartialAnswer, ProviderError, TurnId};
use turnkit_llm::wire::{AnswerDecoder, Vendor, Wire};

/// A complete answer, or a partial one with its error.
pub(crate) type Outcome = Result<Answer, Box<Broken>>;

/// An incomplete answer.
#[derive(Debug, PartialEq)]
pub(crate) struct Broken {
    pub(crate) error: ProviderError,
    pub(crate) partial: PartialAnswer,
}

/// Returns the outcome of a streamed answer that arrives in these reads.
#[allow(dead_code, reason = "not every test binary decodes answers itself")]
pub(crate) fn streamed<'a>(wire: Wire, reads: impl IntoIterator<Item = &'a [u8]>) -> Outcome {
    let (mut decoder, mut deltas) = (decoder(wire), Vec::new());
    let read_all = || {
        reads.into_iter().try_for_each(|read| decoder.push(read, &mut deltas))?;
        decoder.end(&mut deltas)
    };
    let ended = read_all();
    fold(&deltas, ended)
}

/// Returns the outcome of a buffered answer.
#[allow(dead_code, reason = "not every test binary decodes buffered answers")]
pub(crate) fn buffered(wire: Wire, body: &[u8]) -> Outcome {
    let mut deltas = Vec::new();
    let ended = decoder(wire).body(body, &mut deltas);
    fold(&deltas, ended)
}

fn decoder(wire: Wire) -> AnswerDecoder {
    AnswerDecoder::new(wire, &Vendor::of(wire, "vendor.example"))
}

/// Folds deltas, which must be consistent.
pub(crate) fn fold(deltas: &[Delta], ended: Result<(), ProviderError>) -> Outcome {
    let mut fold = Fold::new(TurnId::default(), 1);
    for delta in deltas {
        assert_eq!(fold.push(delta), Ok(()), "{delta:?} in {deltas:#?}");
    }
    outcome(fold, ended)
}

fn outcome(fold: Fold, ended: Result<(), ProviderError>) -> Outcome {
    match ended {
        Ok(()) => {
            let partial = fold.clone().abandon();
            fold.finish().map_err(|error| Box::new(Broken { error, partial }))
        }
        Err(error) => Err(Box::new(Broken { error, partial: fold.abandon() })),
    }
}

/// Returns the outcomes of a streamed answer that is cut at each of these places, in order.
#[allow(dead_code, reason = "not every test binary cuts answers")]
pub(crate) fn cut_at<'a>(
    wire: Wire,
    body: &'a [u8],
    places: impl IntoIterator<Item = usize> + 'a,
) -> impl Iterator<Item = (usize, Outcome)> + 'a {
    let (mut decoder, mut fold, mut deltas) = (decoder(wire), Fold::new(TurnId::default(), 1), Vec::new());
    let (mut read, mut failed) = (0, Ok(()));
    places.into_iter().map(move |at| {
        if failed.is_ok() {
            failed = decoder.push(&body[read..at], &mut deltas);
            deltas.drain(..).for_each(|delta| assert_eq!(fold.push(&delta), Ok(()), "{delta:?}"));
        }
        read = at;
        let (mut last, mut whole) = (Vec::new(), fold.clone());
        let ended = failed.clone().and_then(|()| decoder.clone().end(&mut last));
        last.iter().for_each(|delta| assert_eq!(whole.push(delta), Ok(()), "{delta:?}"));
        (at, outcome(whole, ended))
    })
}

/// Returns the name and arguments of the calls that would run.
#[allow(dead_code, reason = "not every test binary looks at calls")]
pub(crate) fn runnable(outcome: &Outcome) -> Vec<(String, String)> {
    let (parts, cut): (&[Part], &[CallUid]) = match outcome {
        Ok(answer) => (&answer.parts, &answer.cut),
        Err(broken) => (&broken.partial.parts, &broken.partial.cut),
    };
    let calls = parts.iter().filter_map(|part| match part {
        Part::ToolCall(call) => Some(call),
        _ => None,
    });
    let whole = calls.filter(|call| !cut.contains(&call.uid));
    whole.map(|call| (call.name.clone(), call.arguments.0.clone())).collect()
}

/// Returns the end of the first word that may end a stream. No shorter prefix is a complete answer.
#[allow(dead_code, reason = "not every test binary cuts answers")]
pub(crate) fn first_terminator(wire: Wire, body: &[u8]) -> usize {
    let text = String::from_utf8_lossy(body);
    assert_eq!(text.len(), body.len(), "recordings are UTF-8");
    let first = |words: &[&str]| words.iter().filter_map(|word| Some(text.find(word)? + word.len())).min();
    let found = match wire {
        Wire::OpenaiChat => {
            let finish = text.match_indices("\"finish_reason\":").filter_map(|(at, key)| {
                let value = &text[at + key.len()..];
                let word = value.trim_start().strip_prefix('"')?;
                let length = word.find('"').filter(|length| *length > 0)?;
                Some(text.len() - value.len() + (value.len() - word.len()) + length + 1)
            });
            finish.chain(first(&["[DONE]"])).min()
        }
        Wire::OpenaiResponses => first(&["\"response.completed\"", "\"response.incomplete\"", "\"response.failed\""]),
        Wire::Gemini => first(&["\"finishReason\"", "\"blockReason\""]),
        Wire::Anthropic => first(&["\"message_stop\""]),
    };
    found.unwrap_or(usize::MAX)
}

/// Returns the folder of recorded exchanges. If there is none and none is required, prints that and returns `None`.
///
/// Panics if `TURNKIT_FIXTURES` names a folder without recordings, or if `TURNKIT_CORPUS` is `require` and there are
/// none. A test that only seems to run is worse than none.
/// believed to have run is worse than none.
#[allow(dead_code, reason = "not every test binary reads recordings")]
pub(crate) fn recordings_root() -> Option<PathBuf> {
    #[expect(clippy::disallowed_methods, reason = "where the recordings are is a matter of the machine")]
    let variable = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let configured = variable("TURNKIT_FIXTURES").map(PathBuf::from);
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures");
    // The variable may name the folder itself or its parent.
    let folder = configured.as_deref().unwrap_or(&beside);
    let roots = [folder.join("providers"), folder.to_owned()];
    let found = roots.into_iter().find(|root| root.join("sessions.json").is_file());
    let must_be = configured.is_some() || variable("TURNKIT_CORPUS").is_some_and(|value| value == "require");
    assert!(found.is_some() || !must_be, "there are no recordings in {}: see TURNKIT_FIXTURES", folder.display());
    #[expect(clippy::print_stdout, reason = "a test that is skipped must say so")]
    if found.is_none() {
        println!("SKIPPED: no recordings found; set TURNKIT_FIXTURES to the folder that holds providers/");
    }
    found
}
