//! Checked arithmetic on decimals, and the format of results.

use rust_decimal::prelude::{FromPrimitive, ToPrimitive};
use rust_decimal::{Decimal, MathematicalOps, RoundingStrategy};

use super::Problem;

/// The number of digits shown if a result has more than [`WHOLE_DIGITS`].
const SHOWN_DIGITS: u32 = 15;
/// The largest number of digits of a result that is shown in full.
const WHOLE_DIGITS: u32 = 20;

/// A number, and whether it was written as a percentage.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Value {
    pub(crate) number: Decimal,
    pub(crate) percent: bool,
}

impl From<Decimal> for Value {
    fn from(number: Decimal) -> Self {
        Self { number, percent: false }
    }
}

impl Value {
    /// Returns the value as a percentage.
    pub(crate) fn percent(self) -> Result<Self, Problem> {
        Ok(Self { number: divide(self.number, Decimal::ONE_HUNDRED)?, percent: true })
    }

    pub(crate) fn negated(self) -> Self {
        Self { number: -self.number, ..self }
    }

    /// Returns the sum. A percentage added to a plain number is a percentage of that number; two percentages are added
    /// directly.
    pub(crate) fn plus(self, other: Self) -> Result<Self, Problem> {
        let added = if other.percent && !self.percent { multiply(self.number, other.number)? } else { other.number };
        let number = self.number.checked_add(added).ok_or(Problem::TooLarge)?;
        Ok(Self { number, percent: self.percent && other.percent })
    }
}

pub(crate) fn multiply(a: Decimal, b: Decimal) -> Result<Decimal, Problem> {
    let product = a.checked_mul(b).ok_or(Problem::TooLarge)?;
    seen(product, a.is_zero() || b.is_zero())
}

pub(crate) fn divide(a: Decimal, b: Decimal) -> Result<Decimal, Problem> {
    if b.is_zero() {
        return Err(Problem::DivisionByZero);
    }
    seen(a.checked_div(b).ok_or(Problem::TooLarge)?, a.is_zero())
}

/// Returns the remainder, with the sign of `b`, as in mathematics: -7 mod 3 is 2.
pub(crate) fn remainder(a: Decimal, b: Decimal) -> Result<Decimal, Problem> {
    if b.is_zero() {
        return Err(Problem::DivisionByZero);
    }
    let remainder = a.checked_rem(b).ok_or(Problem::TooLarge)?;
    let same_side = remainder.is_zero() || remainder.is_sign_negative() == b.is_sign_negative();
    if same_side { Ok(remainder) } else { remainder.checked_add(b).ok_or(Problem::TooLarge) }
}

pub(crate) fn power(base: Decimal, exponent: Decimal) -> Result<Decimal, Problem> {
    if base.is_zero() && exponent.is_sign_negative() && !exponent.is_zero() {
        return Err(Problem::DivisionByZero);
    }
    if !exponent.fract().is_zero() {
        if base.is_sign_negative() && !base.is_zero() {
            return Err(Problem::Undefined("a negative number has no power with a fraction"));
        }
        return approximate(base, |base| base.powf(exponent.to_f64().unwrap_or(f64::NAN)));
    }
    let whole = exponent.to_i64().ok_or(Problem::TooLarge)?;
    let positive = base.checked_powu(whole.unsigned_abs()).ok_or(Problem::TooLarge)?;
    let positive = seen(positive, base.is_zero())?;
    if whole < 0 { divide(Decimal::ONE, positive) } else { Ok(positive) }
}

/// Returns the square root to all digits: a floating-point estimate, followed by two steps of Newton's method.
pub(crate) fn square_root(a: Decimal) -> Result<Decimal, Problem> {
    if a.is_zero() {
        return Ok(a);
    }
    if a.is_sign_negative() {
        return Err(Problem::Undefined("a negative number has no square root"));
    }
    let mut root = approximate(a, f64::sqrt)?;
    for _ in 0..2 {
        let sum = root.checked_add(divide(a, root)?).ok_or(Problem::TooLarge)?;
        root = divide(sum, Decimal::TWO)?;
    }
    Ok(root)
}

/// Returns the result of a floating-point function of `a`, to 15 digits.
pub(crate) fn approximate(a: Decimal, function: impl Fn(f64) -> f64) -> Result<Decimal, Problem> {
    let result = function(a.to_f64().unwrap_or(f64::NAN));
    let number = Decimal::from_f64(result).ok_or(Problem::TooLarge)?;
    seen(number, result == 0.0)
}

/// Rejects a result that is zero only because its digits were truncated.
fn seen(result: Decimal, may_be_zero: bool) -> Result<Decimal, Problem> {
    if result.is_zero() && !may_be_zero { Err(Problem::TooSmall) } else { Ok(result) }
}

/// Rounds to `places` after the decimal point, with halves rounded away from zero.
pub(crate) fn rounded(a: Decimal, places: u32) -> Decimal {
    a.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)
}

/// Formats `number`: in full if it is short, otherwise rounded, but never dropping digits before the decimal point.
pub(crate) fn written(number: Decimal) -> String {
    let number = number.normalize();
    let digits = number.mantissa().unsigned_abs().checked_ilog10().map_or(1, |log| log + 1);
    let unending = number.scale() == Decimal::MAX_SCALE || digits > WHOLE_DIGITS;
    if !unending || number.scale() == 0 {
        return number.to_string();
    }
    let before_point = number.trunc().mantissa().unsigned_abs().checked_ilog10().map_or(0, |log| log + 1);
    let shown = number.round_sf_with_strategy(SHOWN_DIGITS.max(before_point), RoundingStrategy::MidpointAwayFromZero);
    shown.unwrap_or(number).normalize().to_string()
}
