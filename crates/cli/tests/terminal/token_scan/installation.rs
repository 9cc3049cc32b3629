//! An installation with secrets of every kind, and everything that it writes and sends.

use std::fs::File;
use std::process::Stdio;

use serde_json::Value;
use support_desk_identity_provider::{Client, ProviderOptions, system_clock};
use support_desk_shared::RunningServer;
use tokio::io::{AsyncBufReadExt as _, BufReader};
use turnkit_testkit::FakeUpstream;
use turnkit_testkit::http::HttpClient;

use super::echo;
use super::http::{HttpServer, post_form};
use super::identity_provider::IdentityProvider;
use super::scan::{Evidence, Secret, files, unique};
use crate::support::{Place, Server, outcome};

/// The secrets that the configuration reads from the environment, by the names of their variables.
const CONFIGURED: [&str; 12] = [
    "PROVIDER_KEY",
    "CLIENT_SECRET",
    "POSTED_SECRET",
    "REFUSED_SECRET",
    "FAILING_SECRET",
    "GARBLED_SECRET",
    "EXCHANGE_SECRET",
    "FIXED_TOKEN",
    "FIXED_KEY",
    "PROGRAM_KEY",
    "PROGRAM_WORD",
    "PATH_KEY",
];
const SECRET_CHARS: usize = 40;

/// The file with the log of the server.
const LOG: &str = "serve.log";

pub(super) struct Installation {
    pub(super) place: Place,
    pub(super) upstream: FakeUpstream,
    tokens: IdentityProvider,
    users: RunningServer,
    _echo: HttpServer,
    /// Everything that commands and the server have answered so far.
    pub(super) answers: Vec<Evidence>,
}

impl Installation {
    /// Starts the identity providers and the MCP servers. A server that is a program writes `planted` to its standard
    /// error.
    pub(super) async fn new(upstream: FakeUpstream, planted: &str) -> Self {
        let (tokens, echo) = (IdentityProvider::start().await, echo::start().await);
        let client = Client { id: "turnkit".to_owned(), secret: unique("the client of users", SECRET_CHARS) };
        let listen = "127.0.0.1:0".parse().unwrap();
        let options = ProviderOptions { listen, client, token_life: 600, clock: system_clock() };
        let users = support_desk_identity_provider::start(options).await.unwrap();
        let place = Place::new();
        let (base, issuer) = (upstream.base_url(), users.url());
        place.write("turnkit.toml", &configuration(&base, issuer, &servers(&tokens, &echo)));
        let said = "echo \"my key is $DESK_KEY\" >&2\necho \"usage: $0 --api-key KEY, not: $0 $*\" >&2\n";
        let script = format!("{said}echo {planted} >&2\nexit 1\n");
        place.write("server.sh", &script);
        Self { place, upstream, tokens, users, _echo: echo, answers: Vec::new() }
    }

    /// Returns the secrets that are known before anything runs.
    pub(super) fn configured(&self) -> Vec<Secret> {
        CONFIGURED.into_iter().map(|name| Secret::new(name, SECRET_CHARS)).collect()
    }

    /// Takes the secrets that the identity provider of the MCP servers has issued or seen.
    pub(super) fn take_issued(&self) -> Vec<Secret> {
        self.tokens.take_seen()
    }

    /// Creates an API key, and keeps what was written besides it.
    pub(super) async fn key(&mut self) -> Secret {
        let scopes = ["chat", "read", "metrics", "admin"].map(|scope| ["--scope", scope]);
        let words = [&["keys", "create", "scan", "-vv"][..], scopes.as_flattened()].concat();
        let made = outcome(self.place.command(&words).envs(variables()).spawn().unwrap()).await;
        assert_eq!(made.code, Some(0), "{made:?}");
        self.answers.push(Evidence { place: "log of keys create".to_owned(), bytes: made.stderr.into_bytes() });
        Secret { name: "API key", value: made.stdout.trim().to_owned() }
    }

    /// Returns an access token of a user.
    pub(super) async fn token_of(&self, user: &str) -> Secret {
        let address = self.users.url().strip_prefix("http://").unwrap();
        let issued = post_form(address, "/login", &format!("user={user}&audience=turnkit")).await;
        Secret { name: "token of a user", value: issued["access_token"].as_str().unwrap().to_owned() }
    }

    /// Starts the server with recordings, and with the most detailed log in a file.
    pub(super) async fn serve(&self) -> Server {
        let log = File::create(self.place.path().join(LOG)).unwrap();
        let mut command = self.place.command(&["serve", "--listen", "127.0.0.1:0", "-vv"]);
        command.envs(variables()).env("TURNKIT_RECORD", "rec").stderr(Stdio::from(log));
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let ready = lines.next_line().await.unwrap().unwrap();
        let url = ready.strip_prefix("turnkit listening on ").unwrap().to_owned();
        Server { url, child }
    }

