use turnkit_core::ProviderErrorKind::*;
use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{ModelName, Price, Prices, Rates};
use turnkit_llm::Strategy;
use turnkit_llm::profile::Capability;

use super::*;

fn of_model(model: &str) -> ChatRequest {
    ChatRequest { model: Some(ModelName(model.into())), ..request() }
}

fn tagged(tags: &[&str]) -> ChatRequest {
    routed(Route { tags: tags.iter().map(|tag| (*tag).into()).collect(), ..Route::default() })
}

/// Three providers that all answer: `a` is fast, `b` is fast and local, `c` has no tag.
fn world(strategy: Strategy) -> World {
    let options = PoolOptions { strategy, seed: 7, ..PoolOptions::default() };
    World::with([vec![says("x"); 300], vec![says("x"); 300], vec![says("x"); 300]], options, |member| {
        member.tags = match member.id.as_str() {
            "a" => vec!["fast".into()],
            "b" => vec!["fast".into(), "local".into()],
            _ => vec![],
        };
        let input = match member.id.as_str() {
            "a" => 3.0,
            "b" => return,
            _ => 2.0,
        };
        let rates = Rates::new(Price::dollars(input).unwrap(), Price::default());
        member.models[0].profile.prices = Some(Arc::new(Prices::new("now", rates)));
    })
}

async fn who(world: &World, request: ChatRequest) -> String {
    world.ask(request).await.unwrap().provider
}

#[tokio::test(start_paused = true)]
async fn all_tags_must_be_there() {
    let world = world(Strategy::Priority);
    assert_eq!(who(&world, tagged(&[])).await, "a");
    assert_eq!(who(&world, tagged(&["fast"])).await, "a");
    assert_eq!(who(&world, tagged(&["local", "fast"])).await, "b");
    let error = world.ask(tagged(&["fast", "cheap"])).await.unwrap_err().0;
    assert_eq!(error.kind, NoProvider);
    assert_eq!(error.message, "no provider has the tags `fast`, `cheap`; the providers are a, b, c");
}

#[tokio::test(start_paused = true)]
async fn no_other_provider_replaces_a_named_one() {
    let world = world(Strategy::Priority);
    assert_eq!(who(&world, of_provider("c")).await, "c");
    let error = world.ask(of_provider("d")).await.unwrap_err().0;
    assert_eq!(
        (error.kind, error.message.as_str()),
        (NoProvider, "there is no provider `d`; the providers are a, b, c")
    );
    let request = ChatRequest { model: Some(ModelName("any".into())), ..of_provider("b") };
    world.ask(request).await.unwrap();
    let asked = world.providers[1].calls().pop().unwrap().request.model;
    assert_eq!(asked, Some(ModelName("any".into())), "also for a model it does not list");
}

#[tokio::test(start_paused = true)]
async fn providers_with_the_requested_model_come_first_and_others_use_their_own() {
    let world = world(Strategy::Priority);
    assert_eq!(who(&world, of_model("b")).await, "b");
    let error = world.ask(of_model("z")).await.unwrap_err().0;
    assert_eq!(error.kind, ModelNotFound);
    assert_eq!(error.message, "no provider that fits serves the model `z`; available models: a of a, b of b, c of c");
    let world = World::of([vec![says("x")], vec![fails(ModelNotFound)]]);
    let said = world.ask(of_model("b")).await.unwrap();
    assert_eq!((said.provider.as_str(), said.notices.as_slice()), ("a", &["failed_over".to_owned()][..]));
    assert_eq!(world.providers[0].calls()[0].request.model, None);
}

