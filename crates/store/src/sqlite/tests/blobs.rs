use std::path::PathBuf;

use bytes::Bytes;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use tempfile::{TempDir, tempdir};
use turnkit_core::ports::{BlobContent, BlobStore as _};
use turnkit_core::{Blob, BlobId, NewBlob, Sweep};
use uuid::Builder;

use super::*;

const DAY: i64 = 24 * 60 * 60 * 1000;

/// Returns a file that is uploaded `millis` after [`AT`].
fn new(number: u8, millis: i64) -> NewBlob {
    let at = Timestamp::from_millis(AT.millis() + millis);
    let uuid = Builder::from_unix_timestamp_millis(at.millis().unsigned_abs(), &[number; 10]).into_uuid();
    NewBlob { id: BlobId(uuid), name: "a file".into(), at }
}

fn content(text: &'static str) -> BlobContent<'static> {
    stream::iter([Ok(Bytes::from_static(text.as_bytes()))]).boxed()
}

/// Returns the names of the files in the folder.
fn files(folder: &TempDir) -> Vec<String> {
    let Ok(shards) = std::fs::read_dir(folder.path().join("turnkit.blobs")) else { return Vec::new() };
    let files = shards.flat_map(|shard| std::fs::read_dir(shard.unwrap().path()).unwrap());
    let mut names: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn path(folder: &TempDir, blob: &Blob) -> PathBuf {
    let name = blob.id.to_string();
    folder.path().join("turnkit.blobs").join(&name[name.len() - 2..]).join(name)
}

async fn read(store: &SqliteStore, blob: &Blob) -> Result<Vec<Bytes>, StoreError> {
    store.open(&scope(), blob.id).await?.content.try_collect().await
}

async fn delete_unreferenced(store: &SqliteStore, millis: i64) -> u64 {
    let sweep = Sweep::new(worker());
    store.delete_unreferenced(&sweep, Timestamp::from_millis(AT.millis() + millis)).await.unwrap()
}

#[tokio::test]
async fn content_that_is_gone_or_cut_off_is_reported_with_its_path() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let blob = store.put(&scope(), new(1, 0), content("the whole content")).await.unwrap();
    let path = path(&folder, &blob);
    for damage in [std::fs::write(&path, "the whole"), std::fs::remove_file(&path)] {
        damage.unwrap();
    }
    let Err(StoreError::Corrupt(why)) = read(&store, &blob).await else { panic!("it was read") };
    assert!(why.contains(&blob.id.to_string()), "{why}");
    std::fs::write(&path, "the whole").unwrap();
    assert!(matches!(read(&store, &blob).await, Err(StoreError::Corrupt(_))));
}

#[cfg(unix)]
#[tokio::test]
async fn content_is_for_the_user_of_the_process_alone() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = tempdir().unwrap();
    let blob = open(&folder).put(&scope(), new(1, 0), content("secret")).await.unwrap();
    let path = path(&folder, &blob);
    let mode = |path: &std::path::Path| path.metadata().unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&path), mode(path.parent().unwrap())), (0o600, 0o700));
}

#[tokio::test]
async fn an_upload_whose_client_leaves_is_removed_at_once() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let scope = scope();
    let halting = stream::iter([Ok(Bytes::from_static(b"half"))]).chain(stream::pending()).boxed();
    let mut leaving = store.put(&scope, new(1, 0), halting);
    while files(&folder).is_empty() {
        assert!(futures_util::poll!(&mut leaving).is_pending());
        tokio::task::yield_now().await;
    }
    drop(leaving);
    // The thread processes one job at a time, so the removal comes first.
    let kept = store.put(&scope, new(2, 0), content("whole")).await.unwrap();
    assert_eq!(files(&folder), [kept.id.to_string()]);
}

#[tokio::test]
async fn content_left_by_a_process_that_died_is_removed_with_the_files_of_its_age() {
    let folder = tempdir().unwrap();
    let store = open(&folder);
    let first = store.put(&scope(), new(1, 0), content("first")).await.unwrap();
    let mut accept = request(1, SessionKey::New);
    accept.blobs.push(first.id);
    store.accept(&scope(), accept).await.unwrap();
    let shard = path(&folder, &first).parent().unwrap().to_owned();
    let leave = |blob: NewBlob, end: &str| std::fs::write(shard.join(format!("{}{end}", blob.id)), "left").unwrap();
    let (before, young) = (new(1, -1), new(1, DAY));
    let mut kept = [before.id.to_string(), first.id.to_string(), young.id.to_string()];
    leave(before, ""); // older than any file of this database
    leave(new(1, 1), "");
    leave(new(1, 2), ".part");
    leave(young, "");
    assert_eq!((files(&folder).len(), delete_unreferenced(&store, DAY).await), (5, 0));
    kept.sort();
    assert_eq!(files(&folder), kept);
}

/// The client never received the id of the file.
#[cfg(feature = "failpoints")]
#[tokio::test]
async fn a_file_without_a_row_after_a_crash_does_not_exist() {
    use tokio::task::JoinSet;

    let folder = tempdir().unwrap();
    let store = open(&folder);
    store.put(&scope(), new(1, 0), content("another")).await.unwrap();
    store.on_failpoint(|name| assert_ne!(name, "blob.renamed", "the process dies"));
    let store = std::sync::Arc::new(store);
    let (dying, died) = (std::sync::Arc::clone(&store), new(2, 1));
    let id = died.id;
    let put = async move { dying.put(&scope(), died, content("lost")).await };
    let mut process = JoinSet::new();
    process.spawn(put);
    assert!(process.join_next().await.unwrap().unwrap_err().is_panic());
    assert!(files(&folder).contains(&id.to_string()), "the content was durable");
    assert!(matches!(store.open(&scope(), id).await, Err(StoreError::NotFound)));
    assert_eq!(delete_unreferenced(&store, DAY).await, 1, "the other, which no turn names");
    assert_eq!(files(&folder), [] as [String; 0]);
}
