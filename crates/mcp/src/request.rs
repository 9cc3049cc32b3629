//! One request of a call, and its answer.

use std::pin::pin;

use futures_util::FutureExt as _;
use rmcp::model::{
    CallToolRequest, CallToolRequestParams, CancelledNotification, CancelledNotificationParam, ClientCapabilities,
    ClientRequest, ElicitationCapability, FormElicitationCapability, ProgressToken, RequestId, RequestMetaObject,
    ServerResult,
};
use rmcp::service::{Peer, PeerRequestOptions, RoleClient};
use tokio::sync::broadcast::{Receiver, error::RecvError};
use turnkit_core::ports::ReportProgress;

use crate::client::Report;
use crate::connection::Connection;
use crate::dispatch::Dispatch;
use crate::failure::RequestFailure;

/// Sends a request once and waits for its answer, which may be a question. `dispatch` shows whether the request was
/// sent. Dropping the future cancels it.
///
/// # Errors
/// There is no answer, or it is an error.
pub(crate) async fn call(
    connection: &Connection,
    params: CallToolRequestParams,
    dispatch: &Dispatch,
    progress: &dyn ReportProgress,
) -> Result<ServerResult, RequestFailure> {
    // From before the request is sent, because the server may report before this task runs again.
    let mut reports = connection.progress();
    let mut request = CallToolRequest::new(params);
    request.extensions.insert(dispatch.clone());
    let request = ClientRequest::CallToolRequest(request);
    let failed = |error| connection.failure(error);
    let handle = connection.peer().send_cancellable_request(request, options(connection)).await.map_err(failed)?;
    let (token, id) = (handle.progress_token.clone(), handle.id.clone());
    let mut cancel = CancelOnDrop { peer: connection.peer(), id: Some(id) };
    let mut answer = pin!(handle.await_response());
    let answer = loop {
        tokio::select! {
            biased;
            report = next_report(&mut reports, &token) => progress.report(&report.text),
            answer = &mut answer => break answer,
        }
    };
    cancel.id = None;
    answer.map_err(failed)
}

/// Since protocol 2026-07-28, a server ends a call with a question instead of asking while it runs. Only there can
/// questions be answered, so only there are they offered.
fn options(connection: &Connection) -> PeerRequestOptions {
    let options = PeerRequestOptions::no_options();
    if !connection.is_modern() {
        return options;
    }
    let mut capabilities = ClientCapabilities::default();
    capabilities.elicitation = Some(ElicitationCapability::new().with_form(FormElicitationCapability::new()));
    let mut meta = RequestMetaObject::new();
    meta.set_client_capabilities(capabilities);
    options.with_meta(meta)
}

/// Waits for the next report of this call. Reports that were dropped are missed.
async fn next_report(reports: &mut Receiver<Report>, token: &ProgressToken) -> Report {
    loop {
        match reports.recv().await {
            Ok(report) if report.token == *token => return report,
            Ok(_) | Err(RecvError::Lagged(_)) => {}
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Cancels a request unless its answer has arrived.
struct CancelOnDrop<'a> {
    peer: &'a Peer<RoleClient>,
    id: Option<RequestId>,
}

impl Drop for CancelOnDrop<'_> {
    fn drop(&mut self) {
        let Some(id) = self.id.take() else { return };
        let why = Some("the result is not needed any more".to_owned());
        let cancelled = CancelledNotification::new(CancelledNotificationParam::new(Some(id), why));
        // The first poll queues the message. Only a full queue would make it wait, which a drop cannot.
        _ = tokio::task::unconstrained(self.peer.send_notification(cancelled.into())).now_or_never();
    }
}
