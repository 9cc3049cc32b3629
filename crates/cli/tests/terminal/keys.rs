//! `turnkit keys` as an operator runs it.

use serde_json::{Value, json};

use crate::support::Place;

#[tokio::test]
async fn keys_are_made_listed_and_revoked_with_and_without_a_server() {
    for served in [false, true] {
        let place = Place::new();
        let server = if served { Some(place.serve().await) } else { None };
        assert_eq!(place.run(&["keys", "ls"]).await.stdout, "");
        let made = place.run(&["keys", "create", "laptop"]).await;
        assert_eq!((made.code, made.stdout.len()), (Some(0), 47), "the key alone, for a script: {made:?}");
        assert!(made.stdout.starts_with("tk_"), "{made:?}");
        place.run(&["keys", "create", "website", "--user", "website"]).await;

        let listed: Value = serde_json::from_str(&place.run(&["keys", "ls", "--json"]).await.stdout).unwrap();
        let names: Vec<_> = listed["data"].as_array().unwrap().iter().map(|key| (&key["name"], &key["user"])).collect();
        assert_eq!(names, [(&json!("website"), &json!("website")), (&json!("laptop"), &json!("local"))]);
        assert!(!listed.to_string().contains(made.stdout.trim()), "a key is shown once");

        let id = listed["data"][1]["id"].as_str().unwrap();
        assert_eq!(place.run(&["keys", "revoke", id]).await.code, Some(0));
        let table = place.run(&["keys", "ls"]).await.stdout;
        assert_eq!(table.lines().filter(|line| line.contains("laptop  revoked ")).count(), 1, "{table}");
        let unknown = place.run(&["keys", "revoke", "01234567-89ab-7cde-8f01-23456789abcd"]).await;
        assert_eq!(unknown.code, Some(1));
        assert!(unknown.stderr.contains("there is no key 01234567-"), "{unknown:?}");
        drop(server);
    }
}

#[tokio::test]
async fn a_name_that_is_none_is_refused() {
    let place = Place::new();
    for name in ["", "a\nb", &"x".repeat(129)] {
        let refused = place.run(&["keys", "create", name]).await;
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(2), ""), "{name:?}");
        assert!(refused.stderr.contains("name"), "{refused:?}");
    }
}
