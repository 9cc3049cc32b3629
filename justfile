# List the recipes.
default:
    @just --list

# Formatting, lints, documentation, layers, sizes, licences, spelling; or one check by its name.
check *name:
    cargo xtask check {{name}}

# Every test, or those whose names hold the filter.
test *filter:
    cargo xtask test {{filter}}

# Kill the server at each point in turn, and judge what it leaves.
chaos kills="1000":
    cargo xtask chaos --kills {{kills}}

# Feed decoders with what nobody thought of, each for some seconds.
fuzz seconds="60":
    cargo xtask fuzz --seconds {{seconds}}

# Ask one question.
chat question:
    cargo run --release -- chat -p {{quote(question)}}

# Format everything.
fmt:
    cargo fmt --all

# The documentation of all crates, in the browser.
doc:
    cargo doc --workspace --lib --no-deps --open
