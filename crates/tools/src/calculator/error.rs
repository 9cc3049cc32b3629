//! Errors of the calculator.

/// The reason why an expression has no result, and the position in the expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}, at character {at}")]
pub struct CalculationError {
    /// The problem.
    pub problem: Problem,
    /// The position of the problem, in characters from 1.
    pub at: usize,
}

/// A problem with an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// The expression is too long.
    #[error("the expression is longer than 1000 characters")]
    TooLong,
    /// The expression is nested too deeply.
    #[error("the expression is nested more than 64 levels deep")]
    TooDeep,
    /// A character that belongs to no number, operator or name.
    #[error("unexpected {0:?}")]
    Unexpected(String),
    /// A name that the calculator does not know.
    #[error(
        "unknown name {0:?}: the names are sqrt, abs, round, floor, ceil, min, max, sum, avg, ln, log, exp, pi, e, mod, \
         of"
    )]
    UnknownName(String),
    /// A number, name or parenthesis is missing at this position.
    #[error("a number is missing")]
    MissingNumber,
    /// An operator between two values is missing.
    #[error("an operator is missing")]
    MissingOperator,
    /// A parenthesis was never closed.
    #[error("a closing parenthesis is missing")]
    Unclosed,
    /// A function needs its arguments in parentheses.
    #[error("{0} needs its arguments in parentheses")]
    NeedsParentheses(&'static str),
    /// A function has the wrong number of arguments.
    #[error("{name} takes {takes}")]
    ArgumentCount {
        /// The function.
        name: &'static str,
        /// The arguments that the function takes.
        takes: &'static str,
    },
    /// A comma that neither groups thousands nor separates arguments.
    #[error("a comma groups three digits, as in 1,234; write a decimal point for fractions")]
    StrayComma,
    /// A comma among arguments that could either group thousands or separate arguments.
    #[error("this comma could group thousands or separate arguments: drop it, or put a space after it")]
    AmbiguousComma,
    /// A number has more digits than the calculator can store.
    #[error("a number has more than 28 digits")]
    TooManyDigits,
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A function is undefined for this argument.
    #[error("{0}")]
    Undefined(&'static str),
    /// A result is too large to be stored.
    #[error("the result is larger than 79 octillion (7.9e28)")]
    TooLarge,
    /// A result is too small to be distinguished from zero.
    #[error("the result is smaller than 1e-28 and not zero")]
    TooSmall,
}

impl Problem {
    /// Returns the error for this problem at a character index, counted from 0.
    pub(crate) fn at(self, index: usize) -> CalculationError {
        CalculationError { problem: self, at: index + 1 }
    }
}
