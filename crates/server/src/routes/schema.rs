//! Names in the document for the words of core. `dialect::native` describes them, with the types that write them; what is
//! said here is their name only. Nothing is made of these types.

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
    /// A session, without what was said in it.
    SessionSchema = "Session";
    /// A turn with what its events up to now add up to.
    TurnViewSchema = "TurnView";
    /// A part, whole or still growing.
    PartViewSchema = "PartView";
    /// A call that ran or was refused.
    ToolViewSchema = "ToolView";
    /// Tokens, split the way they are priced.
    UsageSchema = "Usage";
    /// What model calls cost.
    CostSchema = "Cost";
    /// The author of a message.
    RoleSchema = "Role";
    /// Why a message is not an ordinary one.
    MarkSchema = "Mark";
    /// One piece of a message.
    PartSchema = "Part";
}
