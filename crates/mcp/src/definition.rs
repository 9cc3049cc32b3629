//! The definitions of a server's tools.

use std::time::Duration;

use rmcp::model::{Tool as RemoteTool, ToolAnnotations};
use serde_json::json;
use sha2::{Digest as _, Sha256};
use turnkit_core::{ToolDefinition, ToolFlags};

use crate::schema::{DESCRIPTION_CHARS, parameters};
use crate::secrets::Secrets;
use crate::settings::{McpServerSettings, Trust};

/// The time after the limit of a call in which its own error reaches the model.
const GRACE: Duration = Duration::from_secs(5);

/// Returns the definition of a server's tool, without these credentials. Its fingerprint changes with everything that
/// the server says about the tool, so that an approval does not cover a tool that has become another one.
///
/// # Errors
/// Models are not shown this tool. The error contains the reason.
pub(crate) fn define(
    settings: &McpServerSettings,
    secrets: &Secrets,
    tool: &RemoteTool,
) -> Result<ToolDefinition, String> {
    let parameters = parameters(&secrets.removed_from_fields(&tool.input_schema))?;
    if secrets.removed(&*tool.name) != *tool.name {
        return Err("its name holds a credential".to_owned());
    }
    Ok(ToolDefinition {
        name: format!("{}__{}", settings.name(), tool.name),
        description: secrets.visible(tool.description.as_deref().unwrap_or_default().trim(), DESCRIPTION_CHARS),
        parameters,
        flags: flags(settings, tool.annotations.as_ref()),
        fingerprint: Some(fingerprint(settings, tool)),
    })
}

/// Returns the flags of a tool. What the server says about it counts only if the operator trusts the server. Whatever
/// it says, its results are untrusted text.
fn flags(settings: &McpServerSettings, annotations: Option<&ToolAnnotations>) -> ToolFlags {
    let believed = annotations.filter(|_| settings.trust != Trust::None);
    let is = |pick: fn(&ToolAnnotations) -> Option<bool>, default: bool| believed.and_then(pick).unwrap_or(default);
    let read_only = is(|annotations| annotations.read_only_hint, false);
    let idempotent = read_only || is(|annotations| annotations.idempotent_hint, false);
    let attempts = if idempotent { 2 } else { 1 };
    // The limit of a call does not include the wait for an access token.
    let attempt = settings.timeout.saturating_add(settings.transport.longest_token_wait());
    ToolFlags {
        read_only,
        idempotent,
        parallel_safe: read_only,
        destructive: !read_only && is(|annotations| annotations.destructive_hint, true),
        open_world: is(|annotations| annotations.open_world_hint, true),
        repeats: true,
        timeout: Some(attempt.saturating_mul(attempts).saturating_add(GRACE)),
    }
}

fn fingerprint(settings: &McpServerSettings, tool: &RemoteTool) -> [u8; 32] {
    let said = json!({ "server": settings.identity(), "tool": tool });
    // JSON objects keep their keys sorted, so equal definitions have equal text.
    Sha256::digest(said.to_string()).into()
}

