//! A call of every tool of every server, and what it returns. The calls of a server build on each other.

use crate::servers::Server;

/// A call of a tool.
pub(crate) struct Step {
    pub(crate) tool: &'static str,
    /// The arguments, in which `{files}` and `{repository}` stand for folders.
    pub(crate) arguments: &'static str,
    pub(crate) expected: Expected,
}

/// What a call returns.
pub(crate) enum Expected {
    /// A result with these texts.
    Shows(&'static [&'static str]),
    /// An error with this text.
    Fails(&'static str),
}

const fn shows(tool: &'static str, arguments: &'static str, texts: &'static [&'static str]) -> Step {
    Step { tool, arguments, expected: Expected::Shows(texts) }
}

const fn fails(tool: &'static str, arguments: &'static str, text: &'static str) -> Step {
    Step { tool, arguments, expected: Expected::Fails(text) }
}

impl Server {
    /// Returns calls of all tools of the server.
    pub(crate) fn steps(self) -> &'static [Step] {
        match self {
            Self::Everything => EVERYTHING,
            Self::Filesystem => FILESYSTEM,
            Self::Memory => MEMORY,
            Self::Git => GIT,
            Self::Time => TIME,
            Self::Fetch => FETCH,
        }
    }
}

const EVERYTHING: &[Step] = &[
    shows("echo", r#"{"message":"hi ö 🦀"}"#, &["Echo: hi ö 🦀"]),
    shows(
        "get-annotated-message",
        r#"{"messageType":"error","includeImage":true}"#,
        &["Error: Operation failed", "[image, image/png, 4033 bytes]"],
    ),
    shows("get-env", "{}", &["\"PATH\""]),
    shows(
        "get-resource-links",
        r#"{"count":2}"#,
        &[
            "[link to Blob Resource 1: demo://resource/dynamic/blob/1]",
            "[link to Text Resource 2: demo://resource/dynamic/text/2]",
        ],
    ),
    shows(
        "get-resource-reference",
        r#"{"resourceType":"Text","resourceId":1}"#,
        &["[demo://resource/dynamic/text/1]\nResource 1: This is a plaintext resource"],
    ),
    shows(
        "get-resource-reference",
        r#"{"resourceType":"Blob","resourceId":2}"#,
        &["[file demo://resource/dynamic/blob/2, text/plain, ", " bytes: not shown]"],
    ),
    shows("get-structured-content", r#"{"location":"Chicago"}"#, &[r#""temperature":36"#]),
    shows("get-sum", r#"{"a":2,"b":3.5}"#, &["The sum of 2 and 3.5 is 5.5."]),
    fails("get-sum", r#"{"a":"two","b":3}"#, "expected number, received string"),
    shows(
        "get-tiny-image",
        "{}",
        &["Here's the image you requested:\n[image, image/png, 4033 bytes]\nThe image above"],
    ),
    shows(
        "gzip-file-as-resource",
        r#"{"name":"a.gz","data":"data:text/plain;base64,aGVsbG8=","outputType":"resource"}"#,
        &["[file demo://resource/session/a.gz, application/gzip, "],
    ),
    shows(
        "gzip-file-as-resource",
        r#"{"name":"a.gz","data":"data:text/plain;base64,aGVsbG8=","outputType":"resourceLink"}"#,
        &["[link to a.gz: demo://resource/session/a.gz]"],
    ),
    shows("toggle-simulated-logging", "{}", &["Started simulated, random-leveled logging"]),
    shows("toggle-subscriber-updates", "{}", &["Started simulated resource updated notifications"]),
    shows(
        "trigger-long-running-operation",
        r#"{"duration":0.2,"steps":4}"#,
        &["Long running operation completed. Duration: 0.2 seconds, Steps: 4."],
    ),
    // It runs only for clients with the capability `tasks`, which turnkit does not declare.
    fails("simulate-research-query", r#"{"topic":"x"}"#, "requires task augmentation"),
];

const FILESYSTEM: &[Step] = &[
    shows("list_allowed_directories", "{}", &["Allowed directories:\n", "/files"]),
    shows("read_file", r#"{"path":"{files}/a.txt"}"#, &["hello\nworld"]),
    shows("read_text_file", r#"{"path":"{files}/a.txt","head":1}"#, &["hello"]),
    fails("read_text_file", r#"{"path":"/etc/hosts"}"#, "Access denied - path outside allowed directories"),
    shows("read_media_file", r#"{"path":"{files}/a.png"}"#, &["[image, image/png, 8 bytes]"]),
    shows(
        "read_multiple_files",
        r#"{"paths":["{files}/a.txt","{files}/none"]}"#,
        &["a.txt:\nhello\nworld", "none: Error - ENOENT"],
    ),
    shows("write_file", r#"{"path":"{files}/b.txt","content":"one\ntwo"}"#, &["Successfully wrote to"]),
    shows(
        "edit_file",
        r#"{"path":"{files}/b.txt","edits":[{"oldText":"two","newText":"three"}]}"#,
        &["-two", "+three"],
    ),
    shows("create_directory", r#"{"path":"{files}/inner"}"#, &["Successfully created directory"]),
    shows("move_file", r#"{"source":"{files}/b.txt","destination":"{files}/inner/c.txt"}"#, &["Successfully moved"]),
    shows("list_directory", r#"{"path":"{files}"}"#, &["[FILE] a.png\n[FILE] a.txt\n[DIR] inner"]),
    shows(
        "list_directory_with_sizes",
        r#"{"path":"{files}"}"#,
        &["Total: 2 files, 1 directories\nCombined size: 20 B"],
    ),
    shows("directory_tree", r#"{"path":"{files}"}"#, &[r#""name": "inner""#, r#""name": "c.txt""#]),
    shows("search_files", r#"{"path":"{files}","pattern":"**/*.txt"}"#, &["/a.txt\n", "/inner/c.txt"]),
    shows("get_file_info", r#"{"path":"{files}/inner/c.txt"}"#, &["size: 9\n", "isFile: true"]),
];

const MEMORY: &[Step] = &[
    shows(
        "create_entities",
        r#"{"entities":[{"name":"Ada","entityType":"person","observations":["writes"]},
            {"name":"Bob","entityType":"person","observations":[]}]}"#,
        &[r#""name": "Ada""#],
    ),
    shows(
        "create_relations",
        r#"{"relations":[{"from":"Ada","to":"Bob","relationType":"knows"}]}"#,
        &[r#""relationType": "knows""#],
    ),
    shows(
        "add_observations",
        r#"{"observations":[{"entityName":"Ada","contents":["reads"]}]}"#,
        &[r#""addedObservations": ["#],
    ),
    fails("add_observations", r#"{"observations":[{"entityName":"Eve","contents":["reads"]}]}"#, "Eve"),
    shows("read_graph", "{}", &[r#""writes""#, r#""reads""#, r#""knows""#]),
    shows("search_nodes", r#"{"query":"reads"}"#, &[r#""name": "Ada""#]),
    shows("open_nodes", r#"{"names":["Bob"]}"#, &[r#""name": "Bob""#]),
    shows(
        "delete_observations",
        r#"{"deletions":[{"entityName":"Ada","observations":["reads"]}]}"#,
        &["Observations deleted successfully"],
    ),
    shows(
        "delete_relations",
        r#"{"relations":[{"from":"Ada","to":"Bob","relationType":"knows"}]}"#,
        &["Relations deleted successfully"],
    ),
    shows("delete_entities", r#"{"entityNames":["Ada","Bob"]}"#, &["Entities deleted successfully"]),
];

const GIT: &[Step] = &[
    shows("git_status", r#"{"repo_path":"{repository}"}"#, &["Changes not staged for commit", "poem"]),
    shows("git_diff_unstaged", r#"{"repo_path":"{repository}"}"#, &["Unstaged changes:", "+two"]),
    shows("git_add", r#"{"repo_path":"{repository}","files":["poem"]}"#, &["Files staged successfully"]),
    shows("git_diff_staged", r#"{"repo_path":"{repository}"}"#, &["Staged changes:", "+two"]),
    shows("git_reset", r#"{"repo_path":"{repository}"}"#, &["All staged changes reset"]),
    shows("git_add", r#"{"repo_path":"{repository}","files":["poem"]}"#, &["Files staged successfully"]),
    shows(
        "git_commit",
        r#"{"repo_path":"{repository}","message":"second"}"#,
        &["Changes committed successfully with hash "],
    ),
    shows("git_log", r#"{"repo_path":"{repository}","max_count":1}"#, &["Author: Ada", "Message: second"]),
    shows(
        "git_create_branch",
        r#"{"repo_path":"{repository}","branch_name":"side"}"#,
        &["Created branch 'side' from 'main'"],
    ),
    shows("git_checkout", r#"{"repo_path":"{repository}","branch_name":"side"}"#, &["Switched to branch 'side'"]),
    shows("git_branch", r#"{"repo_path":"{repository}","branch_type":"local"}"#, &["main", "* side"]),
    shows("git_show", r#"{"repo_path":"{repository}","revision":"HEAD"}"#, &["Ada <ada@example.com>", "+two"]),
    shows("git_diff", r#"{"repo_path":"{repository}","target":"HEAD~1"}"#, &["Diff with HEAD~1:", "+two"]),
    fails("git_log", r#"{"repo_path":"/nonexistent"}"#, "is outside the allowed repository"),
];

const TIME: &[Step] = &[
    shows("get_current_time", r#"{"timezone":"Europe/Paris"}"#, &[r#""timezone": "Europe/Paris""#]),
    fails("get_current_time", r#"{"timezone":"Nowhere"}"#, "No time zone found with key Nowhere"),
    shows(
        "convert_time",
        r#"{"source_timezone":"UTC","time":"12:00","target_timezone":"Asia/Tokyo"}"#,
        &["T12:00:00+00:00", "T21:00:00+09:00"],
    ),
];

// Nothing listens on this port. `results` fetches a page.
const FETCH: &[Step] = &[fails("fetch", r#"{"url":"http://127.0.0.1:1/"}"#, "Failed to fetch")];
