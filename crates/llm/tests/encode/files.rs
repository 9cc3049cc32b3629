//! Tests texts, images and documents attached by the user.

use serde_json::{Value, json};
use turnkit_core::{Context, File, Image, Message, Part, Role};
use turnkit_llm::wire::{Vendor, Wire};

use super::{known, request};

fn message() -> Message {
    // The origin of a text is for the engine only.
    let context = |source: &str, text: &str, untrusted| {
        Part::Context(Context { source: source.to_owned(), text: text.to_owned(), untrusted })
    };
    Message::new(
        Role::User,
        vec![
            context("a.md", "# A", false),
            context("b.rs", "fn b() {}", true),
            Part::Image(Image::new("image/png", "data:image/png;base64,iVBORw==")).into_untrusted(),
            Part::File(File {
                media_type: "application/pdf".to_owned(),
                name: "c.pdf".to_owned(),
                url: "data:application/pdf;base64,JVBERi0=".to_owned(),
                untrusted: true,
            }),
            Part::text("Compare them."),
        ],
    )
}

/// Returns the value that a body holds at `path`.
fn sent(wire: Wire, host: &str, model: (&str, &str), path: &str) -> Value {
    let (vendor, (maker, model)) = (Vendor::of(wire, host), model);
    let body = wire.encode(&request([message()]), model, &known(maker, model), &vendor);
    serde_json::from_slice::<Value>(&body).unwrap().pointer(path).unwrap().clone()
}

#[test]
fn a_context_is_a_message_of_its_own_before_images_documents_and_text_over_chat_completions() {
    assert_eq!(
        sent(Wire::OpenaiChat, "api.openai.com", ("openai", "gpt-4o"), "/messages"),
        json!([
            { "role": "user", "content": "Context from a.md:\n\n# A" },
            { "role": "user", "content": "Context from b.rs:\n\nfn b() {}" },
            { "role": "user", "content": [
                { "type": "image_url", "image_url": { "url": "data:image/png;base64,iVBORw==" } },
                { "type": "file", "file": {
                    "filename": "c.pdf", "file_data": "data:application/pdf;base64,JVBERi0=",
                } },
                { "type": "text", "text": "Compare them." },
            ] },
        ])
    );
}

#[test]
fn a_context_is_an_item_of_its_own_before_images_documents_and_text_over_responses() {
    let item = |content: Value| json!({ "type": "message", "role": "user", "content": content });
    assert_eq!(
        sent(Wire::OpenaiResponses, "api.openai.com", ("openai", "gpt-5"), "/input"),
        json!([
            item(json!([{ "type": "input_text", "text": "Context from a.md:\n\n# A" }])),
            item(json!([{ "type": "input_text", "text": "Context from b.rs:\n\nfn b() {}" }])),
            item(json!([
                { "type": "input_image", "image_url": "data:image/png;base64,iVBORw==" },
                { "type": "input_file", "filename": "c.pdf", "file_data": "data:application/pdf;base64,JVBERi0=" },
                { "type": "input_text", "text": "Compare them." },
            ])),
        ])
    );
}

#[test]
fn a_context_is_a_block_before_images_documents_and_text_over_anthropic() {
    let of = |media_type: &str, data: &str| json!({ "type": "base64", "media_type": media_type, "data": data });
    assert_eq!(
        sent(Wire::Anthropic, "api.anthropic.com", ("anthropic", "claude-sonnet-4-5"), "/messages"),
        json!([{ "role": "user", "content": [
            { "type": "text", "text": "Context from a.md:\n\n# A" },
            { "type": "text", "text": "Context from b.rs:\n\nfn b() {}" },
            { "type": "image", "source": of("image/png", "iVBORw==") },
            { "type": "document", "source": of("application/pdf", "JVBERi0="), "title": "c.pdf" },
            { "type": "text", "text": "Compare them.", "cache_control": { "type": "ephemeral" } },
        ] }])
    );
}

#[test]
fn a_context_is_a_part_before_images_documents_and_text_over_gemini() {
    let of = |media_type: &str, data: &str| json!({ "inlineData": { "mimeType": media_type, "data": data } });
    assert_eq!(
        sent(Wire::Gemini, "generativelanguage.googleapis.com", ("google", "gemini-2.5-flash"), "/contents"),
        json!([{ "role": "user", "parts": [
            { "text": "Context from a.md:\n\n# A" },
            { "text": "Context from b.rs:\n\nfn b() {}" },
            of("image/png", "iVBORw=="),
            of("application/pdf", "JVBERi0="),
            { "text": "Compare them." },
        ] }])
    );
}
