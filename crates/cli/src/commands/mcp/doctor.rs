//! `turnkit mcp doctor`: reports which servers can be used, with remedies for the others.

use std::process::ExitCode;
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use turnkit_core::ports::ToolSource as _;
use turnkit_mcp::{LeftOutTool, McpAddress, McpInfo, McpServer, McpState};
use turnkit_net::timeout;

use super::servers::{self, NOT_ASKED, ONLY_FOR_CALLERS};
use crate::args::Place;
use crate::config::load;
use crate::failure::Failure;
use crate::terminal::{counted, json_line, line, revealed};

pub(super) async fn run(place: &Place, limit: Duration, as_json: bool) -> Result<ExitCode, Failure> {
    let servers = servers::all(&load(place)?);
    let examining = join_all(servers.iter().map(|server| examine(server, limit)));
    let message = format!("connecting to {}", servers::names(&servers));
    let findings = servers::shown_if_slow(&message, examining).await;
    let works = !findings.iter().any(|finding| matches!(finding.outcome, Outcome::Fails(_)));
    let printed = match as_json {
        true => {
            let findings: Vec<Value> = findings.iter().map(Finding::as_json).collect();
            json_line(&json!({ "ok": works, "servers": findings }).to_string())
        }
        false => findings.iter().flat_map(Finding::lines).try_for_each(|text| line(&revealed(&text))),
    };
    printed.map_err(|error| Failure::of_output(&error))?;
    Ok(if works { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// What was found out about a server.
struct Finding {
    server: String,
    outcome: Outcome,
}

enum Outcome {
    Works(Offer),
    /// Its tools need the token of a caller, and a command has none.
    NotAsked,
    Fails(Fault),
}

/// What a server offers.
struct Offer {
    /// The number of its tools.
    tools: usize,
    info: McpInfo,
}

/// Why a server cannot be used, and what to do.
struct Fault {
    why: String,
    remedy: String,
}

async fn examine(server: &McpServer, limit: Duration) -> Finding {
    let outcome = match server.acts_for_callers() {
        true => Outcome::NotAsked,
        false => ask(server, limit).await,
    };
    Finding { server: server.name().to_owned(), outcome }
}

async fn ask(server: &McpServer, limit: Duration) -> Outcome {
    let remedy = remedy(server.name(), &server.address());
    match timeout(limit, servers::connect(server)).await {
        Ok(Ok(tools)) => Outcome::Works(match server.status().state {
            McpState::Ready(info) => Offer { tools: info.tools.len(), info },
            // The server has closed the connection since.
            _ => Offer { tools: tools.tools().len(), info: McpInfo::default() },
        }),
        Ok(Err(why)) => Outcome::Fails(Fault { why, remedy }),
        Err(_) => Outcome::Fails(Fault {
            why: format!("it has not listed its tools within {}", counted(limit.as_secs(), "second")),
            remedy: format!("a longer time is set with --timeout; or {remedy}"),
        }),
    }
}

fn remedy(name: &str, address: &McpAddress) -> String {
    match address {
        McpAddress::Program(program) => format!(
            "start `{program}` with its arguments in a terminal, where it should wait for input, and correct `command` \
             or `env` of [[mcp]] `{name}`"
        ),
        McpAddress::Url(url) => {
            format!("check that a server runs at {url}, and correct `url` or the credentials of [[mcp]] `{name}`")
        }
    }
}

impl Finding {
    fn lines(&self) -> Vec<String> {
        let server = &self.server;
        match &self.outcome {
            Outcome::Fails(Fault { why, remedy }) => vec![format!("fail  {server}  {why}; {remedy}")],
            Outcome::NotAsked => vec![format!("ok    {server}  {NOT_ASKED}; {ONLY_FOR_CALLERS}")],
            Outcome::Works(offer) => {
                let left_out = offer.info.left_out.iter().map(|LeftOutTool { name, why }| {
                    format!("      {server}  `{name}` is not offered to models: {why}")
                });
                std::iter::once(format!("ok    {server}  {}", in_words(offer))).chain(left_out).collect()
            }
        }
    }

    fn as_json(&self) -> Value {
        let server = &self.server;
        match &self.outcome {
            Outcome::Fails(Fault { why, remedy }) => {
                json!({ "server": server, "ok": false, "error": why, "way_out": remedy })
            }
            Outcome::NotAsked => {
                json!({ "server": server, "ok": true, "remark": NOT_ASKED, "way_out": ONLY_FOR_CALLERS })
            }
            Outcome::Works(Offer { tools, info: McpInfo { protocol, server: info, left_out, .. } }) => {
                let left_out = left_out.iter().map(|LeftOutTool { name, why }| json!({ "name": name, "why": why }));
                json!({
                    "server": server,
                    "ok": true,
                    "protocol": protocol,
                    "info": info,
                    "tools": tools,
                    "left_out": left_out.collect::<Vec<_>>(),
                })
            }
        }
    }
}

fn in_words(Offer { tools, info }: &Offer) -> String {
    let mut words = counted(*tools as u64, "tool");
    if !info.left_out.is_empty() {
        words.push_str(&format!(", {} not offered", info.left_out.len()));
    }
    if !info.protocol.is_empty() {
        words.push_str(&format!(", protocol {}", info.protocol));
    }
    if let Some(server) = &info.server {
        words.push_str(&format!(", {server}"));
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(outcome: Outcome) -> Finding {
        Finding { server: "tickets".to_owned(), outcome }
    }

    #[test]
    fn a_line_says_what_a_server_offers_or_what_to_do() {
        let left_out = vec![LeftOutTool { name: "x y".to_owned(), why: "its name".to_owned() }];
        let (protocol, server) = ("2025-11-25".to_owned(), Some("ticketing 1.4.0".to_owned()));
        let fault = Fault { why: "connection refused".to_owned(), remedy: "start it".to_owned() };
        for (outcome, expected) in [
            (
                Outcome::Works(Offer { tools: 2, info: McpInfo { protocol, server, left_out, ..McpInfo::default() } }),
                &[
                    "ok    tickets  2 tools, 1 not offered, protocol 2025-11-25, ticketing 1.4.0",
                    "      tickets  `x y` is not offered to models: its name",
                ][..],
            ),
            (Outcome::Works(Offer { tools: 1, info: McpInfo::default() }), &["ok    tickets  1 tool"]),
            (
                Outcome::NotAsked,
                &["ok    tickets  not asked, because its tools need the token of a caller; only requests to `turnkit \
                   serve` have tokens of callers, so try it there"],
            ),
            (Outcome::Fails(fault), &["fail  tickets  connection refused; start it"]),
        ] {
            assert_eq!(finding(outcome).lines(), expected);
        }
    }

    #[test]
    fn a_remedy_names_the_setting_and_where_the_server_is() {
        let program = remedy("files", &McpAddress::Program("mcp-files".to_owned()));
        assert!(program.contains("`mcp-files`") && program.contains("`command`"), "{program}");
        let url = remedy("tickets", &McpAddress::Url("https://x/mcp".to_owned()));
        assert!(url.contains("https://x/mcp") && url.contains("[[mcp]] `tickets`"), "{url}");
    }
}
