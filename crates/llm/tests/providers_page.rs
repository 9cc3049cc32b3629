//! Generates `docs/providers.md` from the data about vendors and models.

use std::fs;
use std::path::Path;

use turnkit_llm::Wire;
use turnkit_llm::vendors::{self, VendorEndpoint, VendorProfile};

const HEAD: &str = "\
# Providers

This page is generated from `crates/llm/vendors.toml`; a test fails if they differ. `vendor = \"NAME\"` in a
`[[providers]]` table of `turnkit.toml` selects an entry. `api` selects one of its wires; the default is the first.
`base_url`, `headers` and `body` of the table override the values on this page. Words in braces in an address come from
`settings`, such as `settings = { resource = \"mine\" }`. A vendor that is not listed needs no entry: set `api` and
`base_url`.

Google credentials are those of a service account, whose file `credentials` names, or the credentials of the machine:
`GOOGLE_APPLICATION_CREDENTIALS`, `gcloud auth application-default login`, the account of a cloud machine.

## What the wires carry

| | `openai-chat` | `openai-responses` | `anthropic` | `gemini` |
|---|---|---|---|---|
| text, streamed or at once | yes | yes | yes | yes |
| tool calls, several at a time | yes | yes | yes | yes |
| reasoning and calls inside the text | with `think_tags`, `text_calls` | the same | the same | the same |
| reasoning that is sent back unchanged | where the vendor signs or names it | yes | yes | yes |
| pictures and documents in | yes | yes | yes | yes |
| answers of a given shape | its JSON Schema, or JSON and the schema in words | its JSON Schema | its JSON Schema; in words for models before Claude 4.1 and elsewhere than at Anthropic | its JSON Schema; in words beside tools before Gemini 3 |
| pictures out | yes | yes | no | yes |
| tools the provider runs | no | yes | yes | yes |
| cache hints | automatic | automatic | set | automatic |
| usage | fresh, cached, output, reasoning | fresh, cached, output, reasoning | fresh, cached, written, output | fresh, cached, output, reasoning |

Servers of open models leave the reasoning of some models in the text, between `<think>` and `</think>`, and the calls
of others, as in `<tool_call>{\"name\":…}</tool_call>`. `think_tags = \"paired\"`, on a provider or on a model in its
`models_detail`, turns the first into reasoning (`\"closing\"` if the opening tag is in the prompt). `text_calls = true`
turns the second into calls. Vendors in the table with `think_tags` do the first unless it is set to `\"off\"`. Text that
only resembles either stays text. A call that is also present outside the text runs once.

A request without tools contains neither calls nor results of earlier answers. An answer that Anthropic pauses
(`pause_turn`) is continued in the next step; pauses count as tool rounds.

A model whose name turnkit does not know gets requests like the newest models of its wire. For an older model behind a
custom name, set the differences in its `models_detail`: `thinking_form`, `max_output` and `max_thinking`,
`capabilities`, `structured_output_with_tools`, `needs_signatures`, `temperature` and `stop`. `crates/llm/models.toml`
lists the facts about each model.

`output_schema`, the JSON Schema of an object as a text, gives an agent's answers a shape; `output_schema_file` names a
file with it beside `turnkit.toml`. `${NAME}` in the text stands for an environment variable, as everywhere. Programs
that read the answers must still check them: not every provider can enforce a shape, and an answer may be cut.

## An answer that is read wrongly

`turnkit wire decode --api WIRE FILE` prints how turnkit reads the recorded body of an answer, as one JSON object, and
`turnkit wire encode --api WIRE FILE` prints the body that a provider is sent for a request. Neither contacts a
provider. The body, the output of `decode` and the expected result make a complete bug report. `usage` counts as the
provider does: OpenAI and Google have cached tokens inside `input`, Anthropic beside it. A refusal is part of `text`, a
call without an id is given one, and a failure includes the text before it and the complete calls.

## Vendors

| `vendor` | | `api` and address | credentials | default model, if only its key is set |
|---|---|---|---|---|
";

#[test]
fn the_providers_page_matches_the_data() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/providers.md");
    let page = format!("{HEAD}{}", vendors::all().iter().map(row).collect::<String>());
    if fs::read_to_string(&file).unwrap_or_default() != page {
        fs::write(file.with_extension("md.new"), page).unwrap();
        panic!("docs/providers.md is stale: docs/providers.md.new is what the data says");
    }
}

fn row(vendor: &VendorProfile) -> String {
    let endpoints: Vec<String> = vendor.endpoints.iter().map(|endpoint| place(vendor, endpoint)).collect();
    let code = |text: &Option<String>| text.as_ref().map(|text| format!("`{text}`")).unwrap_or_default();
    let search = if vendor.web_search.is_some() { "; `web_search`" } else { "" };
    let think = if vendor.think_tags.is_some() { "; `think_tags`" } else { "" };
    let key = if vendor.google_credentials { "Google credentials".to_owned() } else { code(&vendor.key_variable) };
    let (name, title, endpoints) = (&vendor.name, &vendor.title, endpoints.join("<br>"));
    format!("| `{name}` | {title}{search}{think} | {endpoints} | {key} | {} |\n", code(&vendor.model))
}

fn place(vendor: &VendorProfile, endpoint: &VendorEndpoint) -> String {
    let needed: Vec<&str> = vendor.needed_settings(endpoint).collect();
    let needs = if needed.is_empty() { String::new() } else { format!(", with `{}`", needed.join("`, `")) };
    format!("`{}` at `{}`{needs}", Wire::name(endpoint.api), endpoint.base_url)
}
