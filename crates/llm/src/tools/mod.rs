//! Adapts tools to providers: valid and unique names, and schemas that providers accept.

mod name;
mod schema;
mod written;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;
use turnkit_core::ports::{NoticeClass, OpeningNotice};
use turnkit_core::{CallHead, Delta, PartKind, RawJson, Str, ToolDefinition};

pub(crate) use name::legal_name;
use schema::normalised;
use written::readings;

/// Number of tool lists to remember.
const MAX_RECENT: usize = 16;
/// Maximum number of remembered schemas, and of bytes in them and their adapted forms. At the limit, all are forgotten.
/// Tools of clients have new addresses every turn.
const MAX_KNOWN: usize = 4_096;
const MAX_KNOWN_BYTES: usize = 4 * 1024 * 1024;

/// How to adapt a tool's schema.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SchemaRule {
    /// As declared by its tool, as far as providers accept it.
    #[default]
    AsDeclared,
    /// Every property is required, for servers that omit optional ones. An optional one may be null.
    StrictRequired,
}

/// Adapts tools to a provider, and remembers the adapted schemas. A schema is identified by its address in memory, so
/// that no schema is parsed for known tools.
#[derive(Debug, Default)]
pub struct ToolDeclarations {
    rule: SchemaRule,
    known: Mutex<KnownSchemas>,
    /// The newest tool lists, with their adapted forms.
    recent: Mutex<Vec<(Arc<[ToolDefinition]>, DeclaredTools)>>,
}

/// The adapted schemas, by the address of the original.
#[derive(Debug, Default)]
struct KnownSchemas {
    by_place: HashMap<usize, Known>,
    bytes: usize,
}

/// A schema, kept so that its address is not reused, and its adapted form if it had to change.
#[derive(Debug)]
struct Known {
    schema: RawJson,
    adapted: Option<RawJson>,
}

/// Tools as declared to a provider.
#[derive(Debug, Clone)]
pub struct DeclaredTools {
    /// The tools to send; the original list if nothing had to change.
    pub tools: Arc<[ToolDefinition]>,
    /// Notices about omitted tools.
    pub notices: Vec<OpeningNotice>,
    /// The legal name and the original name of each renamed tool.
    renamed: Arc<[(String, String)]>,
}

impl ToolDeclarations {
    /// Creates declarations with a schema rule.
    pub fn new(rule: SchemaRule) -> Self {
        Self { rule, known: Mutex::default(), recent: Mutex::default() }
    }

    /// Returns the tools in a form that providers accept.
    ///
    /// ```
    /// use turnkit_core::{RawJson, ToolDefinition, ToolFlags};
    /// use turnkit_llm::ToolDeclarations;
    ///
    /// let tool = ToolDefinition {
    ///     name: "tickets.search".to_owned(),
    ///     description: "Finds tickets.".to_owned(),
    ///     parameters: RawJson::parse("{}").unwrap(),
    ///     flags: ToolFlags::default(),
    ///     fingerprint: None,
    /// };
    /// let declared = ToolDeclarations::default().declare(&[tool].into());
    /// assert_eq!(declared.tools[0].name, "tickets_search_759f83f8");
    /// ```
    pub fn declare(&self, tools: &Arc<[ToolDefinition]>) -> DeclaredTools {
        let recent = || self.recent.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, declared)) = recent().iter().rev().find(|(known, _)| Arc::ptr_eq(known, tools)) {
            return declared.clone();
        }
        let declared = self.adapt(tools);
        let mut recent = recent();
        if recent.len() >= MAX_RECENT {
            recent.remove(0);
        }
        recent.push((Arc::clone(tools), declared.clone()));
        declared
    }

    fn adapt(&self, tools: &Arc<[ToolDefinition]>) -> DeclaredTools {
        let adapted: Vec<Option<RawJson>> = tools.iter().map(|tool| self.schema(&tool.parameters)).collect();
        let mut names = HashSet::with_capacity(tools.len());
        let is_fine = |(tool, adapted): (&ToolDefinition, &Option<RawJson>)| {
            adapted.is_none() && *legal_name(&tool.name) == tool.name && names.insert(tool.name.clone())
        };
        if tools.iter().zip(&adapted).all(is_fine) {
            return DeclaredTools { tools: Arc::clone(tools), notices: Vec::new(), renamed: [].into() };
        }
        rewritten(tools, adapted)
    }

    /// Returns the adapted form of a schema; `None` if it need not change.
    fn schema(&self, schema: &RawJson) -> Option<RawJson> {
        let place = schema.get().as_ptr().addr();
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = known().by_place.get(&place) {
            return known.adapted.clone();
        }
        let adapted = normalised(schema, self.rule);
        known().add(place, Known { schema: schema.clone(), adapted: adapted.clone() });
        adapted
    }
}

impl KnownSchemas {
    fn add(&mut self, place: usize, schema: Known) {
        let bytes = schema.bytes();
        if self.by_place.len() >= MAX_KNOWN || self.bytes.saturating_add(bytes) > MAX_KNOWN_BYTES {
            *self = Self::default();
        }
        self.bytes = self.bytes.saturating_add(bytes);
        let before = self.by_place.insert(place, schema).map_or(0, |before| before.bytes());
        self.bytes = self.bytes.saturating_sub(before);
    }
}

impl Known {
    fn bytes(&self) -> usize {
        self.schema.get().len() + self.adapted.as_ref().map_or(0, |adapted| adapted.get().len())
    }
}

