//! Intercepted calls about grants.

use turnkit_core::ports::{GrantList, GrantPage, GrantQuery, GrantStore};
use turnkit_core::{Grant, GrantId, Scope};

use super::{InterceptedStore, StoreCall, StoreInterceptor};

impl<I: StoreInterceptor> GrantStore for InterceptedStore<I> {
    fn granted<'a>(&'a self, scope: &'a Scope, calls: GrantQuery) -> StoreCall<'a, Vec<Grant>> {
        self.interceptor.intercept("granted", self.inner.granted(scope, calls))
    }

    fn grants<'a>(&'a self, scope: &'a Scope, page: GrantPage) -> StoreCall<'a, GrantList> {
        self.interceptor.intercept("grants", self.inner.grants(scope, page))
    }

    fn revoke_grant<'a>(&'a self, scope: &'a Scope, grant: GrantId) -> StoreCall<'a, ()> {
        self.interceptor.intercept("revoke_grant", self.inner.revoke_grant(scope, grant))
    }
}