    /// Runs a command with the most detailed log, and keeps what it writes.
    pub(super) async fn run(&mut self, words: &[&str]) {
        let all = [words, &["-vvvv"]].concat();
        let done = outcome(self.place.command(&all).envs(variables()).spawn().unwrap()).await;
        assert!(done.code.is_some_and(|code| code < 2), "{words:?}: {done:?}");
        let bytes = format!("{}{}", done.stdout, done.stderr).into_bytes();
        self.answers.push(Evidence { place: words.join(" "), bytes });
    }

    /// Sends a request, and keeps the response.
    pub(super) async fn get(&mut self, client: &HttpClient, path: &str) -> Value {
        let response = client.get(path).await.unwrap();
        let json = response.json();
        self.answers.push(Evidence { place: path.to_owned(), bytes: response.body });
        json
    }

    /// Sends a request with a JSON body, and keeps the response. Its value is null unless the response is JSON.
    pub(super) async fn post(&mut self, client: &HttpClient, path: &str, body: &Value) -> Value {
        let accept = [("accept", "application/json, text/event-stream")];
        let response = client.post(path, &accept, body).await.unwrap();
        let json = response.json();
        self.answers.push(Evidence { place: format!("POST {path}"), bytes: response.body });
        json
    }

    /// Returns everything: answers, what the model was sent, and all files: configuration, data, recordings, log.
    pub(super) fn evidence(&self) -> Vec<Evidence> {
        let requests = self.upstream.requests().into_iter().enumerate();
        let sent = requests.map(|(at, request)| Evidence { place: format!("request {at}"), bytes: request.body });
        let answers = self.answers.iter().map(|Evidence { place, bytes }| (place.clone(), bytes.clone()));
        let answers = answers.map(|(place, bytes)| Evidence { place, bytes });
        files(self.place.path()).into_iter().chain(sent).chain(answers).collect()
    }
}

fn variables() -> [(&'static str, String); CONFIGURED.len()] {
    CONFIGURED.map(|name| (name, unique(name, SECRET_CHARS)))
}

fn configuration(base_url: &str, issuer: &str, servers: &str) -> String {
    format!(
        r#"
[[providers]]
id = "fake"
api = "openai-chat"
base_url = "{base_url}"
api_key = "${{PROVIDER_KEY}}"
models = ["small"]

[auth]
mode = "api_key_or_jwt"
[auth.jwt]
issuer = "{issuer}"
audience = "turnkit"

[log]
level = "debug"

[[agents]]
name = "assistant"
tools = [
    "echo__*", "posted__*", "fixed__*", "refusing__*", "failing__*", "garbled__*", "exchanged__*", "pathed__*",
    "program__*",
]
{servers}"#
    )
}

/// Returns the sections of the MCP servers. All but the last one are the same server, which answers at any path.
fn servers(tokens: &IdentityProvider, echo: &HttpServer) -> String {
    let granted = |grant: &str, path: &str, secret: &str, how: &str| {
        format!(
            "{{ type = \"{grant}\", token_url = \"http://{}/{path}\", client_id = \"desk\", \
             client_secret = \"${{{secret}}}\", client_auth = \"{how}\", audience = [\"echo\", \"{secret}\"] }}",
            tokens.address()
        )
    };
    let client = |path: &str, secret: &str, how: &str| granted("client_credentials", path, secret, how);
    let servers = [
        ("echo", client("token", "CLIENT_SECRET", "basic")),
        ("posted", client("token", "POSTED_SECRET", "post")),
        ("refusing", client("refusing", "REFUSED_SECRET", "basic")),
        ("failing", client("failing", "FAILING_SECRET", "post")),
        ("garbled", client("garbled", "GARBLED_SECRET", "basic")),
        ("exchanged", granted("exchange", "token", "EXCHANGE_SECRET", "basic")),
        ("fixed", "{ type = \"bearer\", token = \"${FIXED_TOKEN}\" }".to_owned()),
    ];
    let section = |(name, auth): &(&str, String)| {
        let headers = if *name == "fixed" { "headers = { x-api-key = \"${FIXED_KEY}\" }\n" } else { "" };
        // Calls of a server without trust need decisions.
        let (address, trust) = (echo.address, if *name == "exchanged" { "none" } else { "full" });
        let section = format!("\n[[mcp]]\nname = \"{name}\"\nurl = \"http://{address}/mcp\"\ntrust = \"{trust}\"\n");
        format!("{section}{headers}auth = {auth}\n")
    };
    let address = echo.address;
    let pathed =
        format!("\n[[mcp]]\nname = \"pathed\"\nurl = \"http://{address}/${{PATH_KEY}}/mcp\"\ntrust = \"full\"\n");
    let program = "\n[[mcp]]\nname = \"program\"\n\
                   command = [\"/bin/sh\", \"server.sh\", \"--api-key\", \"${PROGRAM_WORD}\"]\n\
                   env = { DESK_KEY = \"${PROGRAM_KEY}\" }\n";
    servers.iter().map(section).chain([pathed, program.to_owned()]).collect()
}
