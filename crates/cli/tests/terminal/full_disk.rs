//! A database that cannot grow for a while.

use rustix::process::{Pid, Resource, Rlimit, prlimit};
use serde_json::json;
use turnkit_testkit::http::HttpClient;

use crate::support::{Place, Server};

/// Limits the size of the server's files.
fn limit_files(server: &Server, bytes: Option<u64>) {
    let pid = Pid::from_raw(i32::try_from(server.child.id().unwrap()).unwrap()).unwrap();
    prlimit(Some(pid), Resource::Fsize, Rlimit { current: bytes, maximum: None }).unwrap();
}

async fn failing(client: &HttpClient) -> String {
    let metrics = String::from_utf8(client.get("/metrics").await.unwrap().body).unwrap();
    metrics.lines().find(|line| line.starts_with("turnkit_storage_failing ")).unwrap().to_owned()
}

#[tokio::test]
async fn a_file_that_may_not_grow_is_a_full_disk_until_it_may() {
    let place = Place::new();
    let server = place.serve().await;
    let client = server.client();
    assert_eq!(failing(&client).await, "turnkit_storage_failing 0");

    limit_files(&server, Some(512 * 1024));
    let message = json!({ "message": "long ".repeat(20_000) });
    let refused = loop {
        let reply = client.post("/api/v1/turns", &[], &message).await.unwrap();
        if reply.status >= 400 {
            break reply;
        }
    };
    assert_eq!((refused.status, &refused.json()["error"]["code"]), (507, &json!("storage_full")));
    for _ in 0..2 {
        let ready = client.get("/readyz").await.unwrap();
        assert_eq!((ready.status, ready.json()["degraded"].clone()), (503, json!(["disk_full"])));
        assert_eq!(failing(&client).await, "turnkit_storage_failing 1");
    }
    let report = place.run(&["doctor"]).await;
    assert_eq!(report.code, Some(1), "{report:?}");
    assert!(report.stdout.contains("is degraded: disk_full"), "{report:?}");

    limit_files(&server, None);
    let ready = client.get("/readyz").await.unwrap();
    assert_eq!((ready.status, ready.json()["degraded"].clone()), (200, json!([])));
    assert_eq!(failing(&client).await, "turnkit_storage_failing 0");
    assert_eq!(client.post("/api/v1/turns", &[], &message).await.unwrap().status, 202);
    let stopped = server.stop().await;
    assert!(stopped.stderr.contains("ulimit -f"), "{stopped:?}");
}
