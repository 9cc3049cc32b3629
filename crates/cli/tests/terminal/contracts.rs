//! Output that other programs read: the schema, the OpenAPI document and completions.

use serde_json::Value;

use crate::support::Place;

#[tokio::test]
async fn the_schema_in_the_repository_is_that_of_the_binary() {
    let printed = Place::new().run(&["schema"]).await.stdout;
    let kept = include_str!("../../../../docs/turnkit.schema.json");
    assert!(
        printed == kept,
        "docs/turnkit.schema.json is stale; renew it: cargo run -p turnkit-cli -- schema > docs/turnkit.schema.json"
    );
}

/// Editors show the description of a key while the user completes it.
#[tokio::test]
async fn every_key_has_a_description_and_no_other_is_allowed() {
    let schema: Value = serde_json::from_str(&Place::new().run(&["schema"]).await.stdout).unwrap();
    let (mut objects, mut keys) = (vec![schema], 0);
    while let Some(object) = objects.pop() {
        assert_eq!(object["additionalProperties"], false, "{object}");
        for (key, value) in object["properties"].as_object().unwrap() {
            keys += 1;
            assert!(value["description"].as_str().is_some_and(|text| text.ends_with('.')), "{key}: {value}");
            objects
                .extend([value, &value["items"]].into_iter().filter(|inner| inner["properties"].is_object()).cloned());
        }
    }
    assert!(keys > 40, "{keys}");
}

#[tokio::test]
async fn the_schema_of_events_has_every_frame_and_the_view_of_a_turn() {
    let place = Place::new();
    let printed = place.run(&["schema", "events"]).await;
    assert_eq!((printed.code, printed.stdout.as_str()), (Some(0), turnkit_server::native::event_schema().as_str()));
    let schema: Value = serde_json::from_str(&printed.stdout).unwrap();
    for frame in ["turn.started", "part.delta", "turn.ended", "resync", "queue"] {
        let name = schema["properties"][frame]["$ref"].as_str().unwrap().trim_start_matches('#');
        assert!(schema.pointer(name).unwrap()["properties"].is_object(), "{frame}");
    }
    let view = &schema["$defs"]["TurnView"]["properties"];
    for field in ["turn_id", "input", "parts", "tools", "remarks", "status"] {
        assert!(view[field].is_object(), "{field}: {view}");
    }
    let configuration = place.run(&["schema", "configuration"]).await.stdout;
    assert_eq!(place.run(&["schema"]).await.stdout, configuration);
    let help = place.run(&["schema", "--help"]).await.stdout;
    assert!(help.contains("turnkit schema events"), "{help}");
}

#[tokio::test]
async fn the_document_lists_the_routes() {
    let document: Value = serde_json::from_str(&Place::new().run(&["openapi"]).await.stdout).unwrap();
    assert!(document["paths"]["/api/v1/turns"]["post"].is_object());
}

#[tokio::test]
async fn completions_are_scripts_that_know_the_commands() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = place.run(&["completions", shell]).await;
        assert_eq!(script.code, Some(0));
        for word in ["serve", "doctor", "listen", "sessions"] {
            assert!(script.stdout.contains(word), "{shell}: {word}");
        }
        place.write(shell, &script.stdout);
    }
    let parsed = tokio::process::Command::new("bash").args(["-n", "bash"]).current_dir(place.path()).status().await;
    assert!(parsed.unwrap().success());
}
