//! Tests of uploaded files in turns.

use std::sync::Arc;
use std::time::Duration;

use futures_util::{StreamExt as _, stream};
use tempfile::TempDir;
use turnkit_core::ports::{BlobStore as _, Clock as _, Fork, IdSource as _, SessionStore as _};
use turnkit_core::{
    AcceptError, AgentReach, BlobId, ClientCaps, NewBlob, SamplingParams, Scope, SessionId, SessionKey, Sweep, TurnId,
    TurnStatus, WorkerId,
};
use turnkit_engine::{ContextPaths, RegenerateRequest, TurnRequest};
use turnkit_files::Roots;
use turnkit_testkit::tools::{lookup, pay};
use turnkit_testkit::{Reply, ScriptedProvider, SeededIds};
use uuid::Uuid;

use crate::support::{Host, Setup, World, ada, request};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0";
const ZIP: &[u8] = b"PK\x03\x04\0\0";

impl Host {
    async fn uploads(&self, scope: &Scope, name: &str, content: &[u8]) -> BlobId {
        let at = self.clock.now();
        let id = SeededIds::new(name.bytes().map(u16::from).sum()).blob(at);
        let content = stream::iter([Ok(content.to_vec().into())]).boxed();
        self.sqlite.put(scope, NewBlob { id, name: name.into(), at }, content).await.unwrap().id
    }

    /// Removes the files that no turn references, and returns their number.
    async fn deletes_unnamed(&self) -> u64 {
        let (sweep, later) = (Sweep::new(WorkerId("sweeper".into())), self.clock.now().plus(Duration::from_secs(1)));
        self.sqlite.delete_unreferenced(&sweep, later).await.unwrap()
    }
}

fn with(files: Vec<BlobId>, session: SessionKey, text: &str) -> TurnRequest {
    TurnRequest { files, ..request(session, text) }
}

#[test]
fn files_precede_the_text_of_the_user_in_every_round_and_later_turn_and_after_a_restart() {
    let world = World::new();
    let asked = [
        "user adds a.md: # A",
        "user shows data:image/png;base64,iVBORw0KGgoA",
        "user adds c.pdf: data:application/pdf;base64,JVBERi0xLjc=",
        "user: Compare them.",
    ];
    let looks_up = Reply::new().call("lookup", serde_json::json!({ "key": "a" }));
    let provider = ScriptedProvider::new([looks_up, Reply::text("Alike."), Reply::text("Bye.")]);
    let session = world.life(Setup::from(provider).tool(lookup()), async |host| {
        let image = host.uploads(&ada(), "b.png", PNG).await;
        let document = host.uploads(&ada(), "c.pdf", b"%PDF-1.7").await;
        let text = host.uploads(&ada(), "a.md", b"# A").await;
        let first = with(vec![image, document, text], SessionKey::New, "Compare them.");
        let first = host.service.accept(&ada(), first).await.unwrap();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        let second = host.adds(first.session, "Thanks.").await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        for call in host.provider.calls() {
            assert_eq!(call.transcript()[..4], asked);
        }
        first.session
    });
    world.life(ScriptedProvider::new([Reply::text("Again.")]), async |host| {
        let third = host.adds(session, "Hello?").await;
        assert_eq!(host.ends(third.turn).await, TurnStatus::Completed);
        assert_eq!(host.provider.calls()[0].transcript()[..4], asked);
    });
}

#[test]
fn a_file_that_no_turn_takes_is_refused_before_anything_is_stored() {
    World::new().life(ScriptedProvider::new([]), async |host| {
        let text = host.uploads(&ada(), "long.txt", &vec![b'a'; 256 * 1024 + 1]).await;
        let image = host.uploads(&ada(), "large.png", &[PNG, &vec![0; 5 * 1024 * 1024]].concat()).await;
        let archive = host.uploads(&ada(), "all.zip", ZIP).await;
        let theirs = host.uploads(&Scope::new("acme", "bob"), "b", b"theirs").await;
        for (files, why) in [
            (vec![text], "the file long.txt is larger than 262144 bytes, the limit for text/plain"),
            (vec![image], "the file large.png is larger than 5242880 bytes, the limit for image/png"),
            (
                vec![archive],
                "the file all.zip has type application/zip; supported types are UTF-8 text, PNG, JPEG, GIF, WebP and \
                 PDF",
            ),
            (vec![theirs], "files: file 1 does not exist; upload it first"),
            (vec![BlobId::default()], "files: file 1 does not exist; upload it first"),
            (vec![archive; 21], "files: a turn accepts at most 20 files"),
        ] {
            let request = with(files, SessionKey::Name("new".parse().unwrap()), "Look.");
            let refused: AcceptError = host.service.accept(&ada(), request).await.unwrap_err();
            assert_eq!(refused.to_string(), why);
        }
        assert!(host.sqlite.session_named(&ada(), &"new".parse().unwrap()).await.is_err());
    });
}

