//! Evaluates tokens by precedence climbing, without building a tree.

use rust_decimal::Decimal;

use super::token::{Kind, Token, tokens};
use super::value::{Value, divide, multiply, power, remainder};
use super::{CalculationError, Problem, functions};

/// The deepest nesting of parentheses, signs and powers.
const MAX_DEPTH: usize = 64;

/// The precedence of an operator. A sign binds less tightly than a power and more tightly than a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Binding {
    Sum,
    Product,
    Sign,
    Power,
}

/// Returns the value of `expression`.
pub(crate) fn evaluate(expression: &str) -> Result<Decimal, CalculationError> {
    let tokens = tokens(expression)?;
    let mut parser = Parser { tokens: &tokens, next: 0, depth: 0, in_arguments: false };
    let value = parser.expression(Binding::Sum)?;
    let rest = parser.peek();
    match rest.kind {
        Kind::End => Ok(value.number),
        Kind::Comma => Err(Problem::StrayComma.at(rest.at)),
        Kind::Close => Err(Problem::Unexpected(")".to_owned()).at(rest.at)),
        _ => Err(Problem::MissingOperator.at(rest.at)),
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    next: usize,
    depth: usize,
    /// Whether the innermost parentheses hold arguments, which commas separate.
    in_arguments: bool,
}

impl<'a> Parser<'a> {
    /// Parses a value and all following operators that bind at least as tightly as `floor`.
    fn expression(&mut self, floor: Binding) -> Result<Value, CalculationError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(Problem::TooDeep.at(self.peek().at));
        }
        let mut left = self.operand()?;
        while let Some((binding, operator)) = self.operator().filter(|(binding, _)| *binding >= floor) {
            let at = self.take().at;
            let right = match binding {
                Binding::Sum => self.expression(Binding::Product)?,
                Binding::Product => self.expression(Binding::Sign)?,
                // The exponent of a power may have a sign, and powers are right-associative.
                Binding::Sign | Binding::Power => self.expression(Binding::Power)?,
            };
            left = apply(&operator, left, right).map_err(|problem| problem.at(at))?;
        }
        self.depth -= 1;
        Ok(left)
    }

    fn operand(&mut self) -> Result<Value, CalculationError> {
        let token = self.take();
        let value = match &token.kind {
            Kind::Minus => return self.expression(Binding::Sign).map(Value::negated),
            Kind::Plus => return self.expression(Binding::Sign),
            Kind::Number { grouped: true, .. } if self.in_arguments => {
                return Err(Problem::AmbiguousComma.at(token.at));
            }
            Kind::Number { value, .. } => *value,
            Kind::Name(name) => self.named(name, token.at)?,
            Kind::Open => self.inside(false, |parser| parser.expression(Binding::Sum))?.number,
            Kind::Comma if !self.in_arguments => return Err(Problem::StrayComma.at(token.at)),
            _ => return Err(Problem::MissingNumber.at(token.at)),
        };
        self.percentages(value.into())
    }

    /// Applies the percent signs after a value. A percent sign before another value is a remainder operator and is not
    /// consumed.
    fn percentages(&mut self, mut value: Value) -> Result<Value, CalculationError> {
        while self.peek().kind == Kind::Percent && !self.after_next().begins_value() {
            let at = self.take().at;
            value = value.percent().map_err(|problem| problem.at(at))?;
        }
        Ok(value)
    }

    fn named(&mut self, name: &str, at: usize) -> Result<Decimal, CalculationError> {
        if let Some(constant) = functions::constant(name) {
            return Ok(constant);
        }
        let function =
            functions::function(name).ok_or_else(|| Problem::UnknownName(name.chars().take(40).collect()).at(at))?;
        if self.peek().kind != Kind::Open {
            return Err(Problem::NeedsParentheses(function.name).at(at));
        }
        self.take();
        let arguments = self.inside(true, Self::arguments)?;
        function.run(&arguments).map_err(|problem| problem.at(at))
    }

    fn arguments(&mut self) -> Result<Vec<Decimal>, CalculationError> {
        let mut arguments = Vec::new();
        if self.peek().kind == Kind::Close {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.expression(Binding::Sum)?.number);
            if self.peek().kind != Kind::Comma {
                return Ok(arguments);
            }
            self.take();
        }
    }

    /// Runs `read` for the content of parentheses, and consumes the closing parenthesis.
    fn inside<T>(
        &mut self,
        in_arguments: bool,
        read: impl FnOnce(&mut Self) -> Result<T, CalculationError>,
    ) -> Result<T, CalculationError> {
        let outer = std::mem::replace(&mut self.in_arguments, in_arguments);
        let found = read(self)?;
        self.in_arguments = outer;
        let end = self.take();
        match end.kind {
            Kind::Close => Ok(found),
            Kind::End => Err(Problem::Unclosed.at(end.at)),
            Kind::Comma => Err(Problem::StrayComma.at(end.at)),
            _ => Err(Problem::MissingOperator.at(end.at)),
        }
    }

    /// Returns the next operator and its precedence.
    fn operator(&self) -> Option<(Binding, Kind)> {
        let kind = self.peek().kind.clone();
        let binding = match kind {
            Kind::Plus | Kind::Minus => Binding::Sum,
            Kind::Times | Kind::Over | Kind::Mod | Kind::Percent => Binding::Product,
            Kind::Power => Binding::Power,
            _ => return None,
        };
        Some((binding, kind))
    }

    fn peek(&self) -> &'a Token {
        const END: &Token = &Token { kind: Kind::End, at: 0 };
        self.tokens.get(self.next).or(self.tokens.last()).unwrap_or(END)
    }

    fn after_next(&self) -> &'a Kind {
        self.tokens.get(self.next + 1).map_or(&Kind::End, |token| &token.kind)
    }

    fn take(&mut self) -> &'a Token {
        let token = self.peek();
        self.next += 1;
        token
    }
}

fn apply(operator: &Kind, left: Value, right: Value) -> Result<Value, Problem> {
    let number = match operator {
        Kind::Plus => return left.plus(right),
        Kind::Minus => return left.plus(right.negated()),
        Kind::Over => divide(left.number, right.number),
        Kind::Mod | Kind::Percent => remainder(left.number, right.number),
        Kind::Power => power(left.number, right.number),
        _ => multiply(left.number, right.number),
    };
    number.map(Value::from)
}
