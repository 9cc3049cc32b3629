//! The Model Context Protocol (MCP): agents as tools, over HTTP and over standard input and output.
//!
//! A call of a tool starts a turn and follows it. Its response has the answer; a turn that waits for a decision is
//! answered with the question, and the next call of the client brings the decision. The server keeps no sessions of the
//! protocol: each request contains everything that is needed to answer it.

mod arguments;
mod call;
mod continuation;
mod elicitation;
mod excerpt;
mod fault;
mod headers;
mod http;
mod message;
mod metadata;
mod outcome;
mod progress;
mod reply;
mod respond;
mod response;
mod revision;
mod sender;
mod start;
mod stdio;
mod tool;

pub(crate) use http::answer;
pub(crate) use message::MessageBody;
pub(crate) use stdio::serve;
