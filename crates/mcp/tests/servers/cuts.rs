//! Calls whose request or answer is cut.

use std::sync::atomic::Ordering;

use rmcp::model::ProtocolVersion;
use serde_json::json;
use turnkit_core::ToolErrorKind;

use crate::proxy::{Cut, Proxy, proxy};
use crate::support::{call, server, settings, tool};
use crate::tickets::Tickets;
use crate::web::serve;

async fn cut_server() -> (Tickets, Proxy) {
    let tickets = Tickets::new(ProtocolVersion::LATEST);
    let (address, _) = serve(tickets.clone()).await;
    (tickets, proxy(address).await)
}

#[tokio::test]
async fn a_call_that_may_not_repeat_is_sent_once_wherever_it_is_cut() {
    let (tickets, proxy) = cut_server().await;
    let close = tool(&server(settings(proxy.address)), "close").await;
    call(&close, &json!({})).await.unwrap();
    let (request, answer) = *proxy.sizes.lock().unwrap();
    let closed = || tickets.state.closed.load(Ordering::SeqCst);
    assert_eq!(closed(), 1);

    for length in 0..request {
        proxy.cut(Cut::Request(length));
        let error = call(&close, &json!({})).await.unwrap_err().kind();
        assert_eq!((error, closed()), (ToolErrorKind::OutcomeUnknown, 1), "{length} bytes of the request");
    }
    let mut known = 0;
    for length in 0..answer {
        let before = closed();
        proxy.cut(Cut::Answer(length));
        match call(&close, &json!({})).await {
            Ok(output) => {
                assert_eq!(output.content, "closed", "{length} bytes of the answer");
                known += 1;
            }
            Err(error) => assert_eq!(error.kind(), ToolErrorKind::OutcomeUnknown, "{length} bytes of the answer"),
        }
        assert_eq!(closed(), before + 1, "{length} bytes of the answer");
    }
    // An answer is complete when its end is missing at most.
    assert!(known < answer / 4, "{known} of {answer}");
}

#[tokio::test]
async fn a_call_that_reads_is_repeated_once() {
    let (_, proxy) = cut_server().await;
    let find = tool(&server(settings(proxy.address)), "find").await;
    for cut in [Cut::Request(0), Cut::Request(200), Cut::Answer(0), Cut::Answer(100), Cut::Status(502)] {
        proxy.cut(cut);
        assert_eq!(call(&find, &json!({})).await.unwrap().content, "ticket 7", "{cut:?}");
    }
}
