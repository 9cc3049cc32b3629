//! `turnkit doctor`: what works, what does not, and the way out.

mod configuration;
mod data;
mod finding;
mod provider;
mod streams;

use std::process::ExitCode;

use serde_json::json;

use crate::args::Place;
use crate::config::{Resolved, load};
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::line;
use crate::wiring::Installation;
use finding::{Finding, State};

pub(crate) async fn run(place: &Place, json: bool) -> Result<ExitCode, Failure> {
    let mut report = Report { json, findings: Vec::new() };
    match load(place) {
        Err(error) => report.add(configuration::broken(&error))?,
        Ok(resolved) => examine(place, resolved, &mut report).await?,
    }
    report.end()
}

async fn examine(place: &Place, resolved: Resolved, report: &mut Report) -> Result<(), Failure> {
    report.add_all(configuration::examine(&resolved))?;
    let providers = provider::examine(&resolved).await;
    let public_url = resolved.config.server.public_url.clone();
    match Installation::open_existing(resolved, place.data.as_deref())
        .and_then(|opened| opened.map(Data::try_from).transpose())
    {
        Err(failure) => report.add(data::unusable(&failure))?,
        Ok(None) => report.add(data::none_yet())?,
        Ok(Some(Data::Here(installation))) => report.add_all(data::examine(&installation))?,
        Ok(Some(Data::Served(client))) => {
            report.add(data::served(&client).await)?;
            report.add(streams::examine(&client, public_url.as_deref()).await)?;
        }
    }
    report.add_all(providers)
}

/// Findings, told as they are made.
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

    fn add_all(&mut self, findings: Vec<Finding>) -> Result<(), Failure> {
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
