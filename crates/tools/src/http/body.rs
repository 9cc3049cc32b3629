//! Request bodies with placeholders.

use serde_json::{Map, Value};

use crate::template::{InvalidTemplate, Parameters, Template, Values};

/// A JSON value in which `{name}` in a text stands for an argument. A text that consists only of a placeholder becomes
/// the argument itself, with its type. A field or an item is left out if one of its arguments is absent.
#[derive(Debug, Clone)]
pub(super) enum Body {
    Text(Template),
    Fixed(Value),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl Body {
    /// Parses a template.
    ///
    /// # Errors
    /// A placeholder matches no parameter. The error names it.
    pub(super) fn parse(template: &Value, parameters: &Parameters) -> Result<Self, InvalidTemplate> {
        let body = Self::from_template(template);
        let checked = body.templates().into_iter().try_for_each(|template| parameters.check(template));
        checked.map_err(|why| InvalidTemplate::new("body", why))?;
        Ok(body)
    }

    fn from_template(template: &Value) -> Self {
        match template {
            Value::String(text) => Self::Text(Template::parse(text)),
            Value::Array(items) => Self::List(items.iter().map(Self::from_template).collect()),
            Value::Object(fields) => {
                Self::Object(fields.iter().map(|(name, field)| (name.clone(), Self::from_template(field))).collect())
            }
            value => Self::Fixed(value.clone()),
        }
    }

    fn templates(&self) -> Vec<&Template> {
        match self {
            Self::Text(template) => vec![template],
            Self::Fixed(_) => Vec::new(),
            Self::List(items) => items.iter().flat_map(Self::templates).collect(),
            Self::Object(fields) => fields.iter().flat_map(|(_, field)| field.templates()).collect(),
        }
    }

    /// Inserts arguments. Returns `None` if an argument that the value itself depends on is absent.
    pub(super) fn fill(&self, values: &Values) -> Option<Value> {
        match self {
            Self::Text(template) => match template.whole() {
                Some(name) => values.get(name).cloned(),
                None => template.fill(values, |value| value).map(Value::String),
            },
            Self::Fixed(value) => Some(value.clone()),
            Self::List(items) => Some(items.iter().filter_map(|item| item.fill(values)).collect()),
            Self::Object(fields) => {
                let filled = fields.iter().filter_map(|(name, field)| Some((name.clone(), field.fill(values)?)));
                Some(Value::Object(filled.collect::<Map<_, _>>()))
            }
        }
    }
}
