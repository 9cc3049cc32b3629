use proptest::prelude::*;

use super::calculate;

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    for (expression, expected) in cases {
        let found = calculate(expression).unwrap_or_else(|error| format!("error: {error}"));
        assert_eq!(&found, expected, "{expression}");
    }
}

#[test]
fn decimals_are_exact() {
    check(&[
        ("0.1 + 0.2", "0.3"),
        ("1.10 + 2.20", "3.3"),
        ("19.99 * 3", "59.97"),
        ("4.35 * 100", "435"),
        ("1.005 * 1000", "1005"),
        ("123456789012345.67 + 0.01", "123456789012345.68"),
        ("2^64", "18446744073709551616"),
        ("-0", "0"),
        ("0 * -5", "0"),
    ]);
}

#[test]
fn operators_bind_as_in_mathematics() {
    check(&[
        ("2 + 3 * 4", "14"),
        ("(2 + 3) * 4", "20"),
        ("10 - 4 - 3", "3"),
        ("100 / 10 / 5", "2"),
        ("2^3^2", "512"),
        ("-2^2", "-4"),
        ("(-2)^2", "4"),
        ("2^-2", "0.25"),
        ("2 * -3", "-6"),
        ("--3", "3"),
        ("2 ** 10", "1024"),
        ("6 × 7 ÷ 2 − 1", "20"),
        ("17 mod 5", "2"),
        ("-7 mod 3", "2"),
        ("10 % 3", "1"),
        ("7.5 % (2)", "1.5"),
    ]);
}

#[test]
fn percentages_mean_what_people_mean() {
    check(&[
        ("12.5% of 840", "105"),
        ("12.5 percent of 840", "105"),
        ("840 * 12.5%", "105"),
        ("50%", "0.5"),
        ("200 + 10%", "220"),
        ("100 - 25%", "75"),
        ("200 + -10%", "180"),
        ("200 + (10%)", "200.1"),
        ("200 + 10% of 50", "205"),
        ("50% + 25%", "0.75"),
        ("50% + 1", "1.5"),
        ("1/2 of 10", "5"),
        ("5% - 3", "-2.95"),
        ("(20 + 30)% of 10", "5"),
    ]);
}

#[test]
fn functions_and_constants_have_their_usual_values() {
    check(&[
        ("sqrt(16)", "4"),
        ("sqrt(2)", "1.4142135623731"),
        ("sqrt(2)^2", "2"),
        ("sqrt(0.0001)", "0.01"),
        ("abs(-3.5)", "3.5"),
        ("round(2.5)", "3"),
        ("round(-2.5)", "-3"),
        ("round(3.14159, 2)", "3.14"),
        ("floor(-1.5)", "-2"),
        ("ceil(1.2)", "2"),
        ("min(3, 1, 2)", "1"),
        ("max(3,1,2)", "3"),
        ("max((1,000), 2)", "1000"),
        ("sum(1, 2, 3.5)", "6.5"),
        ("avg(1, 2, 3, 4)", "2.5"),
        ("ln(e)", "1"),
        ("log(1000)", "3"),
        ("exp(0)", "1"),
        ("8^(1/3)", "2"),
        ("round(pi, 5)", "3.14159"),
        ("PI > 3", "error: unexpected \">\", at character 4"),
        ("SQRT(9)", "3"),
    ]);
}

#[test]
fn unending_fractions_are_rounded_to_fifteen_digits_but_never_before_the_point() {
    check(&[
        ("1 / 3", "0.333333333333333"),
        ("2 / 3", "0.666666666666667"),
        ("1 / 3 * 3", "1"),
        ("1000 / 3", "333.333333333333"),
        ("10^20 / 3", "33333333333333333333"),
        ("1.08^30", "10.0626568890734"),
        ("0.00000001 / 3", "0.00000000333333333333333"),
        ("1e-28", "0.0000000000000000000000000001"),
    ]);
}

#[test]
fn numbers_are_read_as_people_write_them() {
    check(&[
        ("1,234.5 + 0.5", "1235"),
        ("1,234,567", "1234567"),
        (".5 + 5.", "5.5"),
        ("1e3 + 2.5E-1", "1000.25"),
        ("2 * e", "5.43656365691809"),
        ("  7  ", "7"),
        ("3 plus 4 times 2", "11"),
    ]);
}

