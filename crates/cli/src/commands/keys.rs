//! `turnkit keys`: the API keys of a server.

use std::process::ExitCode;

use serde_json::json;
use turnkit_server::{KeyBody, NewKey};

use crate::args::{Keys, Place};
use crate::config::load;
use crate::data::Data;
use crate::failure::Failure;
use crate::terminal::{line, remark};

pub(crate) async fn run(place: &Place, command: &Keys) -> Result<ExitCode, Failure> {
    match command {
        Keys::Create { name, user, scopes, json } => {
            let new = NewKey { name: name.clone(), user: user.clone(), scopes: scopes.clone() };
            create(place, new, *json).await
        }
        Keys::Ls { json } => {
            let keys = match Data::existing(place)? {
                Some(data) => data.keys().await?,
                None => Vec::new(),
            };
            print_list(&keys, *json)
        }
        Keys::Revoke { key } => {
            let data = Data::existing(place)?;
            let Some(data) = data else { return Err(Failure::Failed(format!("there is no key {key}"))) };
            data.revoke_key(*key).await?;
            remark(&format!("revoked key {key}"));
            Ok(())
        }
    }?;
    Ok(ExitCode::SUCCESS)
}

/// Creates a key, and the data if it does not exist yet.
async fn create(place: &Place, new: NewKey, json: bool) -> Result<(), Failure> {
    let made = Data::open_or_create(load(place)?, place)?.create_key(new).await?;
    if json {
        return print(&json!(made).to_string());
    }
    remark(&format!("key {} for {}; it is shown this once:", made.id, made.user));
    print(&made.key)
}

fn print_list(keys: &[KeyBody], json: bool) -> Result<(), Failure> {
    if json {
        return print(&json!({ "data": keys, "next": null }).to_string());
    }
    if keys.is_empty() {
        remark("no keys yet; `turnkit keys create NAME` makes one");
    }
    for KeyBody { id, name, user, scopes, created_at, revoked_at } in keys {
        let revoked = revoked_at.map_or_else(String::new, |at| format!("  revoked {at}"));
        let scopes = scopes.join(" ");
        print(&format!("{id}  {created_at}  {user}  {scopes}  {name}{revoked}"))?;
    }
    Ok(())
}

fn print(text: &str) -> Result<(), Failure> {
    line(text).map_err(|error| Failure::of_output(&error))
}
