//! Clients of a cluster. Each uses some process for as long as that process lives.

use std::sync::Arc;

use futures_util::FutureExt as _;
use futures_util::future::join_all;

use super::super::client::{self, Intent};
use super::super::members::Member;
use super::super::watcher;
use super::Cluster;

impl Cluster {
    /// Runs the clients and the watchers until they have finished.
    pub(super) async fn serve(&self, plans: &[Vec<Intent>]) {
        let clients = async {
            let live = |plan: &Vec<Intent>| {
                let plan = plan.clone();
                self.at_some_process(move |member| client::live(member, self.members.clone(), plan.clone()))
            };
            join_all(plans.iter().map(live)).await;
        };
        let clients = clients.boxed_local().shared();
        let watchers = self.at_some_process(|member| {
            watcher::watch_all(Arc::clone(&member.process), member.service.clone(), clients.clone())
        });
        tokio::join!(clients.clone(), watchers);
    }

    async fn at_some_process<F: Future<Output = ()>>(&self, act: impl Fn(Arc<Member>) -> F) {
        loop {
            let member = self.members.wait_for_any().await;
            tokio::select! {
                biased;
                () = member.process.fate.stops() => {}
                () = act(Arc::clone(&member)) => return,
            }
        }
    }
}
