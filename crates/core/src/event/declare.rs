//! The macro behind the list of events in `kind.rs`. Derives alone cannot do it: an event is written without its name,
//! which names the frame, and is read by that name.

/// Declares the events of three groups: those that clients are `shown`, those of them that the log keeps just so, and
/// what the log keeps instead of the others. A field that is shown `as` another type has the schema of that type.
macro_rules! events {
    (shown { $($shown:tt)* } shown and recorded { $($both:tt)* } recorded { $($recorded:tt)* }) => {
        events! { @shown $($shown)* $($both)* }
        events! { @recorded { $($both)* } { $($recorded)* } }
    };

    (@shown $(
        $(#[$doc:meta])*
        $name:literal $event:ident { $( $(#[$attribute:meta])* $field:ident: $type:ty $(as $form:ty)?, )* }
    )*) => {
        /// What happened, as clients are shown it. It is written as the payload of its frame, without its name.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum EventKind {
            $( $(#[$doc])* $event { $( $(#[$attribute])* $field: $type, )* }, )*
        }

        impl EventKind {
            /// The event's public name.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$event { .. } => $name, )*
                }
            }

            /// Reads a payload, except for what was consumed.
            fn read_fields(name: &str, payload: &str) -> Result<Option<Self>, serde_json::Error> {
                Ok(Some(match name {
                    $( $name => {
                        #[derive(Deserialize)]
                        struct Payload { $( $(#[$attribute])* $field: $type, )* }

                        let Payload { $($field),* } = serde_json::from_str(payload)?;
                        Self::$event { $($field),* }
                    } )*
                    _ => return Ok(None),
                }))
            }

            /// The name of each event, and the JSON Schema of its payload.
            pub fn schemas(generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
                vec![$( {
                    $(#[$doc])*
                    #[derive(JsonSchema)]
                    #[expect(dead_code, reason = "it is only described")]
                    struct Payload { $( $(#[$attribute])* $field: events!(@form $type $(as $form)?), )* }

                    ($name, Payload::json_schema(generator))
                }, )*]
            }
        }
    };

    (@recorded
        { $(
            $(#[$both_doc:meta])*
            $name:literal $both:ident { $( $(#[$attribute:meta])* $field:ident: $type:ty $(as $form:ty)?, )* }
        )* }
        { $(
            $(#[$doc:meta])*
            $recorded:ident { $( $(#[$recorded_attribute:meta])* $recorded_field:ident: $recorded_type:ty, )* }
        )* }
    ) => {
        /// What happened, as the log keeps it: without the text, which the turn's messages hold.
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
        #[serde(rename_all = "snake_case")]
        pub enum Recorded {
            $( $(#[$doc])* $recorded { $( $(#[$recorded_attribute])* $recorded_field: $recorded_type, )* }, )*
            $( $(#[$both_doc])* $both { $( $(#[$attribute])* $field: $type, )* }, )*
        }
    };

    (@form $type:ty) => { $type };
    (@form $type:ty as $form:ty) => { $form };
}