#[tokio::test(start_paused = true)]
async fn every_answer_of_another_model_has_a_notice() {
    let world = World::with(
        [vec![says("x"); 3], vec![says("x"), fails(RateLimited), fails(RateLimited)]],
        PoolOptions::default(),
        |b| {
            b.max_concurrency = Some(1);
        },
    );
    let told = async || {
        let said = world.ask(of_model("b")).await.unwrap();
        (said.provider, said.notices.join(","))
    };
    let busy = world.open(of_model("b")).await.unwrap();
    assert_eq!((busy.provider.as_str(), busy.notices.as_slice()), ("b", &[][..]));
    let opened = world.open(of_model("b")).await.unwrap();
    let text = "a answers with a; b was requested";
    let notice =
        OpeningNotice { class: NoticeClass::Condition, code: "asked_another_model".to_owned(), text: text.to_owned() };
    assert_eq!((opened.provider.as_str(), opened.notices.as_slice()), ("a", &[notice][..]));
    drop((busy, opened));
    assert_eq!(told().await, ("a".to_owned(), "failed_over".to_owned()), "once is enough");
    assert_eq!(told().await, ("a".to_owned(), "asked_another_model".to_owned()), "b is frozen");
    assert_eq!(world.ask(of_provider("b")).await.unwrap_err().0.kind, RateLimited);
}

#[tokio::test(start_paused = true)]
async fn an_unlisted_model_that_answers_as_requested_has_no_notice() {
    let world = World::with([vec![fails(RateLimited)], vec![says("x")]], PoolOptions::default(), |member| {
        member.models[0].name = ModelName("b".into());
        if member.id == "b" {
            member.models.clear();
        }
    });
    world.ask(of_provider("a")).await.unwrap_err();
    let said = world.ask(of_model("b")).await.unwrap();
    assert_eq!((said.provider.as_str(), said.notices.len()), ("b", 0));
}

#[tokio::test(start_paused = true)]
async fn providers_with_vision_come_first_for_images() {
    let image = turnkit_core::Part::Image(turnkit_core::Image::at("https://example.com/cat.png"));
    let history = History::of([Message::new(turnkit_core::Role::User, vec![image])]);
    let world = World::with([vec![says("x"); 2], vec![says("x"); 2]], PoolOptions::default(), |member| {
        let all = (member.id == "b").then_some(Capability::Vision);
        member.models[0].profile.capabilities = Some(all.into_iter().collect());
    });
    assert_eq!(who(&world, ChatRequest { history, ..request() }).await, "b");
    assert_eq!(who(&world, request()).await, "a");
}

#[tokio::test(start_paused = true)]
async fn strategies_choose_among_equals() {
    let round_robin = world(Strategy::RoundRobin);
    let mut asked = Vec::new();
    for _ in 0..6 {
        asked.push(who(&round_robin, request()).await);
    }
    assert_eq!(asked, ["a", "b", "c", "a", "b", "c"]);

    let random = world(Strategy::Random);
    for _ in 0..300 {
        who(&random, request()).await;
    }
    assert!(random.asked().iter().all(|asked| (70..130).contains(asked)), "{:?}", random.asked());

    assert_eq!(who(&world(Strategy::Cost), request()).await, "c", "an unknown price is the last");

    let least_loaded = World::with(
        [vec![says("x"); 9], vec![says("x"); 9]],
        PoolOptions { strategy: Strategy::LeastLoaded, ..PoolOptions::default() },
        |member| member.max_concurrency = Some(if member.id == "a" { 4 } else { 5 }),
    );
    let mut held = Vec::new();
    for expected in ["b", "a", "b", "a", "b"] {
        let opened = least_loaded.open(request()).await.unwrap();
        assert_eq!(opened.provider, expected);
        held.push(opened);
    }
}

