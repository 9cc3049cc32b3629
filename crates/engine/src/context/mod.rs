//! The contents of a model request: the messages of a session, and instructions assembled from items, each with its
//! place, cap and budget.

mod anchor;
mod bootstrap;
mod cache;
mod compact;
mod conversation;
mod fill;
#[cfg(test)]
mod fit_laws;
mod item;
#[cfg(test)]
mod laws;
mod model_compactor;
mod modes;
mod pieces;
mod pipeline;
mod prompts;
mod prune;
mod read_skill;
mod render;
mod report;
mod rewrite;
mod settings;
mod skills;
mod summary_room;
mod template;
#[cfg(test)]
mod tests;
mod token_ratios;
mod tokens;
mod tool_sizes;
mod tools_hint;
mod truncate;

pub(crate) use anchor::{learn_stored, push};
pub use bootstrap::BootstrapFiles;
pub(crate) use cache::InstructionCache;
pub(crate) use compact::CompactionCut;
pub(crate) use conversation::conversation;
pub(crate) use fill::{Fill, limit};
pub(crate) use model_compactor::{ModelCompactor, ask_for_text};
pub use modes::Modes;
pub(crate) use pieces::Pieces;
pub use pipeline::ContextPipeline;
pub(crate) use pipeline::{Assembled, Assembly, CONTEXT_FAILED};
pub use prompts::{Prompt, Prompts};
pub use read_skill::ReadSkill;
pub(crate) use render::has_untrusted_item;
pub use report::{ContextReport, ReportedCut, ReportedItem};
pub(crate) use rewrite::{
    FitAction, Rewrite, TRUNCATED_AFTER_OVERFLOW, change, fit, is_of_rewrite, rewrite_after_overflow,
    summarisable_ahead,
};
pub use settings::{ContextSettings, Pruning};
pub use skills::{SkillError, Skills};
pub(crate) use summary_room::summary_room;
pub use template::TemplateError;
pub(crate) use token_ratios::TokenRatios;
pub use tools_hint::ToolsHint;
use truncate::truncation;
