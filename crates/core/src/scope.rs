//! The scope of a request: whose data it may access.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The id of a tenant: one customer of an installation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TenantId(pub Arc<str>);

/// The id of a user: one person or service within a tenant.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct UserId(pub Arc<str>);

/// The tenant and user on whose behalf a request accesses the store. It has no default: authentication creates it, or
/// [`Scope::local`] where the operator of the machine is the only user. Cloning shares the names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Scope {
    /// The tenant.
    pub tenant: TenantId,
    /// The user within the tenant.
    pub user: UserId,
}

impl Scope {
    /// Creates the scope of an authenticated user.
    pub fn new(tenant: impl Into<Arc<str>>, user: impl Into<Arc<str>>) -> Self {
        Self { tenant: TenantId(tenant.into()), user: UserId(user.into()) }
    }

    /// Returns the scope of the user at this machine's terminal.
    pub fn local() -> Self {
        Self::new("local", "local")
    }
}
