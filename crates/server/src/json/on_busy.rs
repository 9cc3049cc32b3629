//! The field `on_busy` of requests that start turns.

use serde::Deserialize;
use turnkit_core::BusyPolicy;
use utoipa::ToSchema;

#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum OnBusyBody {
    Enqueue,
    Interrupt,
    Reject,
    Steer,
}

impl From<OnBusyBody> for BusyPolicy {
    fn from(body: OnBusyBody) -> Self {
        match body {
            OnBusyBody::Enqueue => Self::Enqueue,
            OnBusyBody::Interrupt => Self::Interrupt,
            OnBusyBody::Reject => Self::Reject,
            OnBusyBody::Steer => Self::Steer,
        }
    }
}
