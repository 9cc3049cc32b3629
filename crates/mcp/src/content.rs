//! The results of a server's tools, as models and clients read them.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};
use turnkit_core::{Data, RawJson, ToolError, ToolOutput};

use crate::embedded_files::{EmbeddedFile, EmbeddedFiles};
use crate::secrets::Secrets;

/// The type of the data event with the structured content of a result.
const STRUCTURED: &str = "structured_content";

/// Returns the output of a call. Its text holds the texts of the result, and names images, sounds and other files in
/// their place; the model also sees the images. Structured content becomes data, and is also the text of a result
/// without any other. Files of a failure are only named. Names and addresses are cut, and are without these credentials.
///
/// # Errors
/// The result is an error of the tool, or its structured content cannot be kept.
pub(crate) fn output(result: CallToolResult, secrets: &Secrets) -> Result<ToolOutput, ToolError> {
    let is_error = result.is_error.unwrap_or_default();
    let mut files = if is_error { EmbeddedFiles::of_error() } else { EmbeddedFiles::default() };
    let texts = result.content.iter().map(|block| shown(block, &mut files, secrets));
    let mut content = texts.collect::<Vec<_>>().join("\n");
    if is_error {
        return Err(ToolError::Failed(match content.trim().is_empty() {
            true => "the tool failed without saying why".to_owned(),
            false => content,
        }));
    }
    let images = files.images;
    let Some(structured) = result.structured_content.filter(|value| !value.is_null()) else {
        return Ok(ToolOutput { images, ..content.into() });
    };
    let payload = RawJson::of(&structured);
    let payload = payload.map_err(|error| ToolError::Failed(format!("its structured content is unusable: {error}")))?;
    if content.trim().is_empty() {
        payload.get().clone_into(&mut content);
    }
    Ok(ToolOutput { data: Some(Data { kind: STRUCTURED.to_owned(), payload }), images, ..content.into() })
}

