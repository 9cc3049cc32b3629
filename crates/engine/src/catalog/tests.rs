use std::future::ready;

use turnkit_core::ports::{BoxFuture, ToolContext, ToolSource, ToolSourceError};
use turnkit_core::{
    BlobId, CallUid, History, Message, Part, RawJson, Role, Scope, ToolError, ToolOutput, ToolResult, TurnId,
};

use super::*;

struct NamedTool(ToolDefinition);

impl Tool for NamedTool {
    fn definition(&self) -> &ToolDefinition {
        &self.0
    }

    fn call<'a>(&'a self, _: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(ready(Ok(ToolOutput::default())))
    }
}

/// Knows its tools, and fails if it is asked for them nevertheless.
struct KnowingSource(Arc<ToolSet>);

impl ToolSource for KnowingSource {
    fn name(&self) -> &str {
        "known"
    }

    fn known_tools(&self, _: Option<&Scope>) -> Option<Arc<ToolSet>> {
        Some(Arc::clone(&self.0))
    }

    fn tools<'a>(&'a self, _: Option<&'a Scope>) -> BoxFuture<'a, Result<Arc<ToolSet>, ToolSourceError>> {
        Box::pin(ready(Err(ToolSourceError("it was asked".to_owned()))))
    }
}

fn tool(name: &str, description: &str) -> Arc<dyn Tool> {
    Arc::new(NamedTool(ToolDefinition::new(name, description, r#"{"type":"object"}"#).unwrap()))
}

fn set(name: &str, is_deferred: bool, tools: &[&str]) -> SourceTools {
    let tools = tools.iter().map(|tool_name| tool(tool_name, &format!("of {name}")));
    let (owner, tools) = (PinOwner::Everyone, Arc::new(ToolSet::new(tools)));
    SourceTools { name: name.into(), is_deferred, is_recorded: false, owner, tools }
}

fn names(definitions: &[ToolDefinition]) -> Vec<&str> {
    definitions.iter().map(|tool| tool.name.as_str()).collect()
}

fn deferring() -> ToolSources {
    ToolSources::default().deferring(["secret__*".to_owned()])
}

#[test]
fn the_first_tool_of_a_name_hides_the_others_and_no_source_hides_a_tool_of_the_engine() {
    let own = vec![ToolDefinition::new("a", "own", "{}").unwrap()];
    let listed = [tool("a", "listed"), tool("b", "listed")];
    let sets = [set("x", false, &["b", "c", "tool_search", "read_result"]), set("y", false, &["c", "d"])];
    let catalog = ToolSources::default().catalog(own, &listed, &sets);
    let told: Vec<_> = catalog.definitions().iter().map(|tool| (&*tool.name, &*tool.description)).collect();
    assert_eq!(told, [("a", "own"), ("b", "listed"), ("c", "of x"), ("d", "of y")]);
    assert!(matches!(catalog.find("read_result").unwrap().runner, Runner::ReadResult));
    assert!(catalog.find("tool_search").is_none());
}

#[tokio::test]
async fn a_source_that_knows_its_tools_is_not_asked_for_them() {
    let tools = Arc::new(ToolSet::new([tool("a", "known")]));
    let offered = ToolSources::default().with(KnowingSource(Arc::clone(&tools))).ask(None).await;
    assert_eq!((offered.missing.len(), offered.sets.len()), (0, 1));
    assert!(Arc::ptr_eq(&offered.sets[0].tools, &tools));
}

#[test]
fn an_agent_takes_those_tools_of_sources_that_it_names() {
    let sets = [set("x", false, &["x__a", "x__b", "y__a"]), set("z", false, &["z"])];
    for (allowed, expected) in [
        (vec!["*"], vec!["x__a", "x__b", "y__a", "z"]),
        (vec!["x__*"], vec!["x__a", "x__b"]),
        (vec!["x__a", "z"], vec!["x__a", "z"]),
        (vec!["x__"], vec![]),
        (vec![], vec![]),
    ] {
        let sources = ToolSources::default().allowing(allowed.iter().map(|name| (*name).to_owned()));
        let catalog = sources.catalog(Vec::new(), &[], &sets);
        assert_eq!(names(catalog.definitions()), expected, "{allowed:?}");
    }
}

#[test]
fn a_thousand_tools_are_made_a_catalog_once_and_found_by_name() {
    let all: Vec<String> = (0..1_000).map(|number| format!("tool_{number:03}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let (sources, sets) = (ToolSources::default(), [set("many", false, &all)]);
    let first = sources.catalog(Vec::new(), &[], &sets);
    let second = sources.catalog(Vec::new(), &[], &sets);
    assert!(Arc::ptr_eq(&first, &second), "turns share it");
    assert!(all.iter().all(|name| first.find(name).unwrap().definition.name == *name));
    assert_eq!(first.place("tool_1000"), None);
    for other in [
        sources.catalog(vec![ToolDefinition::new("own", "", "{}").unwrap()], &[], &sets),
        sources.catalog(Vec::new(), &[tool("listed", "")], &sets),
        sources.catalog(Vec::new(), &[], &[set("many", false, &all)]),
    ] {
        assert!(!Arc::ptr_eq(&first, &other));
    }
}

#[test]
fn a_search_looks_for_a_tool_before_a_server_and_for_a_server_before_a_query() {
    let sets = [set("mail", true, &["mail__send", "mail__read"]), set("web", true, &["web__read"])];
    let listed = [tool("secret__vault", "Opens the vault for a reading."), tool("plain", "Is there.")];
    let catalog = deferring().catalog(Vec::new(), &listed, &sets);
    assert_eq!(names(catalog.definitions()), ["plain", "tool_search"]);
    let told = &catalog.find(SEARCH).unwrap().definition.description;
    assert!(told.ends_with("Servers: mail, web."), "{told}");
    for (arguments, expected) in [
        (r#"{"tool":"mail__send","server":"web","query":"vault"}"#, vec!["mail__send"]),
        (r#"{"tool":" ","server":"WEB","query":"vault"}"#, vec!["web__read"]),
        (r#"{"query":"vault"}"#, vec!["secret__vault"]),
        (r#"{"query":"Read!"}"#, vec!["mail__read", "web__read", "secret__vault"]),
        (r#"{"query":"read mail"}"#, vec!["mail__read", "mail__send", "web__read", "secret__vault"]),
        (r#"{"query":"xyz"}"#, vec![]),
        (r#"{"tool":"mail__sen"}"#, vec![]),
        (r#"{"tool":"plain"}"#, vec![]),
        (r#"{"tool":"read_result"}"#, vec![]),
        (r#"{"server":"elsewhere"}"#, vec![]),
    ] {
        let found = catalog.search(&RawJson::parse(arguments).unwrap()).unwrap().content;
        assert_eq!(search::found(&found).collect::<Vec<_>>(), expected, "{arguments}: {found}");
    }
    for nothing in ["{}", r#"{"query":" ","tool":""}"#] {
        let refused = catalog.search(&RawJson::parse(nothing).unwrap());
        assert!(matches!(refused, Err(ToolError::InvalidArguments(_))), "{nothing}");
    }
}

/// Returns the history of a session whose searches found one of these tools each.
fn history(found: &[&str], kept: Option<usize>) -> History {
    let result = |(at, name): (usize, &&str)| {
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let content = format!("These tools can be called:\n- `{name}`: a tool\n- `unknown`: none");
        let kept = (kept == Some(at)).then(|| BlobId(uuid::Uuid::nil()));
        let (name, error) = (SEARCH.to_owned(), None);
        let result = ToolResult { error, kept, ..ToolResult::new(uid, name, content) };
        Message::new(Role::Tool, vec![Part::ToolResult(result)])
    };
    History::of(found.iter().enumerate().map(result))
}

#[test]
fn a_session_has_the_newest_twenty_tools_that_it_found_in_the_order_in_which_it_found_them() {
    let all: Vec<String> = (0..30).map(|number| format!("secret__{number:02}")).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    let catalog = ToolSources::default().catalog(Vec::new(), &[], &[set("x", true, &all)]);
    let active = |found: &[&str], kept| -> Vec<String> {
        let places = catalog.activated(&history(found, kept), usize::MAX);
        places.into_iter().map(|place| catalog.at(place).unwrap().definition.name.clone()).collect()
    };
    assert_eq!(active(&[], None), Vec::<String>::new());
    assert_eq!(active(&["secret__07", "secret__03", "secret__07"], None), ["secret__07", "secret__03"]);
    assert_eq!(active(&all, None), all[10..]);
    // The tool that reads results does not count towards the twenty.
    let with_reader = active(&all, Some(0));
    assert_eq!((with_reader.len(), &*with_reader[0], &with_reader[1..]), (21, "read_result", &active(&all, None)[..]));
    assert_eq!(active(&["tool_search", "read_result"], None), Vec::<String>::new());
}

#[test]
fn where_nothing_is_deferred_a_search_in_the_messages_is_not_looked_for() {
    let catalog = ToolSources::default().catalog(Vec::new(), &[tool("secret__a", "")], &[]);
    assert_eq!(catalog.activated(&history(&["secret__a"], None), usize::MAX), Vec::<usize>::new());
    let own = vec![ToolDefinition::new(SEARCH, "own", "{}").unwrap()];
    let catalog = deferring().catalog(own, &[tool("secret__a", "")], &[]);
    assert_eq!(names(catalog.definitions()), [SEARCH, "secret__a"], "no tool is deferred that cannot be found");
}
