//! Configurations that cannot be used: each is refused in one line that names the place and the way out.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use serde::Deserialize;

use crate::support::{Place, outcome};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vectors {
    vector: Vec<Vector>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    file: Option<String>,
    #[serde(default)]
    env: BTreeMap<String, String>,
    #[serde(default = "serve")]
    args: Vec<String>,
    says: Vec<String>,
    #[serde(default = "usage")]
    code: i32,
}

fn serve() -> Vec<String> {
    vec!["serve".to_owned()]
}

fn usage() -> i32 {
    2
}

#[tokio::test]
async fn what_cannot_be_used_is_refused_in_one_line_that_shows_no_secret() {
    let Vectors { vector } = toml::from_str(include_str!("../vectors/configuration.toml")).unwrap();
    for Vector { name, file, env, args, says, code } in vector {
        let place = Place::new();
        if let Some(file) = file {
            place.write("turnkit.toml", &file);
        }
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let begun = Instant::now();
        let refused = outcome(place.command(&args).envs(env).spawn().unwrap()).await;
        assert!(begun.elapsed() < Duration::from_secs(1), "{name}: it took {:?}", begun.elapsed());
        assert_eq!((refused.code, refused.stdout.as_str()), (Some(code), ""), "{name}: {refused:?}");
        let said: Vec<&str> = refused.stderr.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(said.len(), 1, "{name}: {refused:?}");
        for words in says {
            assert!(said[0].contains(&words), "{name}: {words:?} is not in {}", said[0]);
        }
        assert!(!refused.stderr.contains("hidden"), "{name}: {refused:?}");
        assert!(!place.path().join("data").exists(), "{name}: nothing is made");
    }
}
