//! The data that a command uses, either local or on the server that has locked it. Commands need not distinguish the
//! two.

mod branches;
mod feed;
mod files;
mod grants;
mod interactions;
mod keys;
mod refusal;
mod search;
mod sessions;
mod transfer;
mod turns;
mod unfinished;
mod usage;

use turnkit_core::{Scope, UserId};

pub(crate) use feed::Feed;
pub(crate) use interactions::DecisionResult;
pub(crate) use turns::{Runner, StartedTurn};

pub(crate) use crate::remote::{FeedItem, Session};

use crate::args::Place;
use crate::config::{Resolved, api_key, load};
use crate::failure::Failure;
use crate::remote::Client;
use crate::terminal::remark;
use crate::wiring::{Installation, Opened};

/// The data of an installation.
pub(crate) enum Data {
    /// Data that this process has opened.
    Local(Box<Installation>),
    /// Data on a server.
    Remote(Client),
}

impl Data {
    /// Returns the data in this place, or that of the server that has locked it. Returns `None` if no data exists.
    pub(crate) fn existing(place: &Place) -> Result<Option<Self>, Failure> {
        let mut resolved = load(place)?;
        let notice = resolved.data_notice.take();
        let opened = Installation::open_existing(resolved, place.data.as_deref())?;
        announce(notice);
        opened.map(Self::try_from).transpose()
    }

    /// Returns the data in this place for a command that contacts no provider, or that of the server that has locked
    /// it. Returns `None` if no data exists.
    pub(crate) fn to_replay(mut resolved: Resolved, place: &Place) -> Result<Option<Self>, Failure> {
        let notice = resolved.data_notice.take();
        let opened = Installation::open_to_replay(resolved, place.data.as_deref())?;
        announce(notice);
        opened.map(Self::try_from).transpose()
    }

    /// Returns the data in this place, or that of the server that has locked it. Creates the data if it does not exist.
    pub(crate) fn open_or_create(mut resolved: Resolved, place: &Place) -> Result<Self, Failure> {
        let notice = resolved.data_notice.take();
        let opened = Installation::open_or_remote(resolved, place.data.as_deref())?;
        announce(notice);
        opened.try_into()
    }

    /// Returns the data of the server at `url`.
    pub(crate) fn of_server(url: &str) -> Result<Self, Failure> {
        Ok(Self::Remote(Client::for_url(url, api_key())?))
    }

    /// Returns the data of the server at `url`; without a URL, the same as [`existing`](Self::existing).
    pub(crate) fn open(place: &Place, server: Option<&str>) -> Result<Option<Self>, Failure> {
        match server {
            Some(url) => Self::of_server(url).map(Some),
            None => Self::existing(place),
        }
    }
}

/// Prints the notice about the location of the data. Callers print it after opening has succeeded.
fn announce(notice: Option<String>) {
    notice.iter().for_each(|notice| remark(notice));
}

/// Returns the scope of the requested data: that of the operator of this machine, unless another user is named.
fn scope_of(installation: &Installation, user: Option<&str>) -> Scope {
    let own = &installation.scope;
    user.map_or_else(|| own.clone(), |user| Scope { tenant: own.tenant.clone(), user: UserId(user.into()) })
}

impl Data {
    /// Returns the runner of turns for this data.
    pub(crate) fn runner(&self) -> Runner {
        match self {
            Self::Local(installation) => {
                Runner::Local { service: installation.service(), scope: installation.scope.clone() }
            }
            Self::Remote(client) => Runner::Remote(client.clone()),
        }
    }
}

impl TryFrom<Opened> for Data {
    type Error = Failure;

    fn try_from(opened: Opened) -> Result<Self, Failure> {
        match opened {
            Opened::Local(installation) => Ok(Self::Local(installation)),
            Opened::Remote(directory, server) => Ok(Self::Remote(Client::of_directory(directory, server)?)),
        }
    }
}
