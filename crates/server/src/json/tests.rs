use serde::Deserialize;

use super::*;

/// A value that must not appear in error messages.
const SECRET: &str = "s3cr3t";

/// A type with every kind of field that bodies have.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Everything<'a> {
    #[serde(default, deserialize_with = "text::optional_not_blank")]
    word: Option<String>,
    #[serde(default)]
    words: Vec<String>,
    kind: Option<Kind>,
    nested: Option<Nested>,
    list: Option<Vec<Nested>>,
    yes: Option<bool>,
    number: Option<u32>,
    #[serde(borrow)]
    as_sent: Option<&'a [u8]>,
}

#[derive(Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Kind {
    Large,
    Small,
    VerySmall,
}

#[derive(Debug, Deserialize)]
struct Nested {
    #[serde(deserialize_with = "text::not_blank")]
    word: String,
}

fn refused(body: &str) -> String {
    let error = read::<Everything<'_>>(body.as_bytes()).unwrap_err();
    error.body("").to_json()
}

#[test]
fn an_error_names_the_position_and_the_expected_type() {
    for (body, message) in [
        ("[1]", "body: must be an object"),
        (r#"{"word":5}"#, "word: must be a string"),
        (r#"{"word":" "}"#, "word: must not be empty"),
        (r#"{"words":"one"}"#, "words: must be a list"),
        (r#"{"words":["one",[]]}"#, "words[1]: must be a string"),
        (r#"{"kind":"huge"}"#, "kind: must be large, small or very_small"),
        (r#"{"kind":{"large":1}}"#, "kind: must be a string"),
        (r#"{"nested":["one"]}"#, "nested: must be an object"),
        (r#"{"nested":{}}"#, "nested.word: missing"),
        (r#"{"list":[{"word":"one"},{"word":null}]}"#, "list[1].word: must be a string"),
        (r#"{"list":[{"word":"one","word":"two"}]}"#, "list[0].word: given twice"),
        (r#"{"word":"one","more":1}"#, "more: unknown field"),
        (r#"{"yes":"true"}"#, "yes: must be true or false"),
        (r#"{"yes":1}"#, "yes: must be true or false"),
        (r#"{"number":-1}"#, "number: has the wrong type"),
    ] {
        let error = read::<Everything<'_>>(body.as_bytes()).unwrap_err();
        assert_eq!((error.code(), error.message()), (ErrorCode::InvalidRequest, message), "{body}");
    }
}

#[test]
fn an_error_repeats_no_data_of_the_request_at_any_position() {
    let secrets = [
        format!(r#""{SECRET}""#),
        format!(r#"" {SECRET}\u0000""#),
        format!(r#"["{SECRET}"]"#),
        format!(r#"{{"{SECRET}-":1}}"#),
        format!(r#"{{"word":"{SECRET}\u0000"}}"#),
        format!(r#"{{"word":["{SECRET}"]}}"#),
        format!(r#"{{"large":"{SECRET}"}}"#),
        format!(r#""{SECRET}, expected one of `{SECRET}`""#),
    ];
    let mut count = 0;
    for secret in &secrets {
        for place in ["kind", "nested", "list", "yes", "number", "words", "word", "as_sent", "s3cr3t is a name"] {
            for body in [
                format!(r#"{{"{place}":{secret}}}"#),
                format!(r#"{{"{place}":[{secret}]}}"#),
                format!(r#"{{"{place}":{{"word":{secret}}}}}"#),
                format!(r#"{{"{place}":[{{"word":{secret}}}]}}"#),
                format!(r#"{{"{place}":1,"{place}":{secret}}}"#),
            ] {
                if let Err(error) = read::<Everything<'_>>(body.as_bytes()) {
                    let said = error.body("").to_json();
                    assert!(!said.contains(SECRET), "{body}: {said}");
                    count += 1;
                }
            }
        }
        assert!(!refused(secret).contains(SECRET));
    }
    assert!(count > 300, "most of the bodies are refused: {count}");
}

#[test]
fn the_name_of_an_unknown_field_comes_back_only_if_it_looks_like_a_name() {
    assert!(refused(r#"{"api_base":1}"#).contains(r#""param":"api_base""#));
    for name in ["sk-1234", "a b", "", "\u{e9}", &"a".repeat(65)] {
        let said = refused(&format!(r#"{{"{name}":1}}"#));
        assert!(said.contains(r#""param":"(another field)""#), "{said}");
    }
}

#[test]
fn a_body_that_fits_is_read_and_bytes_are_the_json_as_it_was_sent() {
    let body = br#" {"word":"\u00e9","words":["a"],"kind":"very_small","nested":{"word":"b","more":[1e3]},
        "list":null,"yes":true,"number":7,"as_sent":{"a" : [1e5]}} "#;
    let read: Everything<'_> = read(body).unwrap();
    assert_eq!(
        (read.word.as_deref(), read.words, read.kind),
        (Some("\u{e9}"), vec!["a".to_owned()], Some(Kind::VerySmall))
    );
    assert_eq!((read.nested.unwrap().word, read.list.is_none()), ("b".to_owned(), true));
    assert_eq!((read.yes, read.number, read.as_sent), (Some(true), Some(7), Some(&br#"{"a" : [1e5]}"#[..])));
}
