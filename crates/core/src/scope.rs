//! Whose data a request may touch.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// One customer of an installation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TenantId(pub Arc<str>);

/// One person or service within a tenant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(pub Arc<str>);

/// The owner on whose behalf a request reaches the store. It has no default: authentication makes it, or
/// [`Scope::local`] where the operator of the machine is the only user. Cloning shares the names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The tenant.
    pub tenant: TenantId,
    /// The user within the tenant.
    pub user: UserId,
}

impl Scope {
    /// A scope for an authenticated user.
    pub fn new(tenant: impl Into<Arc<str>>, user: impl Into<Arc<str>>) -> Self {
        Self { tenant: TenantId(tenant.into()), user: UserId(user.into()) }
    }

    /// The person at this machine's terminal.
    pub fn local() -> Self {
        Self::new("local", "local")
    }
}
