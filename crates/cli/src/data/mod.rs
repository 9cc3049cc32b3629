//! The data a command works on: here, or with the server that has it. Whoever uses it need not know.

mod branches;
mod feed;
mod files;
mod grants;
mod interactions;
mod keys;
mod search;
mod sessions;
mod transfer;
mod turns;
mod usage;

use turnkit_core::{Scope, UserId};

pub(crate) use feed::{Feed, News};
pub(crate) use interactions::Counted;
pub(crate) use turns::{Begun, Runner};

pub(crate) use crate::remote::Session;

use crate::args::Place;
use crate::config::{Resolved, api_key, load};
use crate::failure::Failure;
use crate::remote::Client;
use crate::terminal::remark;
use crate::wiring::{Installation, Opened};

/// The data of an installation.
pub(crate) enum Data {
    /// In this process.
    Here(Box<Installation>),
    /// With a server.
    Served(Client),
}

impl Data {
    /// The data in this place, or of the server that has it. `None` where nothing was ever saved.
    pub(crate) fn existing(place: &Place) -> Result<Option<Self>, Failure> {
        let mut resolved = load(place)?;
        let notice = resolved.data_notice.take();
        let opened = Installation::open_existing(resolved, place.data.as_deref())?;
        opened.map(|opened| with_notice(opened, notice)).transpose()
    }

    /// The data in this place for a command that asks no provider, or of the server that has it. `None` where nothing was
    /// ever saved.
    pub(crate) fn to_replay(mut resolved: Resolved, place: &Place) -> Result<Option<Self>, Failure> {
        let notice = resolved.data_notice.take();
        let opened = Installation::open_to_replay(resolved, place.data.as_deref())?;
        opened.map(|opened| with_notice(opened, notice)).transpose()
    }

    /// The data in this place, made if there is none, or of the server that has it.
    pub(crate) fn made(mut resolved: Resolved, place: &Place) -> Result<Self, Failure> {
        let notice = resolved.data_notice.take();
        with_notice(Installation::open_or_served(resolved, place.data.as_deref())?, notice)
    }

    /// The data of the server at `url`.
    pub(crate) fn of_server(url: &str) -> Result<Self, Failure> {
        Ok(Self::Served(Client::at(url, api_key())?))
    }

    /// The data of the server at `url`, or like [`existing`](Self::existing).
    pub(crate) fn of(place: &Place, server: Option<&str>) -> Result<Option<Self>, Failure> {
        match server {
            Some(url) => Self::of_server(url).map(Some),
            None => Self::existing(place),
        }
    }
}

/// Returns the data that was opened, after a remark on where it is if the user should know.
fn with_notice(opened: Opened, notice: Option<String>) -> Result<Data, Failure> {
    notice.iter().for_each(|notice| remark(notice));
    opened.try_into()
}

/// The owner whose data is asked for: the person at this machine, unless another user is named.
fn scope_of(installation: &Installation, user: Option<&str>) -> Scope {
    let own = &installation.scope;
    user.map_or_else(|| own.clone(), |user| Scope { tenant: own.tenant.clone(), user: UserId(user.into()) })
}

impl Data {
    /// What runs turns of this data.
    pub(crate) fn runner(&self) -> Runner {
        match self {
            Self::Here(installation) => {
                Runner::Here { service: installation.service(), scope: installation.scope.clone() }
            }
            Self::Served(client) => Runner::Served(client.clone()),
        }
    }
}

impl TryFrom<Opened> for Data {
    type Error = Failure;

    fn try_from(opened: Opened) -> Result<Self, Failure> {
        match opened {
            Opened::Here(installation) => Ok(Self::Here(installation)),
            Opened::Served(directory, server) => Ok(Self::Served(Client::of_directory(directory, server)?)),
        }
    }
}
