//! Skills: texts that a model reads on demand.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use turnkit_core::Str;
use turnkit_core::ports::{BoxFuture, Category, ContextError, ContextItem, ContextProvider, ContextRequest};
use turnkit_files::{read_text, run_blocking, stamp_of};

/// The file that makes a folder a skill.
const FILE: &str = "SKILL.md";
/// The maximum number of skills in a folder.
const MAX_SKILLS: usize = 200;
/// The token limit of the list of skills.
const MAX_TOKENS: u32 = 8_000;

/// The skills of a folder. Each skill is a subfolder with a `SKILL.md`, which begins with the `name` and the
/// `description` of the skill between two lines of `---`. The instructions list the skills, and the tool
/// [`ReadSkill`](super::ReadSkill) returns the rest of a file. Links that lead out of the folder are not followed.
#[derive(Debug, Clone)]
pub struct Skills {
    folder: Arc<Path>,
}

/// A skill of a folder.
#[derive(Debug, PartialEq)]
pub(super) struct Skill {
    pub(super) name: String,
    pub(super) description: String,
    pub(super) body: String,
}

/// The reason why a skill, or the whole folder, cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {why}")]
pub struct SkillError {
    path: String,
    pub(super) why: String,
}

impl Skills {
    /// Creates a provider of the skills in `folder`.
    ///
    /// # Errors
    /// The folder or a skill in it cannot be read, or two skills have the same name.
    pub fn new(folder: impl Into<PathBuf>) -> Result<Self, SkillError> {
        let skills = Self { folder: folder.into().into() };
        match skills.read()?.1.into_iter().next() {
            Some(broken) => Err(broken),
            None => Ok(skills),
        }
    }

    /// Reads the names and descriptions of all usable skills, and the errors of the others.
    pub(super) fn read(&self) -> Result<(Vec<Skill>, Vec<SkillError>), SkillError> {
        let (mut skills, mut broken, mut names) = (Vec::new(), Vec::new(), BTreeSet::new());
        for name in self.names().map_err(|error| failed(&self.folder, error))? {
            let file = Path::new(&name).join(FILE);
            let skill = read_text(&self.folder, &file).and_then(|text| parse(&text));
            match skill {
                Ok(skill) if names.insert(skill.name.clone()) => skills.push(Skill { body: String::new(), ..skill }),
                Ok(skill) => broken.push(failed(&file, format_args!("another skill is called `{}`", skill.name))),
                Err(why) => broken.push(failed(&file, why)),
            }
        }
        Ok((skills, broken))
    }

    /// Returns the text of the skill with this name, if there is one.
    pub(super) fn body(&self, name: &str) -> Result<Option<String>, SkillError> {
        for folder in self.names().map_err(|error| failed(&self.folder, error))? {
            let skill = read_text(&self.folder, &Path::new(&folder).join(FILE)).and_then(|text| parse(&text));
            if let Some(skill) = skill.ok().filter(|skill| skill.name == name) {
                return Ok(Some(skill.body));
            }
        }
        Ok(None)
    }

    /// Returns the names of the folders that contain a `SKILL.md`, sorted.
    fn names(&self) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in self.folder.read_dir()? {
            let entry = entry?;
            if entry.path().join(FILE).symlink_metadata().is_ok() {
                names.push(entry.file_name());
            }
            if names.len() > MAX_SKILLS {
                return Err(io::Error::other(format!("has more than {MAX_SKILLS} skills")));
            }
        }
        names.sort();
        Ok(names)
    }
}

impl ContextProvider for Skills {
    fn name(&self) -> &str {
        "skills"
    }

    fn priority(&self) -> u16 {
        Category::Skills.place()
    }

    fn stamp(&self, request: &ContextRequest<'_>) -> Option<u64> {
        if request.tools.is_empty() {
            return Some(0);
        }
        let entries = self.folder.read_dir().ok()?;
        let stamp = |name: OsString| stamp_of(&self.folder.join(&name).join(FILE)).map(|stamp| (name, stamp));
        let mut stamps: Vec<_> = entries.flatten().filter_map(|entry| stamp(entry.file_name())).collect();
        stamps.sort();
        let mut hasher = DefaultHasher::new();
        stamps.hash(&mut hasher);
        Some(hasher.finish())
    }

    fn provide<'a>(&'a self, request: &'a ContextRequest<'a>) -> BoxFuture<'a, Result<Vec<ContextItem>, ContextError>> {
        // Without tools, the model cannot read a skill.
        if request.tools.is_empty() {
            return Box::pin(std::future::ready(Ok(Vec::new())));
        }
        let skills = self.clone();
        Box::pin(async move {
            let read = run_blocking(move || skills.read()).await;
            let read = read.map_err(|error| ContextError(error.to_string()))?;
            let (skills, broken) = read.map_err(|error| ContextError(error.why))?;
            let broken = broken.into_iter().map(|error| ContextItem::left_out(Category::Skills, error.path, error.why));
            Ok(broken.chain(list(&skills)).collect())
        })
    }
}

/// Returns the list of skills for the model.
fn list(skills: &[Skill]) -> Option<ContextItem> {
    let mut text = "Skills that you can read with `read_skill`:".to_owned();
    skills.iter().for_each(|skill| text.extend(["\n- ", &skill.name, ": ", &skill.description]));
    let item = ContextItem::new(Category::Skills, "skills", Str::from(text));
    (!skills.is_empty()).then_some(ContextItem { cap: Some(MAX_TOKENS), ..item })
}