/// Returns SHA-256 of what a server says about a tool. It stays the same when the operator moves the server.
pub(crate) fn pin(tool: &RemoteTool) -> [u8; 32] {
    Sha256::digest(json!(tool).to_string()).into()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;
    use turnkit_process::LaunchSettings;

    use super::*;
    use crate::settings::Transport;

    fn launch() -> LaunchSettings {
        LaunchSettings { folder: "/".into(), environment: Default::default(), launcher: Vec::new() }
    }

    fn settings(trust: Trust) -> McpServerSettings {
        let transport = Transport::Stdio { argv: vec!["server".to_owned()], launch: launch() };
        let mut settings = McpServerSettings::new("tickets", transport).unwrap();
        settings.trust = trust;
        settings
    }

    fn remote(tool: Value) -> RemoteTool {
        serde_json::from_value(tool).unwrap()
    }

    #[test]
    fn hints_of_a_server_count_only_if_it_is_trusted() {
        let cautious = (false, false, false, true, true);
        for (hints, trusted) in [
            (json!({}), cautious),
            (json!({ "readOnlyHint": true }), (true, true, true, false, true)),
            (json!({ "readOnlyHint": true, "openWorldHint": false }), (true, true, true, false, false)),
            (json!({ "idempotentHint": true }), (false, true, false, true, true)),
            (json!({ "destructiveHint": false }), (false, false, false, false, true)),
        ] {
            let tool = remote(json!({ "name": "x", "inputSchema": { "type": "object" }, "annotations": hints }));
            for (trust, expected) in [(Trust::None, cautious), (Trust::Annotations, trusted), (Trust::Full, trusted)] {
                let flags = define(&settings(trust), &Secrets::default(), &tool).unwrap().flags;
                let found =
                    (flags.read_only, flags.idempotent, flags.parallel_safe, flags.destructive, flags.open_world);
                assert_eq!(found, expected, "{hints} {trust:?}");
                assert!(flags.may_return_untrusted_text(), "{hints} {trust:?}");
            }
        }
    }

    #[test]
    fn a_fingerprint_changes_with_whatever_the_server_says() {
        let schema = json!({ "type": "object" });
        let of = |tool: Value| define(&settings(Trust::None), &Secrets::default(), &remote(tool)).unwrap();
        let first = of(json!({ "name": "x", "description": "Reads.", "inputSchema": schema }));
        assert_eq!(first, of(json!({ "name": "x", "description": "Reads.", "inputSchema": schema })));
        for changed in [
            json!({ "name": "x", "description": "Deletes.", "inputSchema": schema }),
            json!({ "name": "x", "description": "Reads.\u{200b}", "inputSchema": schema }),
            json!({ "name": "x", "description": "Reads.", "inputSchema": { "type": "object", "title": "X" } }),
            json!({ "name": "x", "description": "Reads.", "inputSchema": schema, "annotations": { "title": "X" } }),
        ] {
            assert_ne!(of(changed.clone()).fingerprint, first.fingerprint, "{changed}");
        }
    }

    #[test]
    fn a_pin_changes_with_what_the_server_says_and_not_with_its_place() {
        let tool = |description: &str| remote(json!({ "name": "x", "description": description, "inputSchema": {} }));
        assert_eq!(pin(&tool("Reads.")), pin(&tool("Reads.")));
        assert_ne!(pin(&tool("Reads.")), pin(&tool("Reads all.")));
        let (here, mut elsewhere) = (settings(Trust::None), settings(Trust::None));
        elsewhere.transport = Transport::Stdio { argv: vec!["other".to_owned()], launch: launch() };
        assert_ne!(fingerprint(&here, &tool("Reads.")), fingerprint(&elsewhere, &tool("Reads.")));
    }

    #[test]
    fn credentials_that_a_server_repeats_are_removed_from_definitions() {
        let schema = json!({ "type": "object", "properties": { "key": { "default": "key-12345" } } });
        let tool = remote(json!({ "name": "x", "description": "Uses key-12345.", "inputSchema": schema }));
        let secrets = Secrets::new(vec!["key-12345".to_owned()]);
        let defined = define(&settings(Trust::None), &secrets, &tool).unwrap();
        assert_eq!(defined.description, "Uses (secret).");
        assert_eq!(defined.parameters.get(), schema.to_string().replace("key-12345", "(secret)"));
        let named = remote(json!({ "name": "use-key-12345", "inputSchema": { "type": "object" } }));
        assert_eq!(define(&settings(Trust::None), &secrets, &named).unwrap_err(), "its name holds a credential");
    }

    #[test]
    fn a_description_is_cut_and_what_cannot_be_seen_is_removed() {
        let description = format!(" Reads.\u{202e}\u{e0041}{} ", "x".repeat(2_000));
        let tool = remote(json!({ "name": "x", "description": description, "inputSchema": { "type": "object" } }));
        let shown = define(&settings(Trust::None), &Secrets::default(), &tool).unwrap().description;
        assert_eq!(shown.chars().count(), 1_024);
        assert!(shown.starts_with("Reads.xxx") && shown.ends_with("x…"), "{shown}");
    }
}
