//! Uploaded files.

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use turnkit_core::ports::{BlobContent, BlobStore as _, Fork, SessionStore as _, TurnStore as _};
use turnkit_core::{
    Blob, BlobId, Checkpoint, NewBlob, NewTurn, Scope, SessionId, SessionKey, StoreError, TurnId, TurnStatus,
};

use super::fixture::Error;
use super::{Backend, Fixture, Outcome, running};

/// Returns a content stream that yields `pieces`.
fn content(pieces: &[&'static [u8]]) -> BlobContent<'static> {
    stream::iter(pieces.iter().map(|piece| Ok(Bytes::from_static(piece))).collect::<Vec<_>>()).boxed()
}

async fn put<B: Backend>(fixture: &Fixture<B>, pieces: &[&'static [u8]]) -> Result<Blob, StoreError> {
    let new = NewBlob { id: BlobId(fixture.uuid()), name: "a file".into(), at: fixture.now() };
    fixture.store().put(&fixture.scope(), new, content(pieces)).await
}

async fn read<B: Backend>(fixture: &Fixture<B>, blob: BlobId) -> Result<(Blob, Vec<u8>), StoreError> {
    let open = fixture.store().open(&fixture.scope(), blob).await?;
    let pieces: Vec<Bytes> = open.content.try_collect().await?;
    Ok((open.blob, pieces.concat()))
}

async fn delete_unreferenced<B: Backend>(fixture: &Fixture<B>) -> Result<u64, StoreError> {
    fixture.store().delete_unreferenced(&fixture.sweep(), fixture.now()).await
}

/// Starts a turn that names `blob`, ends it, and returns its session.
async fn name<B: Backend>(fixture: &Fixture<B>, blob: BlobId) -> Result<SessionId, Error> {
    let accept = NewTurn { blobs: vec![blob], ..fixture.says(SessionKey::New, "look") };
    let claimed = running(fixture.store().accept(&fixture.scope(), accept).await?)?;
    fixture.end(&claimed.claim, "a file").await?;
    Ok(claimed.session.id)
}

/// The file survives a restart. Its media type is detected from the content.
pub async fn a_file_comes_back_as_it_was_uploaded<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let text = put(&fixture, &[b"snow \xe2\x98", b"\x83", b"!"]).await?;
    assert_eq!((&*text.name, &*text.media_type, text.bytes), ("a file", "text/plain", 9));
    let image = put(&fixture, &[b"\x89PNG\r\n", b"\x1a\n\0"]).await?;
    assert_eq!((&*image.media_type, image.bytes), ("image/png", 9));
    let empty = put(&fixture, &[]).await?;
    let fixture = fixture.restart().await?;
    assert_eq!(read(&fixture, text.id).await?, (text, "snow \u{2603}!".into()));
    assert_eq!(read(&fixture, image.id).await?, (image, b"\x89PNG\r\n\x1a\n\0".into()));
    assert_eq!(read(&fixture, empty.id).await?, (empty, Vec::new()));
    Ok(())
}

/// The store returns the error of the content stream.
pub async fn a_file_whose_content_breaks_off_is_not_stored<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let broken = StoreError::Unavailable("broken off".to_owned());
    let new = NewBlob { id: BlobId(fixture.uuid()), name: "half".into(), at: fixture.now() };
    let id = new.id;
    let half = stream::iter([Ok(Bytes::from_static(b"half")), Err(broken.clone())]).boxed();
    assert_eq!(fixture.store().put(&fixture.scope(), new, half).await, Err(broken));
    assert_eq!(read(&fixture, id).await, Err(StoreError::NotFound));
    Ok(())
}

/// A file of another user can neither be read nor named in a turn.
pub async fn another_owners_file_is_not_found<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let blob = put(&fixture, &[b"mine"]).await?;
    for (scope, id) in [(Scope::new("acme", "bob"), blob.id), (fixture.scope(), BlobId(fixture.uuid()))] {
        assert!(matches!(fixture.store().open(&scope, id).await, Err(StoreError::NotFound)));
        let accept = NewTurn { blobs: vec![id], ..fixture.says(SessionKey::New, "look") };
        let turn = accept.turn;
        assert!(matches!(fixture.store().accept(&scope, accept).await, Err(StoreError::NotFound)));
        assert_eq!(fixture.store().turn(&scope, turn).await, Err(StoreError::NotFound), "nothing was stored");
    }
    Ok(())
}

