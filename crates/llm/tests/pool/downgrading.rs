use turnkit_core::ProviderErrorKind::*;
use turnkit_core::{Arguments, CallUid, File, Image, Part, Role, ToolCall, ToolDefinition, ToolResult};
use turnkit_llm::profile::Capability;

use super::*;

fn request_for_everything() -> ChatRequest {
    let image = Part::Image(Image::at("https://example.com/cat.png"));
    let tool = ToolDefinition::new("lookup", "Looks up.", r#"{"type":"object"}"#).unwrap();
    let history = History::of([Message::new(Role::User, vec![Part::text("what is this?"), image])]);
    ChatRequest { history, tools: [tool].into(), ..request() }
}

/// Returns the tools and the transcript of each call to `a`.
fn sent(world: &World) -> Vec<(usize, Vec<String>)> {
    world.providers[0].calls().iter().map(|call| (call.tools().len(), call.transcript())).collect()
}

const WITH_IMAGE: [&str; 2] = ["user: what is this?", "user shows https://example.com/cat.png"];
const WITHOUT: [&str; 2] = ["user: what is this?", "user: [image omitted: the model does not support images]"];

#[tokio::test(start_paused = true)]
async fn a_request_is_reduced_once_for_each_missing_feature_with_a_notice() {
    let world = World::of([vec![fails(ToolsUnsupported), fails(ImagesUnsupported), says("a cat"), says("a cat")]]);
    let said = world.ask(request_for_everything()).await.unwrap();
    assert_eq!(said.notices, ["retried_without_tools", "retried_without_images"]);
    let line = |words: [&str; 2]| words.map(str::to_owned).to_vec();
    assert_eq!(sent(&world), [(1, line(WITH_IMAGE)), (0, line(WITH_IMAGE)), (0, line(WITHOUT))]);
    assert_eq!(world.status("a").frozen, None);

    let said = world.ask(request_for_everything()).await.unwrap();
    assert_eq!(said.notices, ["asked_without_tools", "asked_without_images"], "it is remembered");
    assert_eq!(sent(&world).len(), 4);
}

#[tokio::test(start_paused = true)]
async fn learnt_features_expire_after_an_hour_and_on_a_thaw() {
    let learns = || [fails(ToolsUnsupported), says("x")];
    let world = World::of([[learns().as_slice(), &[says("x")]].concat()]);
    world.ask(request_for_everything()).await.unwrap();
    world.clock.advance(Duration::from_secs(3_601));
    assert_eq!(world.ask(request_for_everything()).await.unwrap().notices, [""; 0]);
    assert_eq!(sent(&world).iter().map(|(tools, _)| *tools).collect::<Vec<_>>(), [1, 0, 1]);

    for word in [says("pong"), fails(Overloaded)] {
        let world = World::of([[learns().as_slice(), &[word, says("x")]].concat()]);
        world.ask(request_for_everything()).await.unwrap();
        let _ = world.pool.thaw("a").await.unwrap();
        assert_eq!(world.ask(request_for_everything()).await.unwrap().notices, [""; 0]);
        assert_eq!(sent(&world).iter().map(|(tools, _)| *tools).collect::<Vec<_>>(), [1, 0, 0, 1]);
    }
}

#[tokio::test(start_paused = true)]
async fn images_are_not_sent_to_a_model_without_vision() {
    let world = World::with([vec![says("x"); 2]], PoolOptions::default(), |member| {
        member.models[0].profile.capabilities = Some([Capability::Tools].into_iter().collect());
    });
    for step in 1..=2 {
        let call = CallContext { turn: TurnId::default(), step, attempt: 1 };
        let opened = world.pool.stream(request_for_everything(), &call).await.unwrap();
        assert_eq!(heard(opened).await.unwrap().notices, ["asked_without_images"], "step {step}");
    }
    assert_eq!(sent(&world)[0].1, WITHOUT.map(str::to_owned));
}

/// Returns a request after a call whose result has an image.
fn request_with_seen_image() -> ChatRequest {
    let (uid, name) = (CallUid { turn: TurnId::default(), step: 1, ordinal: 0 }, "lookup".to_owned());
    let (provider_id, arguments) = ("call_1".to_owned(), Arguments("{}".to_owned()));
    let call = ToolCall { uid, provider_id, name: name.clone(), arguments, extras: None };
    let result = ToolResult {
        images: vec![Image::at("data:image/png;base64,AAAA")],
        ..ToolResult::new(uid, name, "[image, image/png, 3 bytes]")
    };
    let history = History::of([
        Message::user("what is this?"),
        Message::new(Role::Assistant, vec![Part::ToolCall(call)]),
        Message::new(Role::Tool, vec![Part::ToolResult(result)]),
    ]);
    ChatRequest { history, ..request_for_everything() }
}

#[tokio::test(start_paused = true)]
async fn a_model_without_vision_reads_a_text_in_place_of_the_images_of_a_result() {
    let omitted = "\n[image omitted: the model does not support images]";
    for (capabilities, notices, seen) in [
        (&[Capability::Tools][..], &["asked_without_images"][..], omitted),
        (&[Capability::Tools, Capability::Vision], &[], " with data:image/png;base64,AAAA"),
    ] {
        let world = World::with([vec![says("x")]], PoolOptions::default(), |member| {
            member.models[0].profile.capabilities = Some(capabilities.iter().copied().collect());
        });
        assert_eq!(world.ask(request_with_seen_image()).await.unwrap().notices, notices, "{capabilities:?}");
        let result = format!("lookup gave [image, image/png, 3 bytes]{seen}");
        assert_eq!(sent(&world)[0].1.last(), Some(&result), "{capabilities:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn documents_are_not_sent_to_a_model_without_files() {
    let world = World::with([vec![says("x")]], PoolOptions::default(), |member| {
        member.models[0].profile.capabilities = Some([Capability::Vision].into_iter().collect());
    });
    let url = "data:application/pdf;base64,JVBERi0=".to_owned();
    let (media_type, name) = ("application/pdf".to_owned(), "a.pdf".to_owned());
    let file = Part::File(File { media_type, name, url, untrusted: false });
    let history = History::of([Message::new(Role::User, vec![file, Part::text("what is this?")])]);
    assert_eq!(world.ask(ChatRequest { history, ..request() }).await.unwrap().notices, ["asked_without_files"]);
    let left_out = "user: [document omitted: the model does not support documents]";
    assert_eq!(sent(&world)[0].1, [left_out, "user: what is this?"]);
}

#[tokio::test(start_paused = true)]
async fn a_rejection_of_an_unused_feature_is_not_retried() {
    let world = World::of([vec![fails(ToolsUnsupported), fails(ToolsUnsupported)]]);
    assert_eq!(world.ask(request()).await.unwrap_err().0.kind, ToolsUnsupported);
    assert_eq!(world.asked(), [1]);
    let world = World::of([vec![fails(ToolsUnsupported), fails(ToolsUnsupported), says("x")]]);
    assert_eq!(world.ask(request_for_everything()).await.unwrap_err().0.kind, ToolsUnsupported);
    assert_eq!(world.asked(), [2]);
}

/// Creates two providers with a single slot each, in either order. One answers `script` and supports all features. The
/// other says "less", and supports neither tools nor images.
fn able_and_unable(script: &[Reply]) -> [(World, &'static str); 2] {
    ["a", "b"].map(|able| {
        let mut scripts = [script.to_vec(), vec![says("less"); 2]];
        if able == "b" {
            scripts.reverse();
        }
        let world = World::with(scripts, PoolOptions::default(), |member| {
            member.max_concurrency = Some(1);
            member.models[0].profile.capabilities = (member.id != able).then(Default::default);
        });
        (world, able)
    })
}

#[tokio::test(start_paused = true)]
async fn a_busy_capable_provider_is_preferred_to_a_free_less_capable_one() {
    for (world, able) in able_and_unable(&[says("held"), says("all")]) {
        let held = world.open(of_provider(able)).await.unwrap();
        let mut asking = Box::pin(world.ask(request_for_everything()));
        assert!(futures_util::poll!(&mut asking).is_pending());
        drop(held);
        let said = asking.await.unwrap();
        assert_eq!((said.provider.as_str(), said.text.as_str(), said.notices), (able, "all", vec![]));
    }
}

#[tokio::test(start_paused = true)]
async fn a_less_capable_provider_answers_if_no_capable_one_is_free_in_time() {
    let less = ["asked_without_tools", "asked_without_images"].map(str::to_owned).to_vec();
    for (script, is_held, after) in [(says("held"), true, 30), (fails(Auth), true, 0), (fails(Auth), false, 0)] {
        for (world, able) in able_and_unable(std::slice::from_ref(&script)) {
            // The provider is either busy all the time, has failed before, or fails now.
            let _held = if is_held { world.open(of_provider(able)).await.ok() } else { None };
            let start = tokio::time::Instant::now();
            let said = world.ask(request_for_everything()).await.unwrap();
            assert_eq!((said.text.as_str(), start.elapsed().as_secs()), ("less", after), "{script:?}");
            assert_eq!(said.notices[usize::from(!is_held)..], less);
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_busy_less_capable_provider_is_waited_for_only_if_no_capable_one_is_free_in_time() {
    for (world, able) in able_and_unable(&[fails(Auth)]) {
        let unable = if able == "a" { "b" } else { "a" };
        world.ask(of_provider(able)).await.unwrap_err();
        let held = world.open(of_provider(unable)).await.unwrap();
        let mut asking = Box::pin(world.ask(request_for_everything()));
        assert!(futures_util::poll!(&mut asking).is_pending());
        drop(held);
        assert_eq!(asking.await.unwrap().provider, unable);
    }
}
