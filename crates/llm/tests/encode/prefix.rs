//! The next request begins with the bytes of the previous one, so that a provider's cache recognises it.

use turnkit_core::{Message, Part, Role};
use turnkit_llm::Wire;
use turnkit_llm::profile::ModelProfile;
use turnkit_llm::wire::Vendor;

use super::{assistant, call, request, result};

/// Marks the end of the cacheable prefix. It moves forward with the conversation.
const CACHE_HINT: &str = r#","cache_control":{"type":"ephemeral"}"#;

#[test]
fn later_requests_extend_the_earlier_bytes() {
    let written = r#"{ "b": 1.0, "a": "2 " }"#;
    let messages = [
        Message::user("1 + 2 \n"),
        assistant(vec![Part::text("Hm. \n"), call(0, "call_a", written)]),
        Message::new(Role::Tool, vec![result(0, "3 \n")]),
        Message::user("And 4?"),
    ];
    for wire in Wire::ALL {
        let sent = |messages: &[Message]| {
            let vendor = Vendor::of(wire, "llm.example");
            let body = wire.encode(&request(messages.iter().cloned()), "small", &ModelProfile::default(), &vendor);
            String::from_utf8(body).unwrap().replace(CACHE_HINT, "")
        };
        let all = sent(&messages);
        for (so_far, ends) in [(1, r"1 + 2 \n"), (3, r"3 \n")] {
            let before = sent(&messages[..so_far]);
            let end = before.rfind(ends).unwrap() + ends.len();
            assert!(all.starts_with(&before[..end]), "{wire:?}: {before}\n{all}");
        }
        assert!(all.contains(r"Hm. \n") && all.replace('\\', "").contains(written), "{wire:?}: {all}");
    }
}
