//! Tests of uploaded files.

use serde_json::json;
use turnkit_files::Roots;
use turnkit_testkit::Reply;

use crate::client::Reply as Answer;
use crate::running::Setup;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// Returns the id of an uploaded file.
fn id(stored: &Answer) -> String {
    assert_eq!(stored.status, 201, "{}", stored.body);
    stored.json()["id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_file_is_read_as_it_was_uploaded_and_only_saved_by_browsers() {
    let server = Setup::answering([]).run().await;
    let client = &server.client;
    let text = "snow \u{2603}".repeat(50_000);
    // The name and the content type, which is JSON here, are ignored.
    for (name, shown, content, media_type) in [
        ("report.html", "report%2Ehtml", text.as_bytes(), "text/plain"),
        ("snow%20%E2%98%83.txt", "snow%20%E2%98%83%2Etxt", PNG, "image/png"),
        ("a%22;b", "a%22%3Bb", b"", "text/plain"),
        ("%2Fetc%2Fpasswd", "%2Fetc%2Fpasswd", b"<html>\0", "application/octet-stream"),
    ] {
        let stored = client.upload(name, content).await;
        let file = stored.json();
        assert_eq!(
            (file["media_type"].as_str(), file["bytes"].as_u64()),
            (Some(media_type), Some(content.len() as u64))
        );
        let read = client.get(&format!("/api/v1/blobs/{}", id(&stored))).await;
        assert_eq!(
            (read.status, read.body.as_bytes()),
            (200, &*String::from_utf8_lossy(content).into_owned().into_bytes())
        );
        assert_eq!(read.header("content-type"), media_type);
        assert_eq!(read.header("content-length"), content.len().to_string());
        assert_eq!(read.header("content-disposition"), format!("attachment; filename*=UTF-8''{shown}"));
        assert_eq!(read.header("x-content-type-options"), "nosniff");
    }
    let nameless = client.request("POST", "/api/v1/files").body("text").send().await;
    let read = client.get(&format!("/api/v1/blobs/{}", id(&nameless))).await;
    assert_eq!(read.header("content-disposition"), "attachment; filename*=UTF-8''file");
}

#[tokio::test]
async fn an_invalid_upload_is_rejected_with_the_reason() {
    let server = Setup::answering([]).run().await;
    let client = &server.client;
    for (query, field) in [
        ("name=", "name"),
        ("name=%20", "name"),
        ("name=a%0Ab", "name"),
        (&*format!("name={}", "a".repeat(256)), "name"),
        ("title=a", "title"),
    ] {
        let refused = client.request("POST", &format!("/api/v1/files?{query}")).body("text").send().await;
        assert_eq!((refused.status, refused.field().as_str()), (422, field), "{query}: {}", refused.body);
    }
    let encoded = client.request("POST", "/api/v1/files").header("content-encoding", "gzip").body("text").send().await;
    assert_eq!((encoded.status, encoded.code().as_str()), (415, "unsupported_media_type"));
    for (bytes, status) in [(8 << 20, 201), ((8 << 20) + 1, 413)] {
        let sized = client.upload("large", vec![b'a'; bytes]).await;
        assert_eq!(sized.status, status, "{bytes}: {}", sized.body);
    }
}

#[tokio::test]
async fn a_turn_names_files_by_their_ids_and_shows_them_as_parts() {
    let server = Setup::answering([Reply::text("Alike.")]).run().await;
    let client = &server.client;
    let (text, image) = (client.upload("a.md", "# A").await, client.upload("b.png", PNG).await);
    let (text, image) = (id(&text), id(&image));
    let asked = json!({ "message": "Compare them.", "files": [image, text] });
    let stream = client.request("POST", "/api/v1/turns").json(&asked).events().await.rest().await;
    assert_eq!(
        stream[0].json()["input"],
        json!([
            { "type": "context", "source": "a.md", "text": "# A" },
            { "type": "image", "media_type": "image/png", "url": format!("blob:{image}") },
            { "type": "text", "text": "Compare them." },
        ])
    );
    let sent = server.provider.calls()[0].transcript();
    assert_eq!(sent[..2], ["user adds a.md: # A", "user shows data:image/png;base64,iVBORw0KGgoAAAANSUhEUg=="]);

    let archive = id(&client.upload("a.zip", b"PK\x03\x04\0\0").await);
    let long = id(&client.upload("a.txt", "a".repeat(256 * 1024 + 1)).await);
    for (files, status, code) in [
        (json!([archive]), 415, "unsupported_media_type"),
        (json!([long]), 413, "body_too_large"),
        (json!(["0199a1f0-5d1c-7cc0-9d8e-2f8f4c1b7a01"]), 422, "invalid_request"),
        (json!(["no-id"]), 422, "invalid_request"),
    ] {
        let refused = client.post("/api/v1/turns", &json!({ "message": "Look.", "files": files })).await;
        assert_eq!((refused.status, refused.code().as_str()), (status, code), "{}", refused.body);
    }
}

#[tokio::test]
async fn a_turn_names_files_of_the_servers_folders_and_shows_them_as_parts() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.md"), "# A").unwrap();
    std::fs::write(folder.path().join("b.png"), PNG).unwrap();
    std::fs::write(folder.path().join("all.zip"), b"PK\x03\x04\0\0").unwrap();
    std::fs::write(folder.path().join("long.txt"), "a".repeat(256 * 1024 + 1)).unwrap();
    let roots = Roots::default().with(folder.path()).unwrap();
    let server = Setup::answering([Reply::text("Alike.")]).reading(roots).run().await;
    let client = &server.client;
    let data_url = "data:image/png;base64,iVBORw0KGgo=";
    let context = json!({ "files": ["a.md"], "images": ["b.png", data_url], "tree": "." });
    let asked = json!({ "message": "Compare them.", "context": context });
    let stream = client.request("POST", "/api/v1/turns").json(&asked).events().await.rest().await;
    let input = &stream[0].json()["input"];
    let shown = input[2]["url"].as_str().unwrap();
    assert_eq!(
        *input,
        json!([
            { "type": "context", "source": "a.md", "text": "# A" },
            { "type": "context", "source": "./", "text": "a.md\nall.zip\nb.png\nlong.txt" },
            { "type": "image", "media_type": "image/png", "url": shown },
            { "type": "image", "media_type": "image/png", "url": data_url },
            { "type": "text", "text": "Compare them." },
        ])
    );
    let read = client.get(&format!("/api/v1/blobs/{}", shown.strip_prefix("blob:").unwrap())).await;
    assert_eq!((read.status, read.header("content-disposition")), (200, "attachment; filename*=UTF-8''b%2Epng"));

    for (context, status, field) in [
        (json!({ "files": ["../a.md"] }), 422, "context.files"),
        (json!({ "files": ["/etc/passwd"] }), 422, "context.files"),
        (json!({ "images": ["a.md"] }), 422, "context.images"),
        (json!({ "tree": "a.md" }), 422, "context.tree"),
        (json!({ "files": vec!["a.md"; 21] }), 422, "context"),
        (json!({ "files": ["all.zip"] }), 415, ""),
        (json!({ "files": ["long.txt"] }), 413, ""),
    ] {
        let refused = client.post("/api/v1/turns", &json!({ "message": "Look.", "context": context })).await;
        assert_eq!(refused.status, status, "{}", refused.body);
        if !field.is_empty() {
            assert_eq!(refused.field(), field, "{}", refused.body);
        }
    }
    assert_eq!(client.get("/api/v1/turns").await.json()["data"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_upload_needs_a_key_like_everything_else() {
    let server = Setup::always(Reply::text("Hello")).locked().run().await;
    let refused = server.client.upload("a", "text").await;
    assert_eq!((refused.status, refused.code().as_str()), (401, "unauthenticated"));
}
