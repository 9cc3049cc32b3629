//! Converts the files of vendors and models to JSON, which a program parses at its start in a quarter of the time.

#![expect(clippy::disallowed_methods, reason = "cargo says there where to write")]

use std::error::Error;
use std::path::Path;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = env::var("OUT_DIR")?;
    for name in ["models", "vendors"] {
        let source = format!("{name}.toml");
        println!("cargo:rerun-if-changed={source}");
        let content: serde_json::Value = toml::from_str(&fs::read_to_string(source)?)?;
        fs::write(Path::new(&out).join(format!("{name}.json")), content.to_string())?;
    }
    Ok(())
}
