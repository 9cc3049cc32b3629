//! Export and import of sessions, local or on a server.

use std::io::{self, Read};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use turnkit_core::ports::BoxStream;
use turnkit_core::{SessionId, StoreError};
use turnkit_engine::{ExportFormat, ImportError};

use super::{Data, Session};
use crate::failure::Failure;

/// The largest piece of a file that is read at once, in bytes.
const PIECE_BYTES: u64 = 64 * 1024;

/// The text of an export, as it arrives.
pub(crate) type Export = BoxStream<'static, Result<Vec<u8>, Failure>>;

impl Data {
    /// Returns a session as text.
    pub(crate) async fn export(&self, session: SessionId, format: ExportFormat) -> Result<Export, Failure> {
        match self {
            Self::Local(installation) => {
                let text = installation.service().export(&installation.scope, session, format).await?;
                Ok(text.map_ok(Vec::from).map_err(Failure::from).boxed())
            }
            Self::Remote(client) => Ok(client.export(session, format).await?.map_err(Failure::from).boxed()),
        }
    }

    /// Creates a session from the lines of an export.
    pub(crate) async fn import(&self, lines: Box<dyn Read + Send>) -> Result<Session, Failure> {
        match self {
            Self::Local(installation) => {
                let limit = installation.resolved.config.files.upload_bytes as u64;
                let content = stream::try_unfold(lines, async |mut lines| match piece(&mut lines) {
                    Ok(piece) if piece.is_empty() => Ok(None),
                    Ok(piece) => Ok(Some((piece.into(), lines))),
                    Err(error) => Err(StoreError::Unavailable(format!("cannot read the export: {error}"))),
                });
                let made = installation.service().import(&installation.scope, content.boxed(), limit).await;
                made.map(Session::from).map_err(|error| match error {
                    ImportError::Store(error) => error.into(),
                    wrong => Failure::Usage(wrong.to_string()),
                })
            }
            Self::Remote(client) => {
                let (mut lines, mut whole) = (lines, Vec::new());
                let read = lines.read_to_end(&mut whole);
                read.map_err(|error| Failure::Failed(format!("cannot read the export: {error}")))?;
                Ok(client.import(whole).await?)
            }
        }
    }
}

fn piece(lines: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut piece = Vec::new();
    lines.take(PIECE_BYTES).read_to_end(&mut piece)?;
    Ok(piece)
}
