//! `curl -N`.

mod documentation;
mod page;

use tokio::process::Command;
use turnkit_testkit::http::FrameReader;

use crate::program::{Event, named_by};
use crate::protocols::PROTOCOLS;
use crate::server::Server;

#[tokio::test]
async fn curl_prints_a_turn_in_every_protocol() {
    let Some(curl) = named_by("TURNKIT_CURL") else { return };
    let server = Server::offline().await;
    for protocol in &PROTOCOLS {
        let mut command = Command::new(&curl);
        command.args(["--no-buffer", "--silent", "--show-error", "--fail", "--include", "--noproxy", "*"]);
        command.args(["--header", "content-type: application/json", "--header", "accept: text/event-stream"]);
        let output = command.args(["--data", &protocol.body(), &server.url(protocol.path)]).output().await.unwrap();
        assert!(output.status.success(), "{}: {}", protocol.name, String::from_utf8_lossy(&output.stderr));
        let output = String::from_utf8(output.stdout).unwrap();
        let (head, body) = output.split_once("\r\n\r\n").unwrap();
        for header in
            ["content-type: text/event-stream", "cache-control: no-cache, no-transform", "x-accel-buffering: no"]
        {
            assert!(head.contains(header), "{}: {header} is not in {head}", protocol.name);
        }
        let turn = head.lines().find_map(|line| line.strip_prefix("x-turn-id: ")).unwrap();
        let frames = FrameReader::default().push(body.as_bytes()).unwrap();
        let events: Vec<Event> = frames
            .into_iter()
            .map(|frame| Event {
                event: frame.event.unwrap_or_default(),
                id: frame.id.unwrap_or_default(),
                data: frame.data,
            })
            .collect();
        protocol.agrees(&server, turn, &events).await;
    }
}
