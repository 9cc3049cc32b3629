//! Turns that survive the process. Start the program, kill it in the middle of a turn and start it again. It stores its
//! data in the folder that is named on the command line.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use std::path::PathBuf;
use std::time::Duration;

use turnkit::{Agent, Turnkit};

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args_os().nth(1).map_or_else(|| "turnkit-durable".into(), PathBuf::from);
    let url = format!("sqlite:{}", folder.join("turnkit.db").display());
    let agent = Agent::new("offline").instructions("Be brief.");
    let turnkit = Turnkit::open(url).agent("assistant", agent).await?; // unfinished turns continue

    let diary = turnkit.session("diary")?;
    while let Some(unfinished) = diary.follow().await? {
        unfinished.finish().await?;
    }
    // A turn may also have ended before it was followed.
    if let Some(last) = diary.messages().await?.last() {
        println!("so far: {}", last.text());
    }
    let answer = diary.ask("Hello again.").await?; // stored before the model is called
    println!("{answer}");
    println!("[{} messages]", diary.messages().await?.len());
    turnkit.close(Duration::from_secs(5)).await;
    Ok(())
}
