//! Runs the examples of the documentation against the server.
//!
//! The `sh` blocks with requests to the server run in one shell per page. Each must print the `text` block after it;
//! ids, times and durations may differ. If the tests are built with `TURNKIT_RENEW=1`, the output is written into the
//! page instead. The server of `docs/http.md` has the configuration that this page shows first.

use tokio::process::Command;

use super::page::{ADDRESS, Page, comparable};
use crate::program::named_by;
use crate::server::Server;

/// Separates the output of one example from that of the next.
const MARK: &str = "--- the next example ---";

#[tokio::test]
async fn the_examples_of_the_http_page_print_the_documented_output() {
    let server = Server::offline_with(Page::read("docs/http.md").configuration()).await;
    prints_documented_output("docs/http.md", &server).await;
}

#[tokio::test]
async fn the_examples_of_the_page_about_serving_print_the_documented_output() {
    prints_documented_output("docs/serve.md", &Server::offline().await).await;
}

#[tokio::test]
async fn the_examples_of_the_readme_print_the_documented_output() {
    prints_documented_output("README.md", &Server::offline().await).await;
}

async fn prints_documented_output(path: &str, server: &Server) {
    if named_by("TURNKIT_CURL").is_none() {
        return;
    }
    let mut page = Page::read(path);
    let printed = run(&page.scripts(), server).await;
    if option_env!("TURNKIT_RENEW").is_some() {
        return page.renew(&printed);
    }
    assert!(!page.examples.is_empty(), "{path} has no example");
    for (example, printed) in page.examples.iter().zip(&printed) {
        let (printed, wanted) = (comparable(printed), comparable(&example.output));
        assert_eq!(printed, wanted, "{path}: this prints something else:\n{}", example.script);
    }
}

/// Runs the scripts in one shell, so that later scripts see the variables of earlier ones. Returns the output of each.
async fn run(scripts: &[&str], server: &Server) -> Vec<String> {
    let whole = scripts.join(&format!("\necho '{MARK}'\n")).replace(ADDRESS, &server.url(""));
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("sh").args(["-eu", "-c", &whole]).current_dir(folder.path()).output().await.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    printed.split(MARK).map(|part| part.trim().to_owned()).collect()
}
