//! A calculator for arithmetic in common notation.

mod error;
mod functions;
mod parser;
mod token;
mod value;

#[cfg(test)]
mod tests;

use serde::Deserialize;
use turnkit_core::ports::{BoxFuture, Tool, ToolContext};
use turnkit_core::{RawJson, ToolDefinition, ToolError, ToolOutput};

pub use error::{CalculationError, Problem};

use crate::arguments;

/// The longest expression, in characters.
pub(crate) const MAX_CHARS: usize = 1_000;

/// The tool `calculator {expression}`.
#[derive(Debug)]
pub struct Calculator {
    definition: ToolDefinition,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CalculatorArguments {
    expression: String,
}

/// Evaluates `expression` and returns the result in common notation: exact, without trailing zeros.
///
/// - Operators: `+ - * / ^` and parentheses, also as `× ÷ − **`; `mod`; `of`, which multiplies.
/// - A percent sign after a number divides it by 100, so `12.5% of 840` is 105. After plus or minus it is a percentage
///   of the value before it, as on a pocket calculator: `200 + 10%` is 220. Between two numbers it is the remainder:
///   `10 % 3` is 1.
/// - Functions: `sqrt abs round floor ceil min max sum avg ln log exp`; constants: `pi`, `e`.
/// - Commas group thousands: `1,234.5`. `-2^2` is -4, and `2^3^2` is 512, as in mathematics.
///
/// Numbers are decimals of up to 28 digits. Sums, products, and powers with whole exponents are exact within this
/// precision; roots, logarithms and unending fractions are shown with 15 digits.
///
/// ```
/// use turnkit_tools::calculate;
///
/// assert_eq!(calculate("0.1 + 0.2").unwrap(), "0.3");
/// assert_eq!(calculate("12.5% of 840").unwrap(), "105");
/// assert_eq!(calculate("2 * (3 + 4").unwrap_err().to_string(), "a closing parenthesis is missing, at character 11");
/// ```
///
/// # Errors
/// The expression is invalid. The error names the problem and its character.
pub fn calculate(expression: &str) -> Result<String, CalculationError> {
    parser::evaluate(expression).map(value::written)
}

impl Calculator {
    /// The name of the tool, as models call it.
    pub const NAME: &str = "calculator";

    /// Creates the tool.
    pub fn new() -> Self {
        let description = "Computes an arithmetic expression exactly. Knows + - * / ^ mod, parentheses, percentages \
             (\"12.5% of 840\", \"200 + 10%\"), sqrt, abs, round(x, digits), floor, ceil, min, max, sum, avg, ln, log, \
             exp, pi and e.";
        let schema = r#"{"type":"object","properties":{"expression":{"type":"string","description":"The expression, such as 12.5% of 840","maxLength":1000}},"required":["expression"],"additionalProperties":false}"#;
        Self { definition: arguments::read_only(Self::NAME, description, schema) }
    }
}

impl Default for Calculator {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Calculator {
    fn definition(&self) -> &ToolDefinition {
        &self.definition
    }

    fn call<'a>(&'a self, arguments: &'a RawJson, _: ToolContext<'a>) -> BoxFuture<'a, Result<ToolOutput, ToolError>> {
        Box::pin(async move {
            let CalculatorArguments { expression } = arguments::read(arguments)?;
            calculate(&expression).map(ToolOutput::from).map_err(|error| ToolError::Failed(error.to_string()))
        })
    }
}
