//! References by name to the schemas of core types in the OpenAPI document. `dialect::native` describes these types,
//! next to the types that write them. The types of this module provide only the names and are never instantiated.

use std::borrow::Cow;

use utoipa::openapi::{Ref, RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

macro_rules! named {
    ($($(#[$doc:meta])* $name:ident = $word:literal;)*) => { $(
        $(#[$doc])*
        pub(crate) struct $name;

        impl PartialSchema for $name {
            fn schema() -> RefOr<Schema> {
                Ref::from_schema_name($word).into()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                Cow::Borrowed($word)
            }
        }
    )* };
}

named! {
    /// A session without its messages.
    SessionSchema = "Session";
    /// The state of a turn after its events so far.
    TurnViewSchema = "TurnView";
    /// A part of the output, complete or still growing.
    PartViewSchema = "PartView";
    /// A tool call that ran or was rejected.
    ToolViewSchema = "ToolView";
    /// Tokens by price category.
    UsageSchema = "Usage";
    /// The cost of model calls.
    CostSchema = "Cost";
    /// The author of a message.
    RoleSchema = "Role";
    /// The kind of a message that is not an ordinary one.
    MarkSchema = "Mark";
    /// One piece of a message.
    PartSchema = "Part";
}
