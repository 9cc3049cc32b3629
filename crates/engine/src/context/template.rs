//! Prompts that contain values of the turn.

use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use minijinja::value::Serde;
use minijinja::{Environment, Error, ErrorKind, UndefinedBehavior};
use serde::Serialize;
use serde_json::{Map, Value};
use turnkit_core::ports::ContextRequest;

/// The maximum number of steps of one rendering.
const FUEL: u64 = 50_000;
/// The values that a template can use.
const VALUES: [&str; 5] = ["agent", "mode", "session.metadata", "today", "user"];
/// The mode of turns that select none.
pub(super) const DEFAULT_MODE: &str = "general";
/// The name of the template in its environment.
const NAME: &str = "prompt";

/// The reason why a text cannot be used as a template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The text cannot be parsed, or calls a filter, test or function that does not exist.
    #[error("line {line}: {reason}; `{{% raw %}}…{{% endraw %}}` keeps a text as it is")]
    Syntax {
        /// The line, from 1.
        line: usize,
        /// The error of the parser.
        reason: String,
    },
    /// The text uses a value that no turn has.
    #[error("line {line}: there is no value `{name}`; the values are {values}", values = VALUES.join(", "))]
    UnknownValue {
        /// The line, from 1.
        line: usize,
        /// The name of the value, with dots.
        name: String,
    },
}

/// A parsed template.
#[derive(Debug, Clone)]
pub(super) struct Template {
    environment: Environment<'static>,
    /// The values that the template uses, with dots: `today`, `session.metadata.plan`.
    named: BTreeSet<String>,
}

/// The values of a turn.
#[derive(Serialize)]
struct Values<'a> {
    agent: &'a str,
    mode: &'a str,
    session: SessionValues<'a>,
    today: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    user: Option<&'a str>,
}

#[derive(Serialize)]
struct SessionValues<'a> {
    metadata: &'a Map<String, Value>,
}

impl Template {
    /// Parses a text. Returns `None` if it has nothing to fill in.
    pub(super) fn parse(text: &str) -> Result<Option<Self>, TemplateError> {
        if !["{{", "{%", "{#"].iter().any(|mark| text.contains(mark)) {
            return Ok(None);
        }
        let mut environment = Environment::new();
        environment.set_undefined_behavior(UndefinedBehavior::Strict);
        environment.set_fuel(Some(FUEL));
        environment.add_template_owned(NAME, text.to_owned()).map_err(|error| syntax(&error))?;
        let template = environment.get_template(NAME).map_err(|error| syntax(&error))?;
        let mut named: BTreeSet<String> = template.undeclared_variables(true).into_iter().collect();
        named.retain(|name| !environment.globals().any(|(global, _)| global == name.split('.').next().unwrap_or(name)));
        // A `set` within an `if` assigns for the rest of the template, but the parser reports the assigned names as
        // undeclared.
        let is_set = |name: &str| text.contains(&format!("set {}", name.split('.').next().unwrap_or(name)));
        if let Some(name) = named.iter().find(|name| !is_value(name) && !is_set(name)) {
            let line = text.lines().position(|line| line.contains(name.as_str())).map_or(1, |index| index + 1);
            return Err(TemplateError::UnknownValue { line, name: name.clone() });
        }
        let template = Self { environment, named };
        template.try_out()?;
        Ok(Some(template))
    }

    /// Renders once without metadata, because filters, tests and functions are resolved only when they are reached.
    fn try_out(&self) -> Result<(), TemplateError> {
        let session = SessionValues { metadata: &Map::new() };
        let today = "1970-01-01".to_owned();
        match self.fill(Values { agent: "agent", mode: DEFAULT_MODE, session, today, user: Some("user") }) {
            Err(error) if is_unknown_name(error.kind()) => Err(syntax(&error)),
            _ => Ok(()),
        }
    }

    /// Returns the text for a turn, or the failed line with the reason.
    pub(super) fn render(&self, request: &ContextRequest<'_>) -> Result<String, String> {
        let values = Values {
            agent: request.agent,
            mode: request.mode.unwrap_or(DEFAULT_MODE),
            session: SessionValues { metadata: &request.session.metadata },
            today: request.today.to_string(),
            user: request.scope.map(|scope| &*scope.user.0),
        };
        let failed = |error: Error| format!("line {} failed: {}", error.line().unwrap_or(1), reason(&error));
        self.fill(values).map_err(failed)
    }

    fn fill(&self, values: Values<'_>) -> Result<String, Error> {
        self.environment.get_template(NAME)?.render(Serde(values))
    }

    /// Hashes the values that the template uses. Of the metadata, hashes only the keys that it uses.
    pub(super) fn hash_values(&self, request: &ContextRequest<'_>, state: &mut impl Hasher) {
        for name in &self.named {
            match name.strip_prefix("session.metadata.") {
                Some(path) => request.session.metadata.get(path.split('.').next().unwrap_or(path)).hash(state),
                None if name.starts_with("session") => request.session.metadata.hash(state),
                None if name == "today" => request.today.hash(state),
                None if name == "mode" => request.mode.hash(state),
                // The agent is already part of the pipeline's key. The owner of a session never changes.
                None => {}
            }
        }
    }
}

fn is_value(name: &str) -> bool {
    let mut path = name.split('.');
    match (path.next(), path.next()) {
        (Some("session"), second) => second.is_none_or(|second| second == "metadata"),
        (Some("agent" | "mode" | "today" | "user"), second) => second.is_none(),
        _ => false,
    }
}