#[tokio::test(start_paused = true)]
async fn the_lowest_price_is_that_of_ordinary_requests_and_then_that_of_output() {
    let rates = |[input, output]: [f64; 2]| Rates::new(Price::dollars(input).unwrap(), Price::dollars(output).unwrap());
    let long = |dollars| Some((200_000, rates(dollars)));
    for (prices, cheapest) in [
        ([([1.25, 10.0], long([2.5, 15.0])), ([2.0, 10.0], None)], "a"),
        ([([2.0, 10.0], None), ([1.25, 10.0], long([2.5, 15.0]))], "b"),
        ([([2.0, 10.0], None), ([2.0, 8.0], None)], "b"),
        ([([2.0, 1.0], None), ([1.0, 8.0], None)], "b"),
    ] {
        let options = PoolOptions { strategy: Strategy::Cost, ..PoolOptions::default() };
        let world = World::with([vec![says("x")], vec![says("x")]], options, |member| {
            let (usual, long) = prices[usize::from(member.id == "b")];
            member.models[0].profile.prices = Some(Arc::new(Prices { long, ..Prices::new("now", rates(usual)) }));
        });
        assert_eq!(who(&world, request()).await, cheapest, "{prices:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn round_robin_of_a_route_is_not_disturbed_by_other_routes() {
    let options = PoolOptions { strategy: Strategy::RoundRobin, ..PoolOptions::default() };
    let scripts = [vec![says("x"); 40], vec![says("x"); 40], vec![says("x"); 40], vec![says("x"); 40]];
    let world = World::with(scripts, options, |member| {
        let tag = if matches!(member.id.as_str(), "a" | "b") { "chat" } else { "titles" };
        member.tags = vec![tag.into()];
    });
    for _ in 0..20 {
        world.ask(tagged(&["chat"])).await.unwrap();
        world.ask(tagged(&["titles"])).await.unwrap();
    }
    assert_eq!(world.asked(), [10, 10, 10, 10]);
}

#[tokio::test(start_paused = true)]
async fn the_other_providers_share_the_turns_of_a_frozen_one() {
    let options = PoolOptions { strategy: Strategy::RoundRobin, ..PoolOptions::default() };
    let world = World::with([vec![fails(Auth)], vec![says("x"); 30], vec![says("x"); 30]], options, |_| {});
    for _ in 0..20 {
        world.ask(request()).await.unwrap();
    }
    assert_eq!(world.asked(), [1, 10, 10]);
}

#[tokio::test(start_paused = true)]
async fn an_opened_answer_names_its_provider() {
    let opened = world(Strategy::Priority).open(of_model("c")).await.unwrap();
    assert_eq!((opened.provider.as_str(), opened.model.as_str()), ("c", "c"));
}

#[tokio::test(start_paused = true)]
async fn round_robin_covers_the_providers_with_the_requested_model() {
    let options = PoolOptions { strategy: Strategy::RoundRobin, ..PoolOptions::default() };
    let world = World::with([vec![says("x"); 30], vec![says("x"); 30], vec![says("x"); 30]], options, |member| {
        if member.id != "a" {
            member.models.push(MemberModel::new("large"));
        }
    });
    for _ in 0..20 {
        world.ask(of_model("large")).await.unwrap();
    }
    assert_eq!(world.asked(), [0, 10, 10]);
}

#[tokio::test(start_paused = true)]
async fn the_limits_are_those_of_the_smallest_model_that_may_answer() {
    let window = |name: &str, window| {
        let mut model = MemberModel::new(name);
        model.profile.window = window;
        model
    };
    let world = World::with([vec![], vec![], vec![]], PoolOptions::default(), |member| {
        member.models = match member.id.as_str() {
            "a" => vec![window("a", Some(400_000)), window("both", Some(8_000))],
            "b" => vec![window("b", Some(32_000)), window("both", Some(16_000))],
            _ => vec![window("c", None)],
        };
    });
    let of = |id: &str| Route { provider: Some(id.into()), ..Route::default() };
    for (model, route, expected) in [
        (None, None, Some((32_000, None))),
        (Some("both"), None, Some((8_000, None))),
        (Some("both"), Some(of("b")), Some((16_000, Some(16_000)))),
        (None, Some(of("a")), Some((400_000, Some(400_000)))),
        (None, Some(of("c")), None),
        (Some("nowhere"), None, None),
    ] {
        let name = model.map(|model: &str| ModelName(model.into()));
        let limits = world.pool.limits(name.as_ref(), route.as_ref());
        let windows = limits.map(|limits| (limits.window, limits.largest_window));
        assert_eq!(windows, expected, "{model:?} {route:?}");
    }

    let all_known = World::with([vec![], vec![]], PoolOptions::default(), |member| {
        member.models = vec![window("both", Some(if member.id.as_str() == "a" { 16_000 } else { 8_000 }))];
    });
    let limits = all_known.pool.limits(None, None).unwrap();
    assert_eq!((limits.window, limits.largest_window), (8_000, Some(16_000)));
}
