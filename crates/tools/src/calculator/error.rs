//! Why an expression has no result.

/// Why an expression has no result, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{problem}, at character {at}")]
pub struct CalculationError {
    /// What is wrong.
    pub problem: Problem,
    /// The character it is about, from 1.
    pub at: usize,
}

/// What can be wrong with an expression.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Problem {
    /// It is too long.
    #[error("the expression is longer than 1000 characters")]
    TooLong,
    /// It is nested too deeply.
    #[error("the expression is nested more than 64 levels deep")]
    TooDeep,
    /// Something that is neither a number, an operator nor a name.
    #[error("unexpected {0:?}")]
    Unexpected(String),
    /// A name the calculator does not know.
    #[error(
        "unknown name {0:?}: known are sqrt, abs, round, floor, ceil, min, max, sum, avg, ln, log, exp, pi, e, mod, of"
    )]
    UnknownName(String),
    /// A number, name or parenthesis should stand here.
    #[error("a number is missing")]
    MissingNumber,
    /// Two values without an operator between them.
    #[error("an operator is missing")]
    MissingOperator,
    /// A parenthesis was never closed.
    #[error("a closing parenthesis is missing")]
    Unclosed,
    /// A function needs its arguments in parentheses.
    #[error("{0} needs its arguments in parentheses")]
    NeedsParentheses(&'static str),
    /// A function got the wrong number of arguments.
    #[error("{name} takes {takes}")]
    ArgumentCount {
        /// The function.
        name: &'static str,
        /// What it takes.
        takes: &'static str,
    },
    /// A comma that groups no thousands and separates no arguments.
    #[error("a comma groups three digits, as in 1,234; write a decimal point for fractions")]
    StrayComma,
    /// A comma among arguments that could mean either.
    #[error("this comma could group thousands or separate arguments: drop it, or put a space after it")]
    AmbiguousComma,
    /// A number has more digits than can be kept.
    #[error("a number has more than 28 digits")]
    TooManyDigits,
    /// Division by zero.
    #[error("division by zero")]
    DivisionByZero,
    /// A function has no value for this argument.
    #[error("{0}")]
    Undefined(&'static str),
    /// A result is too large to be kept.
    #[error("the result is larger than 79 octillion (7.9e28)")]
    TooLarge,
    /// A result is too small to be told from zero.
    #[error("the result is smaller than 1e-28 and not zero")]
    TooSmall,
}

impl Problem {
    /// The problem, with the character it is about, counted from 0.
    pub(crate) fn at(self, index: usize) -> CalculationError {
        CalculationError { problem: self, at: index + 1 }
    }
}
