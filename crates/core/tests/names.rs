//! Tests of the text forms of cursors, names, ids and timestamps: each is parsed back unchanged, and nothing else is
//! accepted.

use std::time::Duration;

use proptest::prelude::*;
use turnkit_core::{CallUid, Cursor, Fence, PartId, SessionName, Timestamp, TurnId};
use uuid::Uuid;

const CASES: u32 = 10_000;

proptest! {
    #![proptest_config(ProptestConfig { cases: CASES, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_cursor_is_read_as_it_was_written(fence: u32, turn: u32, seq: u32, frame: u8) {
        let cursor = Cursor { fence: Fence(fence), turn, seq, frame };
        let text = cursor.to_string();
        prop_assert!(text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'));
        prop_assert_eq!(text.parse(), Ok(cursor));
    }

    #[test]
    fn a_cursor_holds_nothing_but_digits_and_dashes(
        fence: u32, turn: u32, seq: u32, at in any::<prop::sample::Index>(), intruder: char,
    ) {
        let mut text = Cursor { fence: Fence(fence), turn, seq, frame: 1 }.to_string();
        prop_assume!(!intruder.is_ascii_digit() && intruder != '-');
        text.insert(at.index(text.len() + 1), intruder);
        prop_assert!(text.parse::<Cursor>().is_err(), "{:?}", text);
    }

    #[test]
    fn cursors_of_a_turn_are_ordered_as_its_events(fence: u32, turn: u32, one: (u32, u8), other: (u32, u8)) {
        let cursor = |(seq, frame)| Cursor { fence: Fence(fence), turn, seq, frame };
        prop_assert_eq!(cursor(one).cmp(&cursor(other)), one.cmp(&other));
    }

    #[test]
    fn a_call_id_is_read_as_it_was_written(turn: u128, step: u16, ordinal: u16) {
        let uid = CallUid { turn: TurnId(Uuid::from_u128(turn)), step, ordinal };
        prop_assert_eq!(uid.to_string().parse(), Ok(uid));
        prop_assert_eq!(serde_json::from_str::<CallUid>(&serde_json::to_string(&uid).unwrap()).unwrap(), uid);
    }

    #[test]
    fn a_part_id_is_read_as_it_was_written(step: u16, part: u16) {
        let id = PartId { step, part };
        prop_assert_eq!(id.to_string().parse(), Ok(id));
        prop_assert_eq!(serde_json::from_str::<PartId>(&serde_json::to_string(&id).unwrap()).unwrap(), id);
    }

    #[test]
    fn a_moment_is_read_as_it_was_written(millis: i64) {
        let moment = Timestamp::from_millis(millis);
        let json = serde_json::to_string(&moment).unwrap();
        prop_assert_eq!(serde_json::from_str::<Timestamp>(&json).unwrap(), moment);
    }
}

#[test]
fn texts_that_are_not_cursors() {
    let cases = [
        "",
        "-",
        "--",
        "1",
        "1-2",
        "1-2-",
        "-1-2-3",
        "1--2-3",
        "1-2-3-",
        "1-2-3-4-5",
        "+1-2-3",
        "1-+2-3",
        "1-2-+3",
        "1-2-3-+4",
        " 1-2-3",
        "1-2-3 ",
        "1 -2-3",
        "1-2-3\n",
        "1-2-3\0",
        "\u{0}1-2-3",
        "1_000-2-3",
        "0x1-2-3",
        "1e3-2-3",
        "1.0-2-3",
        "1-2-a",
        "\u{661}-2-3",
        "\u{ff11}-2-3",
        "1\u{2212}2\u{2212}3",
        "4294967296-2-3",
        "1-4294967296-3",
        "1-2-4294967296",
        "1-2-18446744073709551616",
        "1-2-3-256",
        "99999999999999999999999999999999999999999-1-1",
    ];
    for text in cases {
        assert!(text.parse::<Cursor>().is_err(), "{text:?}");
    }
}

