//! The list of models that an endpoint reports.

use serde::Deserialize;
use turnkit_core::ModelName;
use turnkit_net::{NetError, Response};

/// Maximum size of the list, in bytes.
const MAX_LIST: usize = 4 * 1024 * 1024;

/// Response to a request for an endpoint's models. The request costs nothing and needs the key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelList {
    /// The HTTP status.
    pub status: u16,
    /// The models, if the response was a list of them.
    pub models: Option<Vec<ModelName>>,
}

impl ModelList {
    /// Reports whether `model` is in the list.
    pub fn has(&self, model: &str) -> bool {
        self.models.iter().flatten().any(|listed| *listed.0 == *model)
    }

    pub(crate) async fn read(response: Response) -> Result<Self, NetError> {
        let status = response.status();
        let body = response.into_body().collect(MAX_LIST).await?;
        let listed = serde_json::from_slice::<Listed>(&body).ok();
        Ok(Self { status, models: listed.map(Listed::names) })
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Listed {
    /// Format of OpenAI and Anthropic.
    Data { data: Vec<Id> },
    /// Format of Google, where names are prefixed with their collection.
    Models { models: Vec<Name> },
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

#[derive(Deserialize)]
struct Name {
    name: String,
}

impl Listed {
    fn names(self) -> Vec<ModelName> {
        match self {
            Self::Data { data } => data.into_iter().map(|model| ModelName(model.id.into())).collect(),
            Self::Models { models } => {
                let bare = |model: Name| ModelName(model.name.strip_prefix("models/").unwrap_or(&model.name).into());
                models.into_iter().map(bare).collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_listed_in_either_shape() {
        for body in
            [r#"{"object":"list","data":[{"id":"small","owned_by":"x"}]}"#, r#"{"models":[{"name":"models/small"}]}"#]
        {
            let listed: Listed = serde_json::from_str(body).unwrap();
            let list = ModelList { status: 200, models: Some(listed.names()) };
            assert!(list.has("small") && !list.has("large"), "{body}");
        }
    }
}
