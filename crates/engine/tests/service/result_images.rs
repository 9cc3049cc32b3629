//! Tests of images that tools return: stored as files, sent to models, and kept as long as their turns.

use futures_util::TryStreamExt as _;
use serde_json::json;
use turnkit_core::ports::{BlobStore as _, SessionStore as _};
use turnkit_core::{EventKind, Image, Part, StoreError, ToolFlags, ToolImage, ToolOutput, TurnEvent, TurnStatus};
use turnkit_engine::ExportFormat;
use turnkit_testkit::Reply;
use turnkit_testkit::tools::TestTool;

use crate::kept_results::unnamed;
use crate::support::{Setup, World, ada};
use crate::transferring::{exported, imported};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";
/// The result of a tool with one image, as a model sees it.
const SEEN: &str = "look gave [image] with data:image/png;base64,iVBORw0KGgoAAAANSUhEUg==";

/// Returns a model, and a tool that returns this number of images.
fn camera(images: usize, script: Vec<Reply>) -> Setup {
    let look = TestTool::new("look", ToolFlags::read_only(), move |_, _| {
        let image = ToolImage::new(PNG).unwrap();
        let output = ToolOutput { images: vec![image; images], .."[image]".into() };
        Box::pin(async move { Ok(output) })
    });
    Setup::from(script).tool(look)
}

fn look() -> Reply {
    Reply::new().call("look", json!({}))
}

/// Returns the content and the images of the only result.
fn result(events: &[TurnEvent]) -> (String, Vec<Image>) {
    let result = events.iter().find_map(|event| match &event.kind {
        EventKind::ToolFinished { content, images, .. } => Some((content.clone(), images.clone())),
        _ => None,
    });
    result.unwrap()
}

#[test]
fn an_image_of_a_result_is_a_file_that_the_model_sees_in_later_turns_too() {
    let world = World::new();
    let (session, id) = world.life(camera(1, vec![look(), Reply::text("A cat.")]), async |host| {
        let accepted = host.submit("Look.").await;
        let (content, images) = result(&host.events(accepted.turn).await);
        let id = images[0].blob().unwrap();
        assert_eq!((content.as_str(), images), ("[image]", vec![Image::new("image/png", format!("blob:{id}"))]));
        let stored = host.sqlite.open(&ada(), id).await.unwrap();
        assert_eq!(&*stored.blob.media_type, "image/png");
        assert_eq!(stored.content.try_collect::<Vec<_>>().await.unwrap().concat(), PNG);
        let calls = host.provider.calls();
        assert_eq!(calls[1].transcript().last().map(String::as_str), Some(SEEN));
        (accepted.session, id)
    });
    world.life(camera(1, vec![Reply::text("A cat, I said.")]), async |host| {
        let again = host.adds(session, "What was it?").await;
        assert_eq!(host.ends(again.turn).await, TurnStatus::Completed);
        assert!(host.provider.calls()[0].transcript().contains(&SEEN.to_owned()));
        assert_eq!(unnamed(&host).await, 0);
        host.sqlite.delete(&ada(), session).await.unwrap();
        // The rows of the session are removed first.
        while unnamed(&host).await == 0 {}
        assert!(matches!(host.sqlite.open(&ada(), id).await, Err(StoreError::NotFound)));
    });
}

#[test]
fn an_image_that_cannot_be_stored_is_named_and_the_turn_goes_on() {
    World::new().life(camera(1, vec![look(), Reply::text("Nothing.")]), async |host| {
        host.store.fails("put", 1, StoreError::Unavailable("the disk is full".to_owned()));
        let accepted = host.submit("Look.").await;
        let (content, images) = result(&host.events(accepted.turn).await);
        assert_eq!((content.as_str(), images), ("[image]\n[an image is not shown: it could not be stored]", vec![]));
        assert_eq!(host.ends(accepted.turn).await, TurnStatus::Completed);
    });
}

#[test]
fn images_beyond_the_limit_of_a_result_are_left_out() {
    for (returned, kept) in [(0, 0), (8, 8), (9, 8), (100, 8)] {
        World::new().life(camera(returned, vec![look(), Reply::text("Cats.")]), async |host| {
            let (content, images) = result(&host.events(host.submit("Look.").await.turn).await);
            assert_eq!(images.len(), kept, "{returned}");
            assert_eq!(content.ends_with("\n[further images are not shown: there are too many]"), returned > kept);
        });
    }
}

#[test]
fn an_exported_session_takes_the_images_of_its_results_along() {
    let script = vec![look(), Reply::text("A cat."), Reply::text("A cat, I said.")];
    World::new().life(camera(1, script), async |host| {
        let accepted = host.submit("Look.").await;
        let (_, images) = result(&host.events(accepted.turn).await);
        let file = exported(&host, accepted.session, ExportFormat::JsonLines).await;
        host.sqlite.delete(&ada(), accepted.session).await.unwrap();
        let copy = imported(&host, &file).await.unwrap().id;
        let again = host.adds(copy, "What was it?").await;
        assert_eq!(host.ends(again.turn).await, TurnStatus::Completed);
        assert!(host.provider.calls()[2].transcript().contains(&SEEN.to_owned()));
        let messages = host.sqlite.messages(&ada(), copy).await.unwrap();
        let copied: Vec<_> = messages.iter().flat_map(|message| &message.parts).flat_map(Part::blobs).collect();
        assert_eq!(copied.len(), 1);
        assert_ne!(images[0].blob(), copied.first().copied());
    });
}
