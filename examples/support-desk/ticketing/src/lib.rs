//! The ticketing server of the support desk: eight tools over MCP, with tickets in SQLite.

mod changing;
mod priority;
mod reading;
mod status;
mod ticket;

use support_desk_shared::{Database, Effect, RunningServer, ServerOptions, Toolbox, start_tools};

/// The audience of tokens for this server.
pub const AUDIENCE: &str = "ticketing";

const INSTRUCTIONS: &str = "Tickets of customers: find, read, create and change them. A ticket belongs to an \
    organisation and may be assigned to a member of the support team.";

/// Starts the server.
pub async fn start(options: &ServerOptions) -> anyhow::Result<RunningServer> {
    let database = Database::open(&options.data, "ticketing.db", include_str!("content.sql"))?;
    start_tools(options, AUDIENCE, tools(database)).await
}

fn tools(database: Database) -> Toolbox<Database> {
    Toolbox::new("ticketing", INSTRUCTIONS, database)
        .tool(
            "search_tickets",
            "Finds tickets by words, status or organisation, the last changed ones first.",
            Effect::Reads,
            reading::search,
        )
        .tool("get_ticket", "Returns a ticket with its comments.", Effect::Reads, reading::get)
        .tool(
            "my_tickets",
            "Lists the tickets that the current user has requested or is assigned to.",
            Effect::Reads,
            reading::mine,
        )
        .tool("create_ticket", "Creates a ticket, requested by the current user.", Effect::Adds, changing::create)
        .tool(
            "update_ticket",
            "Changes the title, the description or the priority of a ticket.",
            Effect::Replaces,
            changing::update,
        )
        .tool("add_comment", "Adds a comment of the current user to a ticket.", Effect::Adds, changing::comment)
        .tool("assign_ticket", "Assigns a ticket to a member of the support team.", Effect::Replaces, changing::assign)
        .tool("close_ticket", "Closes a ticket, with the reason as its resolution.", Effect::Replaces, changing::close)
}