/// Parses the file of a skill.
fn parse(text: &str) -> Result<Skill, String> {
    let form = "must begin with `---`, `name: …`, `description: …` and `---`, each on a line of its own";
    let mut head = Vec::new();
    let mut lines = text.split_inclusive('\n');
    if lines.next().map(str::trim_end) != Some("---") {
        return Err(form.to_owned());
    }
    loop {
        match lines.next().map(str::trim_end) {
            Some("---") => break,
            Some(line) => head.push(line),
            None => return Err(form.to_owned()),
        }
    }
    let field = |name: &str| {
        let value = head.iter().find_map(|line| line.strip_prefix(name)?.trim_start().strip_prefix(':'));
        let value = value.map(str::trim).map(unquoted);
        // A YAML block of lines, which would need a YAML parser.
        let value = value.filter(|value| !value.is_empty() && !value.starts_with(['>', '|']));
        value.map(str::to_owned).ok_or_else(|| format!("has no `{name}`: {form}"))
    };
    let body = lines.collect::<String>().trim().to_owned();
    Ok(Skill { name: field("name")?, description: field("description")?, body })
}

fn unquoted(value: &str) -> &str {
    let within = |quote: &char| value.strip_prefix(*quote)?.strip_suffix(*quote);
    ['"', '\''].iter().find_map(within).unwrap_or(value)
}

fn failed(path: &Path, why: impl fmt::Display) -> SkillError {
    SkillError { path: path.display().to_string(), why: why.to_string() }
}

#[cfg(test)]
mod tests {
    use tempfile::TempDir;
    use turnkit_core::{Day, Session, SessionId, Timestamp, ToolDefinition};

    use super::*;

    /// Creates a folder with a skill for each of these files.
    fn folder(skills: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in skills {
            std::fs::create_dir(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join(FILE), text).unwrap();
        }
        folder
    }

    async fn items(skills: &Skills) -> Vec<ContextItem> {
        let session = Session::new(SessionId::default(), "a", Timestamp::default());
        let today = Day::from_number(0);
        let tools = ToolDefinition::new("read_skill", "", "{}").unwrap();
        let mut request = ContextRequest { agent: "a", session: &session, scope: None, today, tools: &[], mode: None };
        assert_eq!(skills.provide(&request).await.unwrap(), [], "no tool can read them");
        request.tools = std::slice::from_ref(&tools);
        skills.provide(&request).await.unwrap()
    }

    const MAIL: &str = "---\nname: mail\ndescription: \"How letters begin: and end\"\n---\nDear all,\n";

    #[tokio::test]
    async fn skills_are_listed_with_their_descriptions() {
        let tax = "---\r\nname: tax\r\nlicence: MIT\r\ndescription: Numbers\r\n---\r\nCount.";
        let folder = folder(&[("mail", MAIL), ("b", tax)]);
        std::fs::create_dir(folder.path().join("no skill")).unwrap();
        let skills = Skills::new(folder.path()).unwrap();
        let list = "Skills that you can read with `read_skill`:\n- tax: Numbers\n- mail: How letters begin: and end";
        assert_eq!(items(&skills).await[0].text, list);

        // A skill that breaks later is left out, and the others stay.
        std::fs::write(folder.path().join("b").join(FILE), "Count.").unwrap();
        let items = items(&skills).await;
        assert!(items[0].left_out.as_deref().is_some_and(|why| why.contains("must begin with `---`")), "{items:?}");
        assert!(items[1].text.ends_with(":\n- mail: How letters begin: and end"), "{items:?}");
    }

    #[test]
    fn a_broken_skill_is_refused_at_the_start() {
        for (skills, why) in [
            (&[("a", MAIL), ("b", MAIL)][..], "b/SKILL.md: another skill is called `mail`"),
            (&[("a", "---\ndescription: x\n---\n")], "a/SKILL.md: has no `name`"),
            (&[("a", "---\nname: x\n---\n")], "a/SKILL.md: has no `description`"),
            (&[("a", "---\nname: x\ndescription: >\n  y\n---\n")], "a/SKILL.md: has no `description`"),
            (&[("a", "---\nname: x\ndescription: x\n")], "a/SKILL.md: must begin with `---`"),
            (&[("a", "Just a text")], "a/SKILL.md: must begin with `---`"),
        ] {
            let error = Skills::new(folder(skills).path()).unwrap_err().to_string();
            assert!(error.contains(why), "{error}");
        }
        assert!(Skills::new("/no/such/folder").unwrap_err().to_string().starts_with("/no/such/folder: "));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_out_of_the_folder_is_refused() {
        let outside = folder(&[("mail", MAIL)]);
        for link in ["mail", "mail/SKILL.md"] {
            let folder = tempfile::tempdir().unwrap();
            let place = folder.path().join(link);
            std::fs::create_dir_all(place.parent().unwrap()).unwrap();
            std::os::unix::fs::symlink(outside.path().join(link), place).unwrap();
            let error = Skills::new(folder.path()).unwrap_err().to_string();
            assert!(error.contains("mail/SKILL.md: cannot be read: "), "{error}");
        }
    }
}