#[test]
fn an_error_names_the_problem_and_its_position() {
    check(&[
        ("", "error: a number is missing, at character 1"),
        ("1 +", "error: a number is missing, at character 4"),
        ("* 3", "error: a number is missing, at character 1"),
        ("2 3", "error: an operator is missing, at character 3"),
        ("2(3)", "error: an operator is missing, at character 2"),
        ("(1 + 2", "error: a closing parenthesis is missing, at character 7"),
        ("(1 2)", "error: an operator is missing, at character 4"),
        ("1)", "error: unexpected \")\", at character 2"),
        ("2 + €3", "error: unexpected \"€\", at character 5"),
        ("1/0", "error: division by zero, at character 2"),
        ("5 mod 0", "error: division by zero, at character 3"),
        ("0^-1", "error: division by zero, at character 2"),
        ("sqrt 4", "error: sqrt needs its arguments in parentheses, at character 1"),
        ("sqrt(1, 2)", "error: sqrt takes one argument, at character 1"),
        ("min()", "error: min takes one argument or more, at character 1"),
        ("sqrt(-1)", "error: a negative number has no square root, at character 1"),
        ("ln(0)", "error: only a number above zero has a logarithm, at character 1"),
        ("(-8)^(1/3)", "error: a negative number has no power with a fraction, at character 5"),
        ("round(1, 1.5)", "error: round takes a whole number of decimals from 0 to 28, at character 1"),
        ("1,5", "error: a comma groups three digits, as in 1,234; write a decimal point for fractions, at character 2"),
        (
            "max(1,000, 2)",
            "error: this comma could group thousands or separate arguments: drop it, or put a space after it, at character 5",
        ),
        ("9^99", "error: the result is larger than 79 octillion (7.9e28), at character 2"),
        ("0.1^99", "error: the result is smaller than 1e-28 and not zero, at character 4"),
        ("1e99", "error: a number has more than 28 digits, at character 1"),
        ("99999999999999999999999999999999", "error: a number has more than 28 digits, at character 1"),
        (".", "error: unexpected \".\", at character 1"),
    ]);
    let unknown = calculate("2 + foo(1)").unwrap_err().to_string();
    assert!(unknown.starts_with("unknown name \"foo\": the names are sqrt"), "{unknown}");
}

#[test]
fn length_and_depth_are_bounded() {
    let long = "1+".repeat(500) + "1";
    assert_eq!(
        calculate(&long).unwrap_err().to_string(),
        "the expression is longer than 1000 characters, at character 1001"
    );
    let deep = "(".repeat(400) + "1" + &")".repeat(400);
    assert_eq!(
        calculate(&deep).unwrap_err().to_string(),
        "the expression is nested more than 64 levels deep, at character 65"
    );
    let signs = "-".repeat(900) + "1";
    assert_eq!(
        calculate(&signs).unwrap_err().to_string(),
        "the expression is nested more than 64 levels deep, at character 65"
    );
    let powers = "1^".repeat(400) + "1";
    assert!(calculate(&powers).unwrap_err().to_string().starts_with("the expression is nested"));
    assert_eq!(calculate(&("1+".repeat(499) + "1")).unwrap(), "500");
}

/// Generates an expression of integers and, if it does not overflow, its value.
fn integers() -> impl Strategy<Value = (String, Option<i128>)> {
    let number = (-999i128..=999).prop_map(|n| (if n < 0 { format!("({n})") } else { n.to_string() }, Some(n)));
    number.prop_recursive(5, 40, 2, |inner| {
        (inner.clone(), prop::sample::select(&["+", "-", "*"][..]), inner).prop_map(|((a, x), sign, (b, y))| {
            let value = x.zip(y).and_then(|(x, y)| match sign {
                "+" => x.checked_add(y),
                "-" => x.checked_sub(y),
                _ => x.checked_mul(y),
            });
            (format!("({a} {sign} {b})"), value)
        })
    })
}

/// Generates the same without parentheses, so that precedence decides.
fn flat_sum() -> impl Strategy<Value = (String, i128)> {
    let product = prop::collection::vec(1i128..=50, 1..4);
    prop::collection::vec((any::<bool>(), product), 1..6).prop_map(|terms| {
        let mut text = "0".to_owned();
        let mut value = 0;
        for (minus, factors) in terms {
            let product: i128 = factors.iter().product();
            value += if minus { -product } else { product };
            let factors: Vec<_> = factors.iter().map(ToString::to_string).collect();
            text = format!("{text} {} {}", if minus { '-' } else { '+' }, factors.join("*"));
        }
        (text, value)
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_has_a_result_or_an_error(text in "\\PC{0,60}") {
        let _ = calculate(&text);
    }

    #[test]
    fn any_row_of_tokens_has_a_result_or_an_error(
        words in prop::collection::vec(prop::sample::select(&[
            "1", "2.5", "0", "9e27", "1e-28", "0.3", "1,000", "+", "-", "*", "/", "%", "^", "(", ")", ",", "mod", "of",
            "sqrt(", "ln(", "exp(", "round(", "max(", "avg(", "pi", "e", "7",
        ][..]), 0..24)
    ) {
        let _ = calculate(&words.concat());
        let _ = calculate(&words.join(" "));
    }

    #[test]
    fn the_square_of_a_root_is_the_number(whole in 1u64.., scale in 0u32..12) {
        let number = rust_decimal::Decimal::from_i128_with_scale(i128::from(whole), scale);
        let root = super::value::square_root(number).unwrap();
        let error = (root * root - number).abs();
        prop_assert!(error <= number * rust_decimal::Decimal::new(1, 20), "{number}: {root}");
    }

    #[test]
    fn integer_expressions_agree_with_integer_arithmetic((text, value) in integers()) {
        const MAX: i128 = 79_228_162_514_264_337_593_543_950_335;
        match (calculate(&text), value) {
            (Ok(found), Some(value)) => prop_assert_eq!(found, value.to_string(), "{}", text),
            (Err(error), Some(value)) => prop_assert!(
                value.abs() > MAX || error.problem == super::Problem::TooLarge || text.chars().count() > super::MAX_CHARS,
                "{}: {}", text, error
            ),
            (_, None) => {}
        }
    }

    #[test]
    fn products_bind_tighter_than_sums((text, value) in flat_sum()) {
        prop_assert_eq!(calculate(&text).unwrap(), value.to_string(), "{}", text);
    }
}