/// Returns a part of a result as text, and collects its images.
fn shown(block: &ContentBlock, files: &mut EmbeddedFiles, secrets: &Secrets) -> String {
    let line = |text: &str, max| secrets.line(text, max);
    match block {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => {
            files.image(&EmbeddedFile { kind: "image", media_type: &line(&image.mime_type, 100), base64: &image.data })
        }
        ContentBlock::Audio(audio) => {
            let media_type = line(&audio.mime_type, 100);
            EmbeddedFile { kind: "audio", media_type: &media_type, base64: &audio.data }.not_shown("")
        }
        ContentBlock::Resource(resource) => match &resource.resource {
            ResourceContents::TextResourceContents { uri, text, .. } => format!("[{}]\n{text}", line(uri, 500)),
            ResourceContents::BlobResourceContents { uri, mime_type, blob, .. } => {
                let kind = format!("file {}", line(uri, 500));
                let media_type = line(mime_type.as_deref().unwrap_or_default(), 100);
                let file = EmbeddedFile { kind: &kind, media_type: &media_type, base64: blob };
                if media_type.starts_with("image/") { files.image(&file) } else { file.not_shown("") }
            }
            _ => "[a resource of an unknown kind]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => {
            format!("[link to {}: {}]", line(&link.name, 200), line(&link.uri, 500))
        }
        _ => "[content of an unknown kind]".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn output_of(result: Value) -> Result<ToolOutput, ToolError> {
        output(serde_json::from_value(result).unwrap(), &Secrets::new(vec!["key-12345".to_owned()]))
    }

    #[test]
    fn a_result_becomes_text_and_data() {
        for (result, content, data) in [
            (json!({ "content": [] }), "", None),
            (
                json!({ "content": [{ "type": "text", "text": "one" }, { "type": "text", "text": "two" }] }),
                "one\ntwo",
                None,
            ),
            (
                json!({ "content": [{ "type": "image", "data": "aGVsbG8=", "mimeType": "image/png" }] }),
                "[image, image/png, 5 bytes: not shown, its content is text/plain, not PNG, JPEG, GIF or WebP]",
                None,
            ),
            (
                json!({ "content": [{ "type": "audio", "data": "aGVsbA==", "mimeType": "audio/wav\u{1b}[0m" }] }),
                "[audio, audio/wav[0m, 4 bytes: not shown]",
                None,
            ),
            (
                json!({ "content": [{ "type": "resource", "resource": { "uri": "file:///a.txt", "text": "A" } }] }),
                "[file:///a.txt]\nA",
                None,
            ),
            (
                json!({ "content": [{ "type": "resource", "resource": { "uri": "file:///a", "blob": "aGVs" } }] }),
                "[file file:///a, of unknown type, 3 bytes: not shown]",
                None,
            ),
            (
                json!({ "content": [{ "type": "resource_link", "name": "A", "uri": "file:///a" }] }),
                "[link to A: file:///a]",
                None,
            ),
            (json!({ "content": [], "structuredContent": { "a": 1 } }), r#"{"a":1}"#, Some(r#"{"a":1}"#)),
            (json!({ "content": [{ "type": "text", "text": "one" }], "structuredContent": [1] }), "one", Some("[1]")),
            (json!({ "content": [], "structuredContent": null }), "", None),
        ] {
            let output = output_of(result.clone()).unwrap();
            let payload = output.data.as_ref().map(|data| data.payload.get());
            assert_eq!((output.content.as_str(), payload), (content, data), "{result}");
        }
    }

    #[test]
    fn the_images_of_a_result_are_named_in_their_place_and_shown() {
        const PNG: &str = "iVBORw0KGgoAAAANSUhEUg==";
        let image = json!({ "type": "image", "data": PNG, "mimeType": "image/png" });
        let before = json!({ "type": "text", "text": "before" });
        let resource = |media_type: &str| {
            let resource = json!({ "uri": "file:///a", "blob": PNG, "mimeType": media_type });
            json!({ "type": "resource", "resource": resource })
        };
        for (result, content, images) in [
            (
                json!({ "content": [before, image, image] }),
                "before\n[image, image/png, 16 bytes]\n[image, image/png, 16 bytes]",
                2,
            ),
            (json!({ "content": [resource("image/png")] }), "[file file:///a, image/png, 16 bytes]", 1),
            (json!({ "content": [resource("text/csv")] }), "[file file:///a, text/csv, 16 bytes: not shown]", 0),
            (json!({ "content": [image], "structuredContent": { "a": 1 } }), "[image, image/png, 16 bytes]", 1),
        ] {
            let output = output_of(result.clone()).unwrap();
            assert_eq!((output.content.as_str(), output.images.len()), (content, images), "{result}");
            assert_eq!(output.data.is_some(), !result["structuredContent"].is_null(), "{result}");
        }
        let failed = output_of(json!({ "content": [image], "isError": true })).unwrap_err();
        assert_eq!(failed, ToolError::Failed("[image, image/png, 16 bytes: not shown]".to_owned()));
    }

    #[test]
    fn an_address_is_cut_after_its_credentials_are_removed() {
        let address = format!("{}key-12345", "x".repeat(495));
        let link = json!({ "type": "resource_link", "name": "A", "uri": address });
        let output = output_of(json!({ "content": [link] })).unwrap();
        assert!(output.content.ends_with("x(secr…]"), "{}", output.content);
    }

    #[test]
    fn an_error_of_a_tool_is_what_the_model_reads() {
        let failed = |content: Value| output_of(json!({ "content": content, "isError": true })).unwrap_err();
        let text = json!([{ "type": "text", "text": "no ticket 7" }]);
        assert_eq!(failed(text), ToolError::Failed("no ticket 7".to_owned()));
        assert_eq!(failed(json!([])), ToolError::Failed("the tool failed without saying why".to_owned()));
    }
}
