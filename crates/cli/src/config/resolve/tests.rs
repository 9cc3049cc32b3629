use std::path::PathBuf;

use crate::config::schema::Environment;
use crate::config::source::Source;
use crate::config::{Api, Config, ConfigError};

fn environment(pairs: &[(&str, &str)]) -> Environment {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

fn resolve(text: &str, environment: &Environment) -> Result<Config, ConfigError> {
    let source = Source::new(Some((PathBuf::from("turnkit.toml"), text.to_owned())), environment);
    super::resolve(&source, environment, None)
}

fn complaint(text: &str, variables: &[(&str, &str)]) -> String {
    match resolve(text, &environment(variables)) {
        Ok(config) => panic!("accepted: {config:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn mistakes_name_file_line_and_remedy() {
    for (text, message) in [
        ("[store]\nurll = \"sqlite:x\"", "turnkit.toml:2: unknown key `urll`; did you mean `url`?"),
        ("\n[stroe]\nurl = \"x\"", "turnkit.toml:2: unknown key `stroe`; did you mean `store`?"),
        (
            "[[agents]]\nname = \"a\"\non_limit = \"stopp\"",
            "turnkit.toml:3: unknown value `stopp`; did you mean `stop`? expected one of stop, answer",
        ),
        (
            "[limits]\nmax_tool_calls = \"many\"",
            "turnkit.toml:2: invalid type: string \"many\", expected an integer from 0 to 4294967295",
        ),
        (
            "[limits]\nmax_tool_calls = -1",
            "turnkit.toml:2: invalid value: integer `-1`, expected an integer from 0 to 4294967295",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"offline\"\n[[providers]]\nid = \"a\"\napi = \"offline\"",
            "turnkit.toml:5: two providers are called `a`",
        ),
        (
            "[[prompts]]\nname = \"a\"\ntext = \"{{ day }}\"",
            "turnkit.toml:3: prompt `a`: the text is not a template: line 1: there is no value `day`; the \
             values are agent, mode, session.metadata, today, user",
        ),
        (
            "[[agents]]\nname = \"a\"\nmodes = { plan = \"{{ day }}\" }",
            "turnkit.toml:3: agent `a`: mode `plan`: the text is not a template: line 1: there is no value `day`; the \
             values are agent, mode, session.metadata, today, user",
        ),
        ("[[prompts]]\nname = \"a\"", "turnkit.toml:2: prompt `a` has neither `text` nor `file`"),
        (
            "[[prompts]]\nname = \"a\"\ntext = \"x\"\nfile = \"y\"",
            "turnkit.toml:4: prompt `a` has both `text` and `file`; keep one",
        ),
        (
            "[[prompts]]\nname = \"a\"\ntext = \"x\"\n[[prompts]]\nname = \"a\"\ntext = \"y\"",
            "turnkit.toml:5: two prompts are called `a`",
        ),
        (
            "[[agents]]\nname = \"a\"\ncontext.prune = \"never\"\ncontext.keep_results = 5",
            "turnkit.toml:4: agent `a` has both `keep_results` and `prune = \"never\"`; keep one",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"offline\"\n[[agents]]\nname = \"x\"\n\
             context = { compact_route = { provider = \"b\" } }",
            "turnkit.toml:6: agent `x`: there is no provider `b`; the providers are a",
        ),
        ("[[agents]]\nname = \"a\"\n[[agents]]\nname = \"a\"", "turnkit.toml:4: two agents are called `a`"),
        (
            "[[providers]]\nid = \"a\"\napi = \"openai-chat\"",
            "turnkit.toml:2: provider `a` needs a `base_url`, such as \"http://localhost:11434/v1\", or a `vendor`",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"offline\"\napi_key = \"${NO_SUCH}\"",
            "turnkit.toml:4: the environment variable NO_SUCH is not set; `$${NO_SUCH}` stands for the text itself",
        ),
        (
            "# \"${NO_SUCH}\"\n[[agents]]\nname = \"a\"\ninstructions = \"\"\"\nOne $${NO_SUCH}\nTwo ${NO_SUCH}\"\"\"",
            "turnkit.toml:6: the environment variable NO_SUCH is not set; `$${NO_SUCH}` stands for the text itself",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"offline\"\n[[agents]]\nname = \"a\"\ninstructions = \"x\"\n\
             instructions_file = \"y\"",
            "turnkit.toml:7: agent `a` has both `instructions` and `instructions_file`; keep one",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"offline\"\n[[agents]]\nname = \"x\"\nroute = { provider = \"b\" }",
            "turnkit.toml:6: agent `x`: there is no provider `b`; the providers are a",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"openai-chat\"\nbase_url = \"http://h/v1\"\nmodels = []",
            "turnkit.toml:5: provider `a` needs `models`, the first of which is the default",
        ),
        (
            "\n[[providers]]\nid = \"a\"\napi = \"openai-chat\"\nbase_url = \"http://h/v1\"",
            "turnkit.toml:2: provider `a` needs `models`, the first of which is the default",
        ),
        (
            "[[providers]]\nid = \"a\"\napi = \"openai-chat\"\nbase_url = \"localhost:11434\"\nmodels = [\"m\"]",
            "turnkit.toml:4: provider `a`: `base_url` is not an address, such as \"http://localhost:11434/v1\"",
        ),
        (
            "# calculators\n[[agents]]\nname = \"a\"\ntools = [\n  \"clock\",\n  \"calculators\",\n]",
            "turnkit.toml:6: agent `a`: there is no tool `calculators`; did you mean `calculator`?",
        ),
        ("[[agents]]\nname = \"a\"\nmax_rounds = 0", "turnkit.toml:3: invalid value: integer `0`, expected at least 1"),
        ("[tools]\nconcurrency = 0", "turnkit.toml:2: invalid value: integer `0`, expected at least 1"),
        ("[tools]\ntimeout_s = 0", "turnkit.toml:2: invalid value: integer `0`, expected at least 1"),
        ("[tools]\nresult_max_chars = 0", "turnkit.toml:2: invalid value: integer `0`, expected at least 1"),
        ("[limits]\nturn_deadline_s = 0", "turnkit.toml:2: invalid value: integer `0`, expected at least 1"),
        ("[worker]\nslots = 0", "turnkit.toml:2: invalid value: integer `0`, expected at least 1"),
    ] {
        assert_eq!(complaint(text, &[]), message, "for {text:?}");
    }
}

#[test]
fn syntax_errors_name_the_line() {
    assert!(complaint("[store]\nurl = ", &[]).starts_with("turnkit.toml:2: "));
}

#[test]
fn a_wrong_variable_is_named() {
    let message = complaint("", &[("TURNKIT_STORE__URLL", "sqlite:x")]);
    assert_eq!(message, "environment variable TURNKIT_STORE__URLL: unknown key `urll`; did you mean `url`?");
}

#[test]
fn a_variable_with_an_invalid_zero_is_named() {
    for (name, message) in [
        ("TURNKIT_TOOLS__CONCURRENCY", "invalid value: integer `0`, expected at least 1"),
        ("TURNKIT_WORKER__SLOTS", "invalid value: integer `0`, expected at least 1"),
    ] {
        assert_eq!(complaint("", &[(name, "0")]), format!("environment variable {name}: {message}"));
    }
}

#[test]
fn errors_found_by_wiring_name_their_line() {
    let text = "[store]\n# url = \"x\"\nurl = \"postgres:x\"".to_owned();
    let source = Source::new(Some((PathBuf::from("turnkit.toml"), text.clone())), &environment(&[]));
    assert_eq!(source.complaint("store.url", "no").to_string(), "turnkit.toml:3: no");
    let overridden = environment(&[("TURNKIT_STORE__URL", "postgres:y")]);
    let source = Source::new(Some((PathBuf::from("turnkit.toml"), text)), &overridden);
    assert_eq!(source.complaint("store.url", "no").to_string(), "environment variable TURNKIT_STORE__URL: no");
}

#[test]
fn a_doubled_dollar_keeps_the_text() {
    let file = "[[agents]]\nname = \"a\"\ninstructions = \"Say $${NAME}, not ${NAME}; $5 ${\"";
    let config = resolve(file, &environment(&[("NAME", "Ada")])).expect("valid");
    assert_eq!(config.agents[0].instructions.as_deref(), Some("Say ${NAME}, not Ada; $5 ${"));
}

#[test]
fn the_environment_wins_over_the_file_and_the_file_over_the_defaults() {
    let file = "[limits]\nturn_deadline_s = 5\nmax_tool_calls = 7";
    let variables = environment(&[("TURNKIT_LIMITS__MAX_TOOL_CALLS", "9"), ("TURNKIT_MODEL", "ignored here")]);
    let config = resolve(file, &variables).expect("valid");
    assert_eq!((config.limits.turn_deadline_s, config.limits.max_tool_calls, config.tools.timeout_s), (5, 9, 30));
}

#[test]
fn only_secret_keys_may_name_a_variable_that_is_not_set() {
    let provider = |setting: &str| {
        let rest = "api = \"openai-chat\"\nmodels = [\"m\"]";
        format!("[[providers]]\nid = \"a\"\n{setting}\n{rest}\n")
    };
    let resolve = |text: &str| {
        let source = Source::new(Some((PathBuf::from("turnkit.toml"), text.to_owned())), &environment(&[]));
        super::resolve(&source, &environment(&[]), Some("unset"))
    };
    let address = "base_url = \"http://h/v1\"\n";
    for setting in [
        "api_key = \"${GONE}\"",
        "headers = { x-team = \"${GONE}\", x-price = \"$${GONE}\" }",
        "body = { user = { id = [\"${GONE}\"] } }",
    ] {
        let config = resolve(&provider(&format!("{address}{setting}"))).expect("valid");
        let provider = &config.providers[0];
        let headers: Vec<&str> = provider.headers.values().map(|header| header.0.as_str()).collect();
        let key = provider.api_key.as_ref().map(|key| key.0.as_str());
        match setting.split(' ').next() {
            Some("api_key") => assert_eq!(key, Some("unset")),
            Some("headers") => assert_eq!(headers, ["${GONE}", "unset"]),
            _ => assert_eq!(provider.body["user"]["id"][0], "unset"),
        }
    }
    let message = "the environment variable GONE is not set; `$${GONE}` stands for the text itself";
    for (text, line) in [
        (provider("base_url = \"${GONE}\""), 3),
        (provider("base_url = \"http://h/v1\"\ntags = [\"${GONE}\"]"), 4),
        (format!("{}[[agents]]\nname = \"${{GONE}}\"", provider(address)), 8),
    ] {
        assert_eq!(resolve(&text).unwrap_err().to_string(), format!("turnkit.toml:{line}: {message}"), "for {text:?}");
    }
}

#[test]
fn credentials_of_mcp_servers_may_be_unset_but_not_their_addresses() {
    let resolve = |text: &str| {
        let source = Source::new(Some((PathBuf::from("turnkit.toml"), text.to_owned())), &environment(&[]));
        super::resolve(&source, &environment(&[]), Some("unset"))
    };
    let server = |setting: &str| format!("[[mcp]]\nname = \"a\"\nurl = \"https://h/mcp\"\n{setting}\n");
    let client = "type = \"client_credentials\", client_id = \"${GONE}\", client_secret = \"${GONE}\"";
    for setting in [
        "headers = { x-key = \"${GONE}\", x-user = \"{user}\" }".to_owned(),
        "auth = { type = \"bearer\", token = \"${GONE}\" }".to_owned(),
        format!("auth = {{ {client}, audience = \"b\", token_url = \"https://i/token\" }}"),
    ] {
        assert!(resolve(&server(&setting)).is_ok(), "{setting}");
    }
    let message = "the environment variable GONE is not set; `$${GONE}` stands for the text itself";
    for (text, line) in [
        (server(&format!("auth = {{ {client}, token_url = \"${{GONE}}\" }}")), 4),
        (server(&format!("auth = {{ {client}, issuer = \"${{GONE}}\" }}")), 4),
        ("[[mcp]]\nname = \"a\"\nurl = \"${GONE}\"\n".to_owned(), 3),
        ("[[mcp]]\nname = \"a\"\ncommand = [\"${GONE}\"]\n".to_owned(), 3),
    ] {
        assert_eq!(resolve(&text).unwrap_err().to_string(), format!("turnkit.toml:{line}: {message}"), "for {text:?}");
    }
}

#[test]
fn secrets_of_mcp_servers_are_not_shown() {
    let file = "[[mcp]]\nname = \"a\"\ncommand = [\"x\"]\nenv = { KEY = \"hidden-1\" }\n[[mcp]]\nname = \"b\"\n\
                url = \"https://h/\"\nheaders = { x-key = \"hidden-2\" }\nauth = { type = \"client_credentials\", \
                client_id = \"c\", client_secret = \"hidden-3\", issuer = \"https://i\" }\n[[mcp]]\nname = \"c\"\n\
                url = \"https://h/\"\nauth = { type = \"basic\", user = \"me\", password = \"hidden-4\" }\n";
    let config = resolve(file, &environment(&[])).expect("valid");
    assert_eq!(config.mcp.len(), 3);
    assert!(!format!("{config:?}").contains("hidden"));
}

#[test]
fn the_shape_of_an_answer_may_come_from_the_environment() {
    let file = "[[agents]]\nname = \"a\"\noutput_schema = \"${SHAPE}\"";
    let shape = r#"{"type":"object","properties":{"sum":{"type":"number"}}}"#;
    let config = resolve(file, &environment(&[("SHAPE", shape)])).expect("valid");
    assert_eq!(config.agents[0].shape.as_ref().map(|shape| shape.schema.get()), Some(shape));
    let message = complaint(file, &[("SHAPE", "[]")]);
    assert!(message.starts_with("turnkit.toml:3: `output_schema` "), "{message}");
}

#[test]
fn variables_expand_in_strings_and_secrets_are_not_shown() {
    let file = "[[providers]]\nid = \"main\"\napi = \"openai-chat\"\nbase_url = \"http://${HOST}/v1\"\napi_key = \"${KEY}\"\nmodels = [\"m\"]";
    let variables = environment(&[("HOST", "localhost:1"), ("KEY", "hidden-value")]);
    let config = resolve(file, &variables).expect("valid");
    assert_eq!(config.providers[0].base_url.as_deref(), Some("http://localhost:1/v1"));
    assert_eq!(config.providers[0].api, Some(Api::OpenaiChat));
    assert!(!format!("{config:?}").contains("hidden-value"));
}

/// Every key of the template, commented out or not, is a valid key.
#[test]
fn the_template_of_init_is_valid_with_every_key_uncommented() {
    let template = include_str!("../../../templates/turnkit.toml");
    let keys = |line: &str| line.starts_with("# ") && line.contains(" = ") || line.starts_with("# [");
    let bare: String = template
        .lines()
        // `instructions_file` replaces them.
        .filter(|line| !line.starts_with("instructions = "))
        .map(|line| if keys(line) { format!("{}\n", &line[2..]) } else { format!("{line}\n") })
        .collect();
    let variables = environment(&[("OPENAI_API_KEY", "k"), ("TICKETS_TOKEN", "t")]);
    for text in [template, &bare] {
        if let Err(error) = resolve(text, &variables) {
            panic!("{error}\n{text}");
        }
    }
}