fn rewritten(tools: &[ToolDefinition], adapted: Vec<Option<RawJson>>) -> DeclaredTools {
    let mut kept: Vec<ToolDefinition> = Vec::with_capacity(tools.len());
    let (mut notices, mut renamed, mut names) = (Vec::new(), Vec::new(), HashSet::new());
    for (tool, adapted) in tools.iter().zip(adapted) {
        if tool.name.is_empty() {
            notices.push(notice("a tool without a name was left out".to_owned()));
            continue;
        }
        let name = legal_name(&tool.name).into_owned();
        if !names.insert(name.clone()) {
            notices.push(notice(format!("a second tool called {} was left out", tool.name)));
            continue;
        }
        if name != tool.name {
            renamed.push((name.clone(), tool.name.clone()));
        }
        let parameters = adapted.unwrap_or_else(|| tool.parameters.clone());
        kept.push(ToolDefinition { name, parameters, ..tool.clone() });
    }
    DeclaredTools { tools: kept.into(), notices, renamed: renamed.into() }
}

fn notice(text: String) -> OpeningNotice {
    OpeningNotice { class: NoticeClass::Condition, code: "tool_left_out".to_owned(), text }
}

impl DeclaredTools {
    /// Renames a call in an answer to the original name of its tool, if there is such a tool.
    #[inline]
    pub(crate) fn own_name(&self, delta: &mut Delta) {
        // A separate function, so that text deltas cost no function call.
        if let Delta::Start { kind: PartKind::ToolCall, call: Some(call), .. } = delta {
            self.rename(call);
        }
    }

    fn rename(&self, call: &mut CallHead) {
        let own = readings(&call.name).find_map(|name| self.own(name)).map(Str::from);
        if let Some(own) = own {
            call.name = own;
        }
    }

    /// Returns the original name of the tool with this original or declared name.
    fn own(&self, name: &str) -> Option<&str> {
        let renamed = self.renamed.iter().find(|(legal, own)| name == legal || name == own);
        let own = renamed.map(|(_, own)| own);
        own.or_else(|| self.tools.iter().map(|tool| &tool.name).find(|known| name == *known)).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use turnkit_core::ToolFlags;

    use super::*;

    fn tool(name: &str, schema: &RawJson) -> ToolDefinition {
        let flags = ToolFlags::default();
        let (name, description, parameters) = (name.to_owned(), String::new(), schema.clone());
        ToolDefinition { name, description, parameters, flags, fingerprint: None }
    }

    #[test]
    fn valid_tools_are_not_copied() {
        let schema = RawJson::parse(r#"{"type":"object","properties":{}}"#).unwrap();
        let tools: Arc<[_]> = [tool("a", &schema), tool("b", &schema)].into();
        assert!(Arc::ptr_eq(&ToolDeclarations::default().declare(&tools).tools, &tools));
    }

    #[test]
    fn unnamed_and_duplicate_tools_are_omitted_with_a_notice() {
        let schema = RawJson::parse("{}").unwrap();
        let tools = ["a", "", "b.c", "a", "b.c"].map(|name| tool(name, &schema)).into();
        let declared = ToolDeclarations::default().declare(&tools);
        let names: Vec<&str> = declared.tools.iter().map(|tool| tool.name.as_str()).collect();
        assert_eq!(names, ["a", &*legal_name("b.c")]);
        let texts: Vec<&str> = declared.notices.iter().map(|notice| notice.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "a tool without a name was left out",
                "a second tool called a was left out",
                "a second tool called b.c was left out",
            ]
        );
        let mut delta = Delta::call(0, "1", &*legal_name("b.c"));
        declared.own_name(&mut delta);
        assert_eq!(delta, Delta::call(0, "1", "b.c"));
    }

    #[test]
    fn a_call_means_the_tool_of_its_name_or_else_of_the_name_within_it() {
        let schema = RawJson::parse("{}").unwrap();
        let legal = legal_name("b.c");
        for (tools, written, own) in [
            (vec!["a"], "functions.a", "a"),
            (vec!["a"], "ns:a:1_x", "a"),
            (vec!["a"], "functions.b", "functions.b"),
            (vec!["b.c"], &format!("functions.{legal}:0"), "b.c"),
            (vec!["b.c", "c"], "b.c", "b.c"),
            (vec!["a", "functions.a"], "functions.a", "functions.a"),
        ] {
            let tools: Vec<_> = tools.into_iter().map(|name| tool(name, &schema)).collect();
            let mut delta = Delta::call(0, "1", written);
            ToolDeclarations::default().declare(&tools.into()).own_name(&mut delta);
            assert_eq!(delta, Delta::call(0, "1", own), "{written}");
        }
    }

    #[test]
    fn remembered_schemas_are_bounded_by_their_bytes() {
        let declarations = ToolDeclarations::default();
        let long = RawJson::of(&serde_json::json!({ "description": "a".repeat(256 * 1024) })).unwrap();
        for turn in 0..100 {
            let schema = RawJson::parse(long.get()).unwrap();
            declarations.declare(&[tool("a", &schema)].into());
            let known = declarations.known.lock().unwrap();
            let bytes: usize = known.by_place.values().map(Known::bytes).sum();
            assert!(bytes <= MAX_KNOWN_BYTES && bytes == known.bytes, "turn {turn}: {bytes}, {}", known.bytes);
        }
    }

    #[test]
    fn a_schema_is_parsed_once_for_repeated_declarations() {
        let schema = RawJson::parse("{}").unwrap();
        let declarations = ToolDeclarations::default();
        let first = declarations.declare(&[tool("a", &schema)].into());
        let second = declarations.declare(&[tool("a", &schema)].into());
        let place = |declared: &DeclaredTools| declared.tools[0].parameters.get().as_ptr();
        assert_eq!(place(&first), place(&second));
    }
}
