//! Settings that a model or its wire does not support. They are omitted from requests, with a notice to the user.

use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{ChatRequest, Thinking};

use super::{Vendor, Wire, anthropic};
use crate::profile::{Capability, ModelProfile};

/// The usual reason for an omission.
const UNSUPPORTED: &str = "the model does not support it";

/// The settings that are omitted from the body of a request, each with the reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct LeftOut {
    temperature: Option<&'static str>,
    stop: Option<&'static str>,
    thinking: Option<&'static str>,
}

impl LeftOut {
    /// Finds the settings of `request` that `wire` has no field for, or that the model does not support.
    pub(crate) fn of(request: &ChatRequest, profile: &ModelProfile, wire: Wire, vendor: &Vendor) -> Self {
        let params = &request.params;
        let wants_thinking = params.thinking.is_some_and(|thinking| thinking != Thinking::Off);
        let over_anthropic = wire == Wire::Anthropic;
        let temperature = match params.temperature {
            None => None,
            Some(_) if profile.temperature == Some(false) => Some(UNSUPPORTED),
            Some(_) if over_anthropic && anthropic::thinks(request, profile, vendor) => {
                Some("the model does not support it with thinking")
            }
            Some(_) => None,
        };
        let thinking = match wants_thinking {
            false => None,
            true if !profile.can(Capability::Reasoning) => Some(UNSUPPORTED),
            true if over_anthropic && !anthropic::has_room_to_think(request, profile) => {
                Some("half of `max_tokens` is less than the 1024 tokens that thinking requires")
            }
            true => None,
        };
        let takes_stop = wire != Wire::OpenaiResponses && profile.stop != Some(false);
        let stop = (!params.stop.is_empty() && !takes_stop).then_some(UNSUPPORTED);
        Self { temperature, stop, thinking }
    }

    /// Returns the request without these settings; `None` if none is omitted.
    pub(super) fn without(self, request: &ChatRequest) -> Option<ChatRequest> {
        if self == Self::default() {
            return None;
        }
        let mut request = request.clone();
        let params = &mut request.params;
        params.temperature.take_if(|_| self.temperature.is_some());
        params.thinking.take_if(|_| self.thinking.is_some());
        if self.stop.is_some() {
            params.stop.clear();
        }
        Some(request)
    }

    /// Returns a notice to the user for each omitted setting.
    pub(crate) fn notices(self, model: &str) -> impl Iterator<Item = OpeningNotice> {
        [
            ("asked_without_temperature", "temperature", self.temperature),
            ("asked_without_stop", "stop", self.stop),
            ("asked_without_thinking", "thinking", self.thinking),
        ]
        .into_iter()
        .filter_map(move |(code, what, why)| {
            let text = format!("`{what}` was not sent to {model}: {}", why?);
            Some(OpeningNotice { class: NoticeClass::Condition, code: code.to_owned(), text })
        })
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::{History, Params, ToolChoice};

    use super::*;
    use crate::profile::ThinkingForm;

    #[test]
    fn a_notice_states_why_a_setting_is_omitted() {
        let known = ModelProfile::default;
        let all = || Params {
            temperature: Some(0.2),
            max_tokens: Some(800),
            thinking: Some(Thinking::Low),
            stop: vec!["END".into()],
            output_schema: None,
        };
        let capabilities = Some([Capability::Tools].into_iter().collect());
        let plain = ModelProfile { temperature: Some(false), stop: Some(false), capabilities, ..known() };
        let budget = ModelProfile { thinking_form: Some(ThinkingForm::Budget), ..known() };
        let nothing = Params { max_tokens: Some(1), thinking: Some(Thinking::Off), ..Params::default() };
        for (wire, profile, params, expected) in [
            (Wire::OpenaiChat, &known(), all(), &[][..]),
            (Wire::Gemini, &known(), all(), &[]),
            (Wire::OpenaiResponses, &known(), all(), &["`stop` was not sent to m: the model does not support it"]),
            (Wire::Anthropic, &known(), Params { thinking: None, ..all() }, &[]),
            (
                Wire::Anthropic,
                &known(),
                all(),
                &["`temperature` was not sent to m: the model does not support it with thinking"],
            ),
            (
                Wire::Anthropic,
                &budget,
                all(),
                &["`thinking` was not sent to m: half of `max_tokens` is less than the 1024 tokens that thinking \
                   requires"],
            ),
            (
                Wire::OpenaiChat,
                &plain,
                all(),
                &[
                    "`temperature` was not sent to m: the model does not support it",
                    "`stop` was not sent to m: the model does not support it",
                    "`thinking` was not sent to m: the model does not support it",
                ],
            ),
            (Wire::OpenaiChat, &plain, nothing, &[]),
        ] {
            let request = ChatRequest {
                model: None,
                route: None,
                instructions: None,
                history: History::default(),
                tools: [].into(),
                params,
                tool_choice: ToolChoice::Auto,
            };
            let left_out = LeftOut::of(&request, profile, wire, &Vendor::of(wire, "llm.example"));
            let notices: Vec<String> = left_out.notices("m").map(|notice| notice.text).collect();
            assert_eq!(notices, expected, "{wire:?} {profile:?}");
        }
    }
}