/// Creates a folder that turns may read, with a text, an image, a PDF and a file that turns reject.
fn folder() -> (TempDir, Arc<Roots>) {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &[u8]| std::fs::write(folder.path().join(name), content).unwrap();
    std::fs::create_dir(folder.path().join("docs")).unwrap();
    for (name, content) in [("docs/a.md", &b"# A"[..]), ("b.png", PNG), ("c.pdf", b"%PDF-1.7"), ("all.zip", ZIP)] {
        write(name, content);
    }
    write("long.txt", &vec![b'a'; 256 * 1024 + 1]);
    write("large", &vec![b'a'; 16 * 1024 * 1024 + 1]);
    let roots = Roots::default().with(folder.path()).unwrap();
    (folder, Arc::new(roots))
}

fn of_folder(files: &[&str], images: &[&str], tree: Option<&str>) -> Option<Box<ContextPaths>> {
    let owned = |paths: &[&str]| paths.iter().map(|path| (*path).to_owned()).collect();
    Some(Box::new(ContextPaths { files: owned(files), images: owned(images), tree: tree.map(str::to_owned) }))
}

/// The contents are stored: the folder is gone in the second turn.
#[test]
fn files_and_the_tree_of_a_folder_are_read_once_and_sent_again_in_every_round_and_later_turn() {
    let (folder, roots) = folder();
    let asked = [
        "user adds note.md: # Note",
        "user adds docs/a.md: # A",
        "user adds ./: all.zip\nb.png\nc.pdf\ndocs/\n  a.md\nlarge\nlong.txt",
        "user adds c.pdf: data:application/pdf;base64,JVBERi0xLjc=",
        "user shows data:image/png;base64,iVBORw0KGgoA",
        "user: Compare them.",
    ];
    let looks_up = Reply::new().call("lookup", serde_json::json!({ "key": "a" }));
    let provider = ScriptedProvider::new([looks_up, Reply::text("Alike."), Reply::text("Bye.")]);
    let setup = Setup::from(provider).tool(lookup()).with(|setup| setup.settings.roots = roots);
    World::new().life(setup, async |host| {
        let note = host.uploads(&ada(), "note.md", b"# Note").await;
        let context = of_folder(&["c.pdf", "docs/a.md"], &["b.png"], Some("."));
        let first = TurnRequest { context, ..with(vec![note], SessionKey::New, "Compare them.") };
        let first = host.service.accept(&ada(), first).await.unwrap();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        drop(folder);
        assert_eq!(host.deletes_unnamed().await, 0, "the turn names what it read");
        let second = host.adds(first.session, "Thanks.").await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        for call in host.provider.calls() {
            assert_eq!(call.transcript()[..6], asked);
        }
    });
}

#[test]
fn content_of_an_untrusted_folder_is_untrusted_text_for_the_whole_session() {
    for (untrusted, context, pays) in [
        (false, of_folder(&["docs/a.md", "c.pdf"], &["b.png"], Some(".")), 2),
        (true, None, 2),
        (true, of_folder(&["docs/a.md"], &[], None), 0),
        (true, of_folder(&["c.pdf"], &[], None), 0),
        (true, of_folder(&[], &["b.png"], None), 0),
        (true, of_folder(&[], &[], Some(".")), 0),
    ] {
        let (folder, roots) = folder();
        let roots = if untrusted { Arc::new(Roots::clone(&roots).untrusted()) } else { roots };
        let world = World::new();
        let setup = || {
            let script = [Reply::new().call("pay", serde_json::json!({ "amount": 1 })), Reply::text("Well.")];
            let setup = Setup::from(ScriptedProvider::new(script)).tool(pay(world.ledger()));
            setup.with(|setup| setup.settings.roots = roots.clone())
        };
        let named = format!("{untrusted} {context:?}");
        let session = world.life(setup(), async |host| {
            let note = host.uploads(&ada(), "note.md", b"# Note").await;
            let first = TurnRequest { context, ..with(vec![note], SessionKey::New, "Pay what it says.") };
            let first = host.service.accept(&ada(), first).await.unwrap();
            assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
            first.session
        });
        drop(folder);
        world.life(setup(), async |host| {
            let second = host.adds(session, "Pay it again.").await;
            assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        });
        assert_eq!(world.ledger().effects().unwrap().len(), pays, "{named}");
    }
}