fn is_unknown_name(kind: ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::UnknownFilter | ErrorKind::UnknownTest | ErrorKind::UnknownFunction | ErrorKind::UnknownMethod
    )
}

fn syntax(error: &Error) -> TemplateError {
    TemplateError::Syntax { line: error.line().unwrap_or(1), reason: reason(error) }
}

/// Returns the reason of an error, without its position.
fn reason(error: &Error) -> String {
    match error.detail() {
        Some(detail) => format!("{}: {detail}", error.kind()),
        None => error.kind().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use std::hash::DefaultHasher;

    use serde_json::json;
    use turnkit_core::{Day, Scope, Session, SessionId, Timestamp};

    use super::*;

    /// Calls `look` with a turn of the agent `guide`, whose session has this metadata.
    fn turn<T>(metadata: &Value, user: Option<&str>, look: impl FnOnce(&ContextRequest<'_>) -> T) -> T {
        let mut session = Session::new(SessionId::default(), "a", Timestamp::default());
        session.metadata = metadata.as_object().cloned().unwrap();
        let scope = user.map(|user| Scope::new("acme", user));
        let today = Day::from_number(0);
        look(&ContextRequest {
            agent: "guide",
            session: &session,
            scope: scope.as_ref(),
            today,
            tools: &[],
            mode: None,
        })
    }

    fn template(text: &str) -> Template {
        Template::parse(text).unwrap().unwrap()
    }

    #[test]
    fn values_of_the_turn_stand_in_a_prompt() {
        for (text, metadata, user, expected) in [
            ("You are {{ agent }}.", json!({}), None, Ok("You are guide.")),
            ("{{ session.metadata.plan }}", json!({ "plan": "gold" }), None, Ok("gold")),
            ("{{ session.metadata.plan | default('free') }}", json!({}), None, Ok("free")),
            ("Hi{% if user is defined %} {{ user }}{% endif %}", json!({}), Some("ada"), Ok("Hi ada")),
            ("Hi{% if user is defined %} {{ user }}{% endif %}", json!({}), None, Ok("Hi")),
            ("Hi {{ user }}", json!({}), None, Err("line 1 failed: undefined value")),
            (
                "{% for word in session.metadata.words %}{{ word }};{% endfor %}",
                json!({ "words": [1, "b"] }),
                None,
                Ok("1;b;"),
            ),
            (
                "{% if session.metadata.vip | default(false) %}{% set tone = 'formal' %}{% else %}{% set tone = 'casual' %}\
                 {% endif %}{{ tone }}",
                json!({ "vip": true }),
                None,
                Ok("formal"),
            ),
            ("{{ today }} {# a remark #}<b>", json!({}), None, Ok("1970-01-01 <b>")),
            ("{% raw %}{{ plan }}{% endraw %}", json!({}), None, Ok("{{ plan }}")),
            ("{{ session.metadata.plan }}", json!({ "plan": "{{ agent }}" }), None, Ok("{{ agent }}")),
            ("one\n{{ session.metadata.plan }}", json!({}), None, Err("line 2 failed: undefined value")),
            (
                "{% for a in range(1000) %}{% for b in range(1000) %}x{% endfor %}{% endfor %}",
                json!({}),
                None,
                Err("fuel"),
            ),
        ] {
            let rendered = turn(&metadata, user, |turn| template(text).render(turn));
            match expected {
                Ok(expected) => assert_eq!(rendered.as_deref(), Ok(expected), "{text}"),
                Err(why) => assert!(rendered.as_ref().is_err_and(|error| error.contains(why)), "{text}: {rendered:?}"),
            }
        }
    }

    #[test]
    fn a_broken_template_is_refused_with_its_line() {
        for (text, expected) in [
            ("one\n{{ agent", "line 2: "),
            ("one\ntwo\n{% if agent %}", "line 3: "),
            ("one\n{{ agent | shout }}", "line 2: unknown filter"),
            (
                "one\n{{ day }}",
                "line 2: there is no value `day`; the values are agent, mode, session.metadata, today, user",
            ),
            ("{{ session.id }}", "there is no value `session.id`"),
            ("{{ agent.name }}", "there is no value `agent.name`"),
            ("{% include 'secret' %}", "line 1: "),
            ("{% extends 'secret' %}", "line 1: "),
        ] {
            let error = Template::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
        assert!(Template::parse("{ no template }").unwrap().is_none());
    }

    #[test]
    fn only_metadata_that_a_template_names_change_its_hash() {
        let hash = |text: &str, metadata: &Value| {
            turn(metadata, None, |turn| {
                let mut hasher = DefaultHasher::new();
                template(text).hash_values(turn, &mut hasher);
                hasher.finish()
            })
        };
        let before = json!({ "plan": { "name": "gold" }, "seen": 1 });
        for (text, changed, same) in [
            ("{{ session.metadata.plan.name }}", json!({ "plan": { "name": "gold" }, "seen": 2 }), true),
            ("{{ session.metadata.plan.name }}", json!({ "plan": { "name": "free" }, "seen": 1 }), false),
            ("{{ session.metadata['plan'] }}", json!({ "plan": { "name": "free" }, "seen": 1 }), false),
            ("{{ session['metadata'].plan }}", json!({ "plan": { "name": "free" }, "seen": 1 }), false),
            ("{% set m = session.metadata %}{{ m.plan }}", json!({ "plan": {}, "seen": 1 }), false),
            ("{{ session.metadata | length }}", json!({ "plan": { "name": "gold" } }), false),
            ("{{ agent }}", json!({}), true),
        ] {
            assert_eq!(hash(text, &before) == hash(text, &changed), same, "{text}");
        }
    }
}