/// A file that no turn names is removed together with its content.
pub async fn a_file_is_kept_as_long_as_a_turn_names_it<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let (named, unnamed) = (put(&fixture, &[b"named"]).await?, put(&fixture, &[b"unnamed"]).await?);
    let session = name(&fixture, named.id).await?;
    let before = fixture.now();
    let young = put(&fixture, &[b"young"]).await?;
    assert_eq!(fixture.store().delete_unreferenced(&fixture.sweep(), before).await?, 1);
    assert_eq!(read(&fixture, unnamed.id).await, Err(StoreError::NotFound));
    for kept in [&named, &young] {
        assert_eq!(read(&fixture, kept.id).await?.0, *kept);
    }
    fixture.store().delete(&fixture.scope(), session).await?;
    assert_eq!(delete_unreferenced(&fixture).await?, 2);
    assert_eq!(read(&fixture, named.id).await, Err(StoreError::NotFound));
    Ok(())
}

/// The checkpoint that stores the shortened result names the file with the whole content. A file that no checkpoint
/// names is removed. A checkpoint that names a removed file still succeeds.
pub async fn the_whole_content_of_a_result_is_kept_as_long_as_its_turn<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let claimed = running(fixture.store().accept(&fixture.scope(), fixture.says(SessionKey::New, "look")).await?)?;
    let (kept, lost) = (put(&fixture, &[b"a long", b" result"]).await?, put(&fixture, &[b"lost"]).await?);
    let gone = BlobId(fixture.uuid());
    let boundary = Checkpoint { blobs: vec![kept.id, gone], ..fixture.boundary(&claimed.claim, 2, "half")? };
    fixture.store().checkpoint(&claimed.claim, boundary).await?;
    assert_eq!(delete_unreferenced(&fixture).await?, 1);
    let end = fixture.ending(&claimed.claim, 3, TurnStatus::Completed, "half of it")?;
    fixture.store().checkpoint(&claimed.claim, end).await?;
    assert_eq!(read(&fixture, lost.id).await, Err(StoreError::NotFound));
    let fixture = fixture.restart().await?;
    assert_eq!(read(&fixture, kept.id).await?, (kept.clone(), b"a long result".into()));
    fixture.store().delete(&fixture.scope(), claimed.session.id).await?;
    assert_eq!(delete_unreferenced(&fixture).await?, 1);
    assert_eq!(read(&fixture, kept.id).await, Err(StoreError::NotFound));
    Ok(())
}

/// A file is kept as long as the session or one of its forks shows the message that names it.
pub async fn a_fork_keeps_the_files_of_its_turns<B: Backend>() -> Outcome {
    let fixture = Fixture::<B>::new().await?;
    let blob = put(&fixture, &[b"shared"]).await?;
    let session = name(&fixture, blob.id).await?;
    let (new, turn) = (SessionId(fixture.uuid()), TurnId(fixture.uuid()));
    let fork = Fork { from: session, after: None, new, turn, title: None, at: fixture.now() };
    let fork = fixture.store().fork(&fixture.scope(), fork).await?;
    fixture.store().delete(&fixture.scope(), session).await?;
    assert_eq!(delete_unreferenced(&fixture).await?, 0);
    assert_eq!(read(&fixture, blob.id).await?.1, b"shared");
    fixture.store().delete(&fixture.scope(), fork.id).await?;
    assert_eq!(delete_unreferenced(&fixture).await?, 1);
    Ok(())
}
