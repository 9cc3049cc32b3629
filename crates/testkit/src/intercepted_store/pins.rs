//! Intercepted calls about accepted definitions of tools.

use turnkit_core::ports::{AcceptedDefinition, PinOwner, PinStore};
use turnkit_core::{Scope, Timestamp, ToolPin};

use super::{InterceptedStore, StoreCall, StoreInterceptor};

impl<I: StoreInterceptor> PinStore for InterceptedStore<I> {
    fn pin<'a>(&'a self, owner: &'a PinOwner, tools: Vec<ToolPin>, at: Timestamp) -> StoreCall<'a, Vec<String>> {
        self.interceptor.intercept("pin", self.inner.pin(owner, tools, at))
    }

    fn unaccepted<'a>(&'a self, scope: &'a Scope, tools: Vec<ToolPin>) -> StoreCall<'a, Vec<String>> {
        self.interceptor.intercept("unaccepted", self.inner.unaccepted(scope, tools))
    }

    fn accept_definitions<'a>(&'a self, owner: &'a PinOwner, tools: Vec<ToolPin>, at: Timestamp) -> StoreCall<'a, ()> {
        self.interceptor.intercept("accept_definitions", self.inner.accept_definitions(owner, tools, at))
    }

    fn pins<'a>(&'a self, owner: &'a PinOwner, source: &'a str) -> StoreCall<'a, Vec<AcceptedDefinition>> {
        self.interceptor.intercept("pins", self.inner.pins(owner, source))
    }
}