#[test]
fn the_frame_number_is_written_only_if_it_is_not_zero() {
    let cursor = |frame| Cursor { fence: Fence(3), turn: 12, seq: 57, frame };
    assert_eq!((cursor(0).to_string(), cursor(1).to_string()), ("3-12-57".to_owned(), "3-12-57-1".to_owned()));
    assert_eq!("3-12-57-0".parse(), Ok(cursor(0)));
}

#[test]
fn session_names() {
    let longest = "n".repeat(128);
    let wide = "é".repeat(64);
    for name in ["a", "my chat", "日本語 🙂", "../../etc/passwd", "'; --", longest.as_str(), wide.as_str()] {
        assert_eq!(name.parse::<SessionName>().map(|name| name.to_string()), Ok(name.to_owned()));
    }
    let too_long = "n".repeat(129);
    let too_wide = "é".repeat(65);
    let cases = [
        ("", "must not be empty"),
        (too_long.as_str(), "must be at most 128 bytes"),
        (too_wide.as_str(), "must be at most 128 bytes"),
        ("a\0b", "contains a control character"),
        ("a\nb", "contains a control character"),
        ("\u{7f}", "contains a control character"),
        ("\u{85}", "contains a control character"),
    ];
    for (name, why) in cases {
        assert_eq!(name.parse::<SessionName>().map_err(|error| error.reason), Err(why), "{name:?}");
        let json = serde_json::to_string(name).unwrap();
        assert!(serde_json::from_str::<SessionName>(&json).is_err(), "{name:?}");
    }
}

#[test]
fn texts_that_are_not_call_ids() {
    let turn = TurnId(Uuid::from_u128(7));
    for rest in ["", ".1", ".1.", ".1.0.0", "..0", ".+1.0", ".1.+0", ".-1.0", ".65536.0", ".1.65536", ".1. 0", ".a.0"] {
        let text = format!("{turn}{rest}");
        assert!(text.parse::<CallUid>().is_err(), "{text:?}");
    }
    for text in ["1.2.3", "not-a-uuid.1.0", ".1.0"] {
        assert!(text.parse::<CallUid>().is_err(), "{text:?}");
    }
}

#[test]
fn moments_are_written_as_people_read_them() {
    let cases = [
        (0, "1970-01-01T00:00:00.000Z"),
        (1, "1970-01-01T00:00:00.001Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    ];
    for (millis, text) in cases {
        assert_eq!(Timestamp::from_millis(millis).to_string(), text);
    }
}

#[test]
fn moments_written_by_others_are_understood() {
    let cases = [
        ("2024-05-01T12:00:00Z", Some(1_714_564_800_000)),
        ("2024-05-01T14:00:00+02:00", Some(1_714_564_800_000)),
        ("2024-05-01T12:00:00.123456Z", Some(1_714_564_800_123)),
        ("2024-05-01 12:00", None),
        ("2024-13-01T12:00:00Z", None),
        ("soon", None),
        ("ms", None),
        ("", None),
    ];
    for (text, millis) in cases {
        let read = serde_json::from_str::<Timestamp>(&format!("\"{text}\"")).ok();
        assert_eq!(read, millis.map(Timestamp::from_millis), "{text:?}");
    }
}

#[test]
fn moments_do_not_overflow() {
    let (first, last) = (Timestamp::from_millis(i64::MIN), Timestamp::from_millis(i64::MAX));
    assert_eq!(last.plus(Duration::from_millis(1)), last);
    assert_eq!(Timestamp::default().plus(Duration::MAX), last);
    assert_eq!(Timestamp::from_millis(7).minus(Duration::from_millis(5)), Timestamp::from_millis(2));
    assert_eq!(Timestamp::from_millis(-7).minus(Duration::MAX), Timestamp::from_millis(i64::MIN));
    assert_eq!(first.since(last), Duration::ZERO);
    assert_eq!(last.since(first), Duration::from_millis(i64::MAX as u64));
    assert_eq!(last.since(Timestamp::from_millis(i64::MAX - 5)), Duration::from_millis(5));
}

#[test]
fn texts_that_are_not_part_ids() {
    for text in ["", ".", "1", "1.", ".1", "+1.2", "1.2.3", "65536.0", "1.-2", " 1.2"] {
        assert!(text.parse::<PartId>().is_err(), "{text:?}");
    }
}
