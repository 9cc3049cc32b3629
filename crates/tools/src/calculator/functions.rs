//! Functions and constants by name.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;

use super::Problem;
use super::value::{approximate, divide, rounded, square_root};

/// A function of the calculator.
pub(crate) struct Function {
    /// The name of the function.
    pub(crate) name: &'static str,
    /// The largest number of arguments. The smallest is one.
    most: usize,
    /// The arguments of the function, in words.
    takes: &'static str,
    run: fn(&[Decimal], Decimal) -> Result<Decimal, Problem>,
}

const ONE: &str = "one argument";
const MANY: &str = "one argument or more";

static FUNCTIONS: [Function; 12] = [
    Function { name: "sqrt", most: 1, takes: ONE, run: |_, a| square_root(a) },
    Function { name: "abs", most: 1, takes: ONE, run: |_, a| Ok(a.abs()) },
    Function { name: "round", most: 2, takes: "a number and, if wanted, how many decimals", run: round },
    Function { name: "floor", most: 1, takes: ONE, run: |_, a| Ok(a.floor()) },
    Function { name: "ceil", most: 1, takes: ONE, run: |_, a| Ok(a.ceil()) },
    Function {
        name: "min",
        most: usize::MAX,
        takes: MANY,
        run: |all, a| Ok(all.iter().copied().fold(a, Decimal::min)),
    },
    Function {
        name: "max",
        most: usize::MAX,
        takes: MANY,
        run: |all, a| Ok(all.iter().copied().fold(a, Decimal::max)),
    },
    Function { name: "sum", most: usize::MAX, takes: MANY, run: |all, _| sum(all) },
    Function { name: "avg", most: usize::MAX, takes: MANY, run: |all, _| divide(sum(all)?, Decimal::from(all.len())) },
    Function { name: "ln", most: 1, takes: ONE, run: |_, a| logarithm(a, f64::ln) },
    Function { name: "log", most: 1, takes: ONE, run: |_, a| logarithm(a, f64::log10) },
    Function { name: "exp", most: 1, takes: ONE, run: |_, a| approximate(a, f64::exp) },
];

/// Returns the function with this name.
pub(crate) fn function(name: &str) -> Option<&'static Function> {
    FUNCTIONS.iter().find(|function| function.name == name)
}

/// Returns the constant with this name.
pub(crate) fn constant(name: &str) -> Option<Decimal> {
    match name {
        "pi" | "π" => Some(Decimal::PI),
        "e" => Some(Decimal::E),
        _ => None,
    }
}

impl Function {
    /// Returns the value of the function for `arguments`.
    pub(crate) fn run(&self, arguments: &[Decimal]) -> Result<Decimal, Problem> {
        match arguments.first() {
            Some(first) if arguments.len() <= self.most => (self.run)(arguments, *first),
            _ => Err(Problem::ArgumentCount { name: self.name, takes: self.takes }),
        }
    }
}

fn round(all: &[Decimal], number: Decimal) -> Result<Decimal, Problem> {
    let Some(places) = all.get(1) else { return Ok(rounded(number, 0)) };
    let places = Some(places).filter(|places| places.fract().is_zero()).and_then(ToPrimitive::to_u32);
    match places {
        Some(places @ 0..=28) => Ok(rounded(number, places)),
        _ => Err(Problem::Undefined("round takes a whole number of decimals from 0 to 28")),
    }
}

fn sum(all: &[Decimal]) -> Result<Decimal, Problem> {
    all.iter().try_fold(Decimal::ZERO, |sum, next| sum.checked_add(*next)).ok_or(Problem::TooLarge)
}

fn logarithm(a: Decimal, function: fn(f64) -> f64) -> Result<Decimal, Problem> {
    if a <= Decimal::ZERO {
        return Err(Problem::Undefined("only a number above zero has a logarithm"));
    }
    approximate(a, function)
}
