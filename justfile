# List the recipes.
default:
    @just --list

# Check formatting, lints, documentation, layers, sizes, licences, spelling; or run one check by its name.
check *name:
    cargo xtask check {{name}}

# Run every test, or the tests whose names contain the filter.
test *filter:
    cargo xtask test {{filter}}

# Kill the server at each crash point in turn, and check the state that it leaves.
chaos kills="1000":
    cargo xtask chaos --kills {{kills}}

# Fuzz each decoder for some seconds.
fuzz seconds="60":
    cargo xtask fuzz --seconds {{seconds}}

# Ask one question.
chat question:
    cargo run --release -- chat -p {{quote(question)}}

# Start the support desk example: its servers, and turnkit.
support-desk *arguments:
    cargo build
    cargo run -p support-desk -- {{arguments}}

# Format everything.
fmt:
    cargo fmt --all

# Open the documentation of all crates in the browser.
doc:
    cargo doc --workspace --lib --no-deps --open
