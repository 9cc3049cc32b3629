//! The tool that reads a skill.

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, Subject, ToolDefinition, ToolError, ToolFlags, ToolOutput};
use turnkit_files::run_blocking;

use super::item::cut_at_line;
use super::skills::{SkillError, Skills};
use super::tokens;

/// The token limit of a skill's text.
const MAX_TOKENS: u64 = 2_000;

const ARGUMENTS: &str = r#"{
  "type": "object",
  "properties": { "name": { "type": "string", "description": "The name of the skill." } },
  "required": ["name"],
  "additionalProperties": false
}"#;

/// A tool that returns the text of one of the [`Skills`], cut to 2,000 tokens.
#[derive(Debug, Clone)]
pub struct ReadSkill {
    skills: Skills,
    definition: ToolDefinition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Arguments {
    name: String,
}

impl ReadSkill {
    /// The name of the tool.
    pub const NAME: &str = "read_skill";

    /// Creates the tool for these skills.
    pub fn new(skills: Skills) -> Self {
        let description = "Reads a skill: instructions for one kind of task. Read it before you begin such a task.";
        #[expect(clippy::expect_used, reason = "the schema is a constant, and a test reads it")]
        let definition = ToolDefinition::new(Self::NAME, description, ARGUMENTS).expect("a schema is JSON");
        Self { skills, definition: definition.with_flags(ToolFlags::read_only()) }
    }
}

impl Tool for ReadSkill {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn subject(&self, arguments: &RawJson) -> Result<Subject, ToolError> {
        read(arguments).map(|Arguments { name }| Subject::Text(name))
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        let skills = self.skills.clone();
        Box::pin(async move {
            let Arguments { name } = read(arguments)?;
            let read = run_blocking(move || find(&skills, &name)).await;
            read.map_err(|error| ToolError::Failed(error.to_string()))?.map(ToolOutput::from)
        })
    }
}

fn read(arguments: &RawJson) -> Result<Arguments, ToolError> {
    arguments.read().map_err(|error| ToolError::InvalidArguments(error.to_string()))
}

fn find(skills: &Skills, name: &str) -> Result<String, ToolError> {
    match skills.body(name).map_err(failed)? {
        Some(body) if tokens::of_text(&body) > MAX_TOKENS => Ok(cut_at_line(&body, MAX_TOKENS)),
        Some(body) => Ok(body),
        None => {
            let (skills, _) = skills.read().map_err(failed)?;
            let names: Vec<&str> = skills.iter().map(|skill| skill.name.as_str()).collect();
            let known = if names.is_empty() {
                "there are none".to_owned()
            } else {
                format!("the skills are {}", names.join(", "))
            };
            Err(ToolError::InvalidArguments(format!("there is no skill `{name}`; {known}")))
        }
    }
}

/// Omits the path, so that the model does not learn where the server stores its skills.
fn failed(error: SkillError) -> ToolError {
    ToolError::Failed(error.why)
}

#[cfg(test)]
mod tests {
    use turnkit_core::{CallUid, Session, SessionId, Timestamp, TurnId};

    use super::*;

    async fn read_skill(skills: &Skills, arguments: &str) -> Result<String, ToolError> {
        let session = Session::new(SessionId::default(), "a", Timestamp::default());
        let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
        let context = ToolContext::new(&session, uid);
        let tool = ReadSkill::new(skills.clone());
        tool.call(&RawJson::parse(arguments).unwrap(), context).await.map(|output| output.content)
    }

    #[tokio::test]
    async fn a_skill_is_read_by_its_name_and_cut_to_2000_tokens() {
        let long = "a line of forty characters, all of them\n".repeat(1_000);
        let folder = tempfile::tempdir().unwrap();
        for (name, body) in [("letters", "\nDear all,\n---\nYours\n"), ("long", &long)] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            let text = format!("---\nname: {name}\ndescription: x\n---\n{body}");
            std::fs::write(folder.path().join(name).join("SKILL.md"), text).unwrap();
        }
        let skills = Skills::new(folder.path()).unwrap();
        assert_eq!(read_skill(&skills, r#"{"name":"letters"}"#).await.unwrap(), "Dear all,\n---\nYours");
        let cut = read_skill(&skills, r#"{"name":"long"}"#).await.unwrap();
        let size = tokens::of_text(&cut);
        assert!((1_980..=2_000).contains(&size) && cut.ends_with("[… the rest is left out]"), "{size}");
        for (arguments, why) in [
            (r#"{"name":"../letters"}"#, "there is no skill `../letters`; the skills are letters, long"),
            (r#"{"skill":"letters"}"#, "unknown field `skill`"),
        ] {
            let error = read_skill(&skills, arguments).await.unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
        }
    }
}
