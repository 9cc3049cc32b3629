//! `turnkit providers`: the providers, with the state of each.

use std::process::ExitCode;

use serde_json::json;
use turnkit_core::ports::ProviderDirectory as _;
use turnkit_llm::Pool;
use turnkit_server::{MissingBody, ProviderBody, ProviderStatusBody};

use crate::args::{Place, Providers, ProvidersCommand};
use crate::config::load;
use crate::data::Data;
use crate::failure::Failure;
use crate::remote::Client;
use crate::terminal::{line, remark};
use crate::wiring::build_pool;

pub(crate) async fn run(place: &Place, providers: &Providers) -> Result<ExitCode, Failure> {
    let source = ProviderSource::open(place, providers.server.as_deref())?;
    match &providers.command {
        ProvidersCommand::Ls { json: true } => {
            print(&json!({ "data": source.providers().await?, "next": null }).to_string())
        }
        ProvidersCommand::Ls { json: false } => {
            source.providers().await?.iter().try_for_each(|provider| print(&row(provider)))
        }
        ProvidersCommand::Thaw { provider } => {
            source.thaw(provider).await?;
            remark(&format!("{provider} answers"));
            Ok(())
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The providers of a server, or the configured ones. Without a running server, no provider is frozen.
enum ProviderSource {
    Remote(Client),
    Local(Pool),
}

impl ProviderSource {
    fn open(place: &Place, server: Option<&str>) -> Result<Self, Failure> {
        match Data::open(place, server)? {
            Some(Data::Remote(client)) => Ok(Self::Remote(client)),
            Some(Data::Local(_)) | None => build_pool(&load(place)?).map(Self::Local),
        }
    }

    async fn providers(&self) -> Result<Vec<ProviderBody>, Failure> {
        match self {
            Self::Remote(client) => Ok(client.providers().await?),
            Self::Local(pool) => Ok(pool.providers().into_iter().map(ProviderBody::from).collect()),
        }
    }

    async fn thaw(&self, id: &str) -> Result<(), Failure> {
        let no_such = || Failure::Failed(format!("there is no provider {id}; `turnkit providers ls` lists them"));
        match self {
            Self::Remote(client) => client.thaw_provider(id).await.map_err(|error| match error {
                error if error.is_not_found() => no_such(),
                error => error.into(),
            }),
            Self::Local(pool) => {
                let thawed = pool.thaw(id).await.ok_or_else(no_such)?;
                thawed.map_err(|error| Failure::Failed(error.message))
            }
        }
    }
}

fn row(provider: &ProviderBody) -> String {
    let ProviderBody { id, models, status, .. } = provider;
    let models = if models.is_empty() { "-".to_owned() } else { models.join(",") };
    let Some(status) = status else { return format!("{id}  {models}") };
    let ProviderStatusBody { state, running, waiting, max_concurrency, calls, failures, frozen, missing } = status;
    let most = max_concurrency.map_or_else(String::new, |most| format!("/{most}"));
    let mut row = format!(
        "{id}  {state}  {models}  running {running}{most}  waiting {waiting}  calls {calls}  failures {failures}"
    );
    if let Some(frozen) = frozen {
        let until = frozen.until.map_or_else(|| "until thawed".to_owned(), |until| format!("until {until}"));
        row.push_str(&format!("  {until}: {}", frozen.message));
    }
    for MissingBody { model, until } in missing {
        row.push_str(&format!("  without {model} until {until}"));
    }
    row
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
