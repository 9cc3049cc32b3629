//! The macro behind the list of events in `kind.rs`. Derives alone are not sufficient: the payload of an event is
//! written without the event's name. The name goes into the frame, and the payload is parsed according to it.

/// Declares events in three groups. `shown` events are sent to clients. `shown and recorded` events are also stored in
/// the log, in the same form. `recorded` entries are stored in the log in place of the other events. A field declared
/// `as` another type has the schema of that type.
macro_rules! events {
    (shown { $($shown:tt)* } shown and recorded { $($both:tt)* } recorded { $($recorded:tt)* }) => {
        events! { @shown $($shown)* $($both)* }
        events! { @recorded { $($both)* } { $($recorded)* } }
    };

    (@shown $(
        $(#[$doc:meta])*
        $name:literal $event:ident { $( $(#[$attribute:meta])* $field:ident: $type:ty $(as $form:ty)?, )* }
    )*) => {
        /// An event as clients receive it. It is serialized as the payload of its frame, without its name.
        #[derive(Debug, Clone, PartialEq, Serialize)]
        #[serde(untagged)]
        pub enum EventKind {
            $( $(#[$doc])* $event { $( $(#[$attribute])* $field: $type, )* }, )*
        }

        impl EventKind {
            /// Returns the public name of the event.
            pub fn name(&self) -> &'static str {
                match self {
                    $( Self::$event { .. } => $name, )*
                }
            }

            /// Reads a payload, except for the usage fields.
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

            /// Returns the name of each event and the JSON Schema of its payload.
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
        /// An entry as the log stores it: without text, which is stored in the turn's messages.
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