#[test]
fn a_path_that_no_turn_takes_is_refused_before_anything_is_stored() {
    let (folder, roots) = folder();
    let outside = folder.path().parent().unwrap().to_str().unwrap();
    let setup = Setup::from(ScriptedProvider::new([])).with(|setup| setup.settings.roots = roots);
    World::new().life(setup, async |host| {
        for (context, why) in [
            (
                of_folder(&["docs/a.md", "../a"], &[], None),
                "context.files: file 2 cannot be read: must not contain `..`",
            ),
            (
                of_folder(&["b.png", "missing"], &[], None),
                "context.files: file 2 cannot be read: not found in any folder of `files.roots`",
            ),
            (
                of_folder(&["b.md"], &[], None),
                "context.files: file 1 cannot be read: not found in any folder of `files.roots`",
            ),
            (of_folder(&["docs"], &[], None), "context.files: file 1 cannot be read: is a folder"),
            (of_folder(&[], &["c.pdf"], None), "context.images: file 1 is application/pdf, not an image"),
            (of_folder(&[], &[], Some(outside)), "context.tree: cannot be listed: not in a folder of `files.roots`"),
            (
                of_folder(&["long.txt"], &[], None),
                "the file long.txt is larger than 262144 bytes, the limit for text/plain",
            ),
            (of_folder(&["large"], &[], None), "the file large is larger than 16777216 bytes, the limit for any type"),
            (
                of_folder(&["all.zip"], &[], None),
                "the file all.zip has type application/zip; supported types are UTF-8 text, PNG, JPEG, GIF, WebP and \
                 PDF",
            ),
            (
                of_folder(&["docs/a.md"; 20], &["b.png"], None),
                "context: a turn accepts at most 20 files, including those in `files`",
            ),
        ] {
            let request = request(SessionKey::Name("new".parse().unwrap()), "Look.");
            let refused = host.service.accept(&ada(), TurnRequest { context, ..request }).await.unwrap_err();
            assert_eq!(refused.to_string(), why);
        }
        assert!(host.sqlite.session_named(&ada(), &"new".parse().unwrap()).await.is_err());
        assert_eq!(host.deletes_unnamed().await, 0, "no content was stored");
    });
}

#[test]
fn a_file_that_is_lost_is_left_out_and_the_session_continues() {
    let world = World::new();
    let provider = ScriptedProvider::new([Reply::text("A cat."), Reply::text("Gone.")]);
    world.life(provider, async |host| {
        let image = host.uploads(&ada(), "cat.png", PNG).await;
        let first = host.service.accept(&ada(), with(vec![image], SessionKey::New, "What is it?")).await.unwrap();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        std::fs::remove_dir_all(world.database().with_extension("blobs")).unwrap();
        let second = host.adds(first.session, "And now?").await;
        assert_eq!(host.ends(second.turn).await, TurnStatus::Completed);
        let left_out = "user: [a file was left out: it is no longer stored]";
        assert_eq!(host.provider.calls()[1].transcript()[..2], [left_out, "user: What is it?"]);
    });
}

/// The original turn and its session are deleted first, so the new turn must own its files. The text is in the message.
#[test]
fn a_message_is_answered_again_with_its_files_which_the_new_turn_keeps() {
    let replies = ["A cat.", "A dog.", "Yes."].map(Reply::text);
    World::new().life(Vec::from(replies), async |host| {
        let mut files = Vec::new();
        for (name, content) in [("b.png", PNG), ("c.pdf", &b"%PDF-1.7"[..]), ("a.md", &b"# A"[..])] {
            files.push(host.uploads(&ada(), name, content).await);
        }
        let first = host.service.accept(&ada(), with(files, SessionKey::New, "What is it?")).await.unwrap();
        assert_eq!(host.ends(first.turn).await, TurnStatus::Completed);
        let caps = ClientCaps { interact: false, resume: true };
        let again = RegenerateRequest {
            turn: first.turn,
            agent: None,
            route: None,
            params: SamplingParams::default(),
            tools: None,
            mode: None,
            caps,
            reach: AgentReach::default(),
            idempotency: None,
            trace: None,
        };
        let again = host.service.regenerate(&ada(), again).await.unwrap();
        assert_eq!(host.ends(again.turn).await, TurnStatus::Completed);

        let (new, turn, at) = (SessionId(Uuid::from_u128(8)), TurnId(Uuid::from_u128(9)), host.clock.now());
        let fork = Fork { from: first.session, after: Some(again.turn), new, turn, title: None, at };
        host.sqlite.fork(&ada(), fork).await.unwrap();
        host.sqlite.delete(&ada(), first.session).await.unwrap();
        assert_eq!(host.deletes_unnamed().await, 1, "the text");
        let third = host.adds(new, "Sure?").await;
        assert_eq!(host.ends(third.turn).await, TurnStatus::Completed);

        let calls = host.provider.calls();
        let asked = calls[0].transcript();
        assert_eq!(calls[1].transcript(), asked);
        assert_eq!(calls[2].transcript()[..4], asked[..4]);
        assert_eq!(asked[2], "user adds c.pdf: data:application/pdf;base64,JVBERi0xLjc=");
    });
}
