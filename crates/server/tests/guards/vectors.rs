//! Tests of invalid requests. Each is rejected as the table says, and the server continues to work.

use std::time::Duration;

use serde::Deserialize;
use turnkit_server::Settings;

use crate::running::Running;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Vector {
    name: String,
    /// The lines of the head. `{text*count}` stands for a text that is repeated `count` times.
    head: Vec<String>,
    #[serde(default)]
    body: String,
    /// Whether the empty line after the head is never sent.
    #[serde(default)]
    open: bool,
    /// 0 if the connection is closed without a response.
    status: u16,
    #[serde(default)]
    code: String,
    /// Whether the server must close the connection after this request.
    #[serde(default)]
    last: bool,
}

impl Vector {
    fn bytes(&self) -> String {
        let mut head = self.head.iter().map(|line| repeat(line) + "\r\n").collect::<String>();
        if !self.open {
            head += "\r\n";
        }
        head + &self.body
    }
}

fn repeat(line: &str) -> String {
    let Some((before, rest)) = line.split_once('{') else { return line.to_owned() };
    let ((text, rest), after) = (rest.split_once('*').unwrap(), rest.split_once('}').unwrap().1);
    let count = rest.split_once('}').unwrap().0.parse().unwrap();
    format!("{before}{}{after}", text.repeat(count))
}

#[tokio::test]
async fn invalid_requests_are_rejected_and_the_server_continues() {
    let vectors: Vec<Vector> = serde_json::from_str(include_str!("../vectors/headers.json")).unwrap();
    let time = Duration::from_millis(200);
    let server = Running::with(Settings { body_time: time, head_time: time, ..Settings::default() }).await;
    let mut wrong = Vec::new();
    for vector in vectors {
        let mut wire = server.wire().await;
        wire.send(vector.bytes()).await;
        let reply = wire.reply().await;
        if (reply.status, reply.code()) != (vector.status, vector.code) {
            wrong.push(format!("{}: {} {}", vector.name, reply.status, reply.body));
        }
        if vector.last && !wire.rest().await.is_empty() {
            wrong.push(format!("{}: the connection goes on", vector.name));
        }
        assert_eq!(server.ask("GET", "/healthz", &[], "").await.status, 200, "after {}", vector.name);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
