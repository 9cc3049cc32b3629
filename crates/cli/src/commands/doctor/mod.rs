//! `turnkit doctor`: reports what works and what does not, with remedies.

mod configuration;
mod data;
mod finding;
mod mcp;
mod provider;
mod streams;
mod tokens;

use std::process::ExitCode;

use serde_json::json;

use crate::args::Place;
use crate::config::{Resolved, load, load_without_keys};
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::line;
use crate::wiring::{Database, Installation};
use finding::{Finding, State};

pub(crate) async fn run(place: &Place, json: bool) -> Result<ExitCode, Failure> {
    let mut report = Report { json, findings: Vec::new() };
    match load(place) {
        Err(error) => {
            report.add(configuration::broken(&error))?;
            // The data can be examined even if keys are missing.
            if let Ok(resolved) = load_without_keys(place) {
                examine_data(place, resolved, &mut report).await?;
            }
        }
        Ok(resolved) => {
            report.add_all(configuration::examine(&resolved))?;
            report.add_all(configuration::examine_sandbox(&resolved))?;
            let providers = provider::examine(&resolved).await;
            let tokens = tokens::examine(&resolved).await;
            let servers = mcp::examine(&resolved).await;
            examine_data(place, resolved, &mut report).await?;
            report.add_all(providers)?;
            report.add_all(tokens)?;
            report.add_all(servers)?;
        }
    }
    report.end()
}

async fn examine_data(place: &Place, resolved: Resolved, report: &mut Report) -> Result<(), Failure> {
    let public_url = resolved.config.server.public_url.clone();
    let database = Database::from_config(&resolved, place.data.as_deref());
    let directory = match Installation::directory_for(&resolved, place.data.as_deref()) {
        Ok(directory) => directory,
        Err(failure) => return report.add(data::unusable(&failure)),
    };
    match Installation::open_existing(resolved, place.data.as_deref())
        .and_then(|opened| opened.map(Data::try_from).transpose())
    {
        Err(failure) => report.add(data::unusable(&failure)),
        Ok(None) => report.add(data::none_yet(&directory)),
        Ok(Some(Data::Local(installation))) => report.add_all(data::examine(&installation).await),
        Ok(Some(Data::Remote(client))) => {
            report.add_all(data::served(&client, &directory).await)?;
            report.add_all(database.ok().as_ref().and_then(data::examine_served).into_iter().collect::<Vec<_>>())?;
            report.add(streams::examine(&client, public_url.as_deref()).await)
        }
    }
}

/// The findings. Each is printed as soon as it is made.
struct Report {
    json: bool,
    findings: Vec<Finding>,
}

impl Report {
    fn add(&mut self, finding: Finding) -> Result<(), Failure> {
        if !self.json {
            print(&finding.to_string())?;
        }
        self.findings.push(finding);
        Ok(())
    }

    fn add_all(&mut self, findings: impl IntoIterator<Item = Finding>) -> Result<(), Failure> {
        findings.into_iter().try_for_each(|finding| self.add(finding))
    }

    fn end(self) -> Result<ExitCode, Failure> {
        let failed = self.findings.iter().any(|finding| finding.state == State::Fail);
        if self.json {
            print(&json!({ "ok": !failed, "findings": self.findings }).to_string())?;
        }
        Ok(if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
