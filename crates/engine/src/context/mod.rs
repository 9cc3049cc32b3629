//! What a model is sent: instructions assembled from items, each with its place, cap and budget, and the messages of a session.

mod bootstrap;
mod cache;
mod item;
#[cfg(test)]
mod laws;
mod pipeline;
mod prompts;
mod read_skill;
mod render;
mod report;
mod settings;
mod skills;
mod template;
mod text_file;
mod tokens;
mod tools_hint;
mod truncate;

pub use bootstrap::BootstrapFiles;
pub(crate) use cache::InstructionCache;
pub use pipeline::ContextPipeline;
pub(crate) use pipeline::{Assembled, Assembly, CONTEXT_FAILED};
pub use prompts::{Prompt, Prompts};
pub use read_skill::ReadSkill;
pub use report::{ContextReport, ReportedCut, ReportedItem};
pub use settings::ContextSettings;
pub use skills::{SkillError, Skills};
pub use template::TemplateError;
pub use tools_hint::ToolsHint;
pub(crate) use truncate::truncation;
