//! Programs that a model chooses, in the sandbox of this machine's kernel.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, symlink};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use turnkit_testkit::{FakeUpstream, Response};

use crate::support::{Outcome, Place, outcome};

/// The text that programs must not be able to read.
const SECRET: &str = "the secret";

/// Three folders: `root/` (programs may change it), `readable/` (they may read it), and `outside/` with a secret.
struct World {
    place: Place,
}

impl World {
    fn new() -> Self {
        let world = Self { place: Place::new() };
        for folder in ["root", "root/sub", "readable", "outside"] {
            fs::create_dir(world.at(folder)).unwrap();
        }
        fs::write(world.at("outside/secret"), SECRET).unwrap();
        fs::write(world.at("readable/text"), "readable").unwrap();
        fs::write(world.at("root/text"), "text").unwrap();
        symlink("../outside/secret", world.at("root/link")).unwrap();
        symlink("../outside", world.at("root/folder")).unwrap();
        world
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().canonicalize().unwrap().join(name)
    }

    /// Runs a command line in the sandbox, in the folder `root`.
    async fn run(&self, words: &[&str]) -> Outcome {
        let (root, readable) = (self.at("root"), self.at("readable"));
        let parent = std::process::id().to_string();
        let launch = ["launch", "--parent", &parent, "--root", text(&root), "--readable", text(&readable), "--"];
        let mut command = self.place.command(&[&launch, words].concat());
        command.process_group(0).current_dir(&root).env("PATH", "/usr/bin:/bin").env("OUT", self.at("outside"));
        outcome(command.spawn().unwrap()).await
    }

    async fn sh(&self, script: &str) -> Outcome {
        self.run(&["sh", "-c", script]).await
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[tokio::test]
async fn a_program_works_in_its_folders_as_it_would_outside() {
    let world = World::new();
    for (script, expected) in [
        ("cat text", "text"),
        ("cat \"$OUT/../readable/text\"", "readable"),
        ("echo new > sub/file && mv sub/file moved && cat moved && rm moved", "new\n"),
        ("mkdir d && ln text d/hard && ln -s ../text d/soft && cat d/hard d/soft && rm -r d", "texttext"),
        ("printf '#!/bin/sh\\necho script' > s && chmod +x s && ./s && rm s", "script\n"),
        ("echo a | tr a b > /dev/null; head -c 1 /dev/urandom | wc -c", "1\n"),
        ("sleep 0 & wait; id -u > id && rm id; echo $((1 + 1))", "2\n"),
        ("cat /proc/self/comm", "cat\n"),
    ] {
        let script = if script.starts_with("cat /proc") {
            script.replace("cat /proc", "exec cat /proc")
        } else {
            script.to_owned()
        };
        let ran = world.sh(&script).await;
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), expected), "{script}: {ran:?}");
    }
}

#[tokio::test]
async fn no_file_outside_of_its_folders_is_read_run_or_changed() {
    let world = World::new();
    let pid = std::process::id();
    let beside = world.at("outside/new");
    for script in [
        "cat \"$OUT/secret\"",
        "cat ../outside/secret",
        "cat link",
        "cat folder/secret",
        "cat /proc/self/root\"$OUT\"/secret",
        "exec cat /proc/self/root\"$OUT\"/secret",
        "exec cat /proc/self/cwd/../outside/secret",
        "ln \"$OUT/secret\" twin && cat twin",
        "ln -s \"$OUT/secret\" another && cat another",
        "mv \"$OUT/secret\" mine && cat mine",
        "cp \"$OUT/secret\" copy && cat copy",
        "ls \"$OUT\"",
        "ls folder/",
        "ls ..",
        "echo x > \"$OUT/secret\"",
        "echo x >> \"$OUT/secret\"",
        "echo x > link",
        "echo x > \"$OUT/new\"",
        "mkdir \"$OUT/new\"",
        "ln text \"$OUT/new\"",
        "ln -s text \"$OUT/new\"",
        "mv text \"$OUT/new\"",
        "mkfifo \"$OUT/new\"",
        "rm \"$OUT/secret\"",
        "rmdir \"$OUT\"",
        "perl -e 'truncate($ARGV[0], 0) or die $!' \"$OUT/secret\"",
        "echo x > ../readable/text",
        "rm ../readable/text",
        "cat /etc/shadow",
        "cat /etc/hostname",
        "ls /root",
        "ls /home",
        "ls /tmp",
        "ls /var",
        "ls /run",
        "ls /proc",
        "cat /dev/mem",
        "cat /dev/tty",
        "chroot . /bin/true",
        "unshare -Ur cat \"$OUT/secret\"",
        "mount -t tmpfs none sub",
        "mount --bind \"$OUT\" sub",
        &format!("cat /proc/{pid}/environ"),
        &format!("cat /proc/{pid}/cmdline"),
        &format!("ls /proc/{pid}/root/"),
        &format!("ls /proc/{pid}/fd"),
    ] {
        let ran = world.sh(script).await;
        assert!(ran.code != Some(0) && !ran.stdout.contains(SECRET), "{script}: {ran:?}");
        assert_eq!(fs::read_to_string(world.at("outside/secret")).unwrap(), SECRET, "{script}");
        assert!(!beside.exists() && fs::symlink_metadata(&beside).is_err(), "{script}");
    }
    assert_eq!(fs::read_to_string(world.at("readable/text")).unwrap(), "readable");
    assert_eq!(fs::metadata(world.at("outside/secret")).unwrap().nlink(), 1);
}

#[tokio::test]
async fn a_program_reaches_no_socket_and_no_other_process_and_cannot_leave_its_group() {
    let world = World::new();
    let (pid, group) = (std::process::id(), rustix::process::getpgrp().as_raw_nonzero());
    let call =
        |name: &str, number: i64| format!("syscall({number}, 0, 0, 0, 0, 0) == -1 and $!{{EPERM}} or die '{name}'");
    let mut scripts = vec![
        "use Socket; for my $f (AF_INET, AF_INET6, AF_UNIX, 16, 17, 40) { for my $t (SOCK_STREAM, SOCK_DGRAM, SOCK_RAW) \
         { socket(my $s, $f, $t, 0) and die \"$f $t\"; $!{EPERM} or die \"$f $t $!\" } }"
            .to_owned(),
        // Every type and family, with the flags of an open socket: non-blocking, and close-on-exec.
        "use Socket; for my $how (0, 04000, 02000000, 02004000) { for my $f (0, 1, 2, 10, 16, 30, 40) { for my $t (0 .. 15) \
         { next if $f == AF_UNIX && $t == SOCK_STREAM; socketpair(my $a, my $b, $f, $t | $how, 0) and die \"$f $t $how\"; \
         $!{EPERM} or die \"$f $t $how $!\" } } }"
            .to_owned(),
        "use Socket; for my $how (0, 04000, 02000000, 02004000) { socketpair(my $a, my $b, AF_UNIX, SOCK_STREAM | $how, 0) \
         or die $!; syswrite($a, 'x') == 1 or die }"
            .to_owned(),
        "use POSIX; my $p = fork // die; $p or exit((POSIX::setsid() // -1) == -1 ? 0 : 1); waitpid($p, 0); $? == 0 or die"
            .to_owned(),
        "fork == 0 and do { setpgrp(0, 0) and die; exit }; wait; $? == 0 or die 'setpgrp'".to_owned(),
        format!("kill(0, {pid}) and die 'signal'"),
        format!("kill(0, -{group}) and die 'signal to the group'"),
        "system('true') == 0 or die; my $p = fork // die; if (!$p) { sleep 100; exit } kill(9, $p) or die 'own child'".to_owned(),
    ];
    for (name, number) in [
        ("ptrace", libc::SYS_ptrace),
        ("io_uring_setup", libc::SYS_io_uring_setup),
        ("bpf", libc::SYS_bpf),
        ("keyctl", libc::SYS_keyctl),
        ("process_vm_readv", libc::SYS_process_vm_readv),
        ("unshare", libc::SYS_unshare),
        ("setns", libc::SYS_setns),
        ("open_tree", libc::SYS_open_tree),
        ("perf_event_open", libc::SYS_perf_event_open),
        ("shmget", libc::SYS_shmget),
        ("shmat", libc::SYS_shmat),
        ("shmctl", libc::SYS_shmctl),
        ("msgget", libc::SYS_msgget),
        ("msgsnd", libc::SYS_msgsnd),
        ("msgrcv", libc::SYS_msgrcv),
        ("msgctl", libc::SYS_msgctl),
        ("semget", libc::SYS_semget),
        ("semop", libc::SYS_semop),
        ("semtimedop", libc::SYS_semtimedop),
        ("semctl", libc::SYS_semctl),
        ("mq_open", libc::SYS_mq_open),
        ("mq_unlink", libc::SYS_mq_unlink),
    ] {
        scripts.push(call(name, number));
    }
    if cfg!(target_arch = "x86_64") {
        for (name, number) in
            [("socket of x32", libc::SYS_socket), ("shmget of x32", libc::SYS_shmget), ("ptrace of x32", 521)]
        {
            scripts.push(call(name, 0x4000_0000 + number));
        }
    }
    scripts.push(format!("syscall({}, {pid}, 7, 0, 0) == -1 or die 'limits of another'", libc::SYS_prlimit64));
    scripts.push(format!("syscall({}, 0, 7, 0, 0) == 0 or die 'own limits'", libc::SYS_prlimit64));
    for script in scripts {
        let ran = world.run(&["perl", "-e", &script]).await;
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{script}: {ran:?}");
    }
}

#[tokio::test]
async fn a_program_has_neither_rights_of_root_nor_room_for_any_number_of_processes() {
    let world = World::new();
    let status = world.run(&["cat", "/proc/self/status"]).await.stdout;
    for line in ["NoNewPrivs:\t1", "Seccomp:\t2", "CapEff:\t0000000000000000", "CapPrm:\t0000000000000000"] {
        assert!(status.contains(line), "{line}: {status}");
    }
    let limits = world.run(&["cat", "/proc/self/limits"]).await.stdout;
    let processes = limits.lines().find(|line| line.starts_with("Max processes")).unwrap();
    assert!(processes.split_whitespace().nth(2).unwrap().parse::<u64>().unwrap() <= 4096, "{processes}");
}

#[tokio::test]
async fn without_its_parent_or_a_folder_nothing_is_started() {
    let world = World::new();
    let parent = std::process::id().to_string();
    for (options, why) in [
        (&["--parent", "1"][..], "the process that started this has ended"),
        (&["--parent", &parent, "--root", "missing"], "there is no sandbox: missing: "),
    ] {
        let refused = world.place.run(&[&["launch"], options, &["--", "touch", "started"]].concat()).await;
        assert!(refused.code == Some(1) && refused.stderr.contains(why), "{refused:?}");
        assert!(!world.at("started").exists());
    }
}

const CONFIGURATION: &str = r#"
[[agents]]
name = "developer"
tools = ["*", "run_command"]

[tools.run_command]
roots = ["root", "second"]
env = { TOLD = "${TOLD}" }
PROGRAMS

[permissions]
rules = [{ tool = "run_command", argv = ["cat"], decision = "allow" }, { tool = "run_command", argv = ["ls", "/proc/self/fd"], decision = "allow" }, { tool = "run_command", argv = ["env"], decision = "deny" }]
"#;

fn configured(base_url: &str, programs: &str) -> Place {
    let place = Place::asking_at(base_url);
    let file = place.path().join("turnkit.toml");
    let configuration = fs::read_to_string(&file).unwrap() + &CONFIGURATION.replace("PROGRAMS", programs);
    fs::write(file, configuration).unwrap();
    for folder in ["root", "second"] {
        fs::create_dir(place.path().join(folder)).unwrap();
        fs::write(place.path().join(folder).join("name"), folder).unwrap();
    }
    symlink("../turnkit.toml", place.path().join("root/link")).unwrap();
    place
}

#[tokio::test]
async fn a_model_runs_programs_that_reach_only_the_folders() {
    // The descriptors that this process was started with, not those that turnkit opens: its data, sockets and pipes.
    let own =
        std::process::Command::new("ls").arg("/proc/self/fd").stdin(std::process::Stdio::null()).output().unwrap();
    let descriptors = String::from_utf8(own.stdout).unwrap();
    let commands = [
        (json!({ "program": "ls", "args": ["/proc/self/fd"] }), descriptors.as_str()),
        (json!({ "program": "cat", "args": ["name"] }), "root"),
        (json!({ "program": "cat", "args": ["name"], "cwd": "../second" }), "second"),
        (json!({ "program": "cat", "args": ["link"] }), "Permission denied"),
        (json!({ "program": "cat", "args": ["../turnkit.toml"] }), "Permission denied"),
        (json!({ "program": "cat", "args": ["../data/turnkit.db"] }), "Permission denied"),
        (json!({ "program": "cat", "args": ["name"], "cwd": ".." }), "is not in "),
        (json!({ "program": "cat", "args": ["name"], "cwd": "/" }), "is not in "),
        (json!({ "program": "ca\u{0}t" }), "NUL character"),
        (json!({ "program": "ls", "args": ["-l"] }), "no person can be asked"),
        (json!({ "program": "sh", "args": ["-c", "id"] }), "no person can be asked"),
    ];
    let replies =
        commands.iter().map(|(arguments, _)| Response::calls(&[("c", "run_command", &arguments.to_string())]));
    let upstream = FakeUpstream::start(replies.chain([Response::text("Done.")])).await.unwrap();
    let place = configured(&upstream.base_url(), "");
    let variables = [("TOLD", "told"), ("HIDDEN", "hidden"), ("PATH", "/usr/bin:/bin")];
    let done = outcome(place.command(&["chat", "-p", "Go"]).envs(variables).spawn().unwrap()).await;
    assert_eq!(done.code, Some(0), "{done:?}");
    let requests = upstream.requests();
    let messages = requests.last().unwrap().json()["messages"].as_array().unwrap().clone();
    let results: Vec<&str> = messages
        .iter()
        .filter(|message| message["role"] == "tool")
        .map(|message| message["content"].as_str().unwrap())
        .collect();
    assert_eq!(results.len(), commands.len(), "{results:?}");
    for ((arguments, expected), result) in commands.iter().zip(results) {
        assert!(result.contains(expected) && !result.contains("secret-key"), "{arguments}: {result}");
    }
    // An agent that does not name the tool does not have it.
    let file = place.path().join("turnkit.toml");
    fs::write(&file, fs::read_to_string(&file).unwrap().replace(", \"run_command\"]", "]")).unwrap();
    let explained = place.command(&["permissions", "explain", "run_command", "{}"]).env("TOLD", "x").spawn().unwrap();
    assert!(outcome(explained).await.stderr.contains("turnkit has this tool, but the agent does not list it"));
}

#[tokio::test]
async fn output_of_programs_is_untrusted_text_if_configured() {
    for (setting, expected) in [("", "root"), ("repeats = true", "no person can be asked")] {
        let reads = || Response::calls(&[("c", "run_command", r#"{"program":"cat","args":["name"]}"#)]);
        let upstream = FakeUpstream::start([reads(), reads(), Response::text("Done.")]).await.unwrap();
        let place = configured(&upstream.base_url(), setting);
        let variables = [("TOLD", "told"), ("PATH", "/usr/bin:/bin")];
        let done = outcome(place.command(&["chat", "-p", "Go"]).envs(variables).spawn().unwrap()).await;
        assert_eq!(done.code, Some(0), "{done:?}");
        let last = upstream.requests().last().unwrap().json()["messages"].as_array().unwrap().last().unwrap().clone();
        assert!(last["content"].as_str().unwrap().contains(expected), "{setting}: {last}");
    }
}

#[tokio::test]
async fn a_list_of_programs_and_rules_limit_the_programs_that_run() {
    let place = configured("http://127.0.0.1:1/v1", "programs = [\"cat\", \"env\", \"ls\"]");
    for (arguments, decision, because) in [
        (json!({ "program": "cat", "args": ["-n", "a b"] }), "allow", "rule 1 of the configuration allows it"),
        (json!({ "program": "env" }), "deny", "rule 3 of the configuration denies it"),
        (json!({ "program": "ls" }), "ask", "no rule matches it"),
        (json!({ "program": "/bin/cat" }), "deny", "`/bin/cat` is not allowed; allowed programs are cat, env, ls"),
        (json!({ "program": "sh" }), "deny", "`sh` is not allowed; allowed programs are cat, env, ls"),
        (json!({ "program": " " }), "deny", "`program` is empty"),
    ] {
        let explain = ["permissions", "explain", "run_command", &arguments.to_string(), "--json"];
        let explained = outcome(place.command(&explain).env("TOLD", "x").spawn().unwrap()).await;
        let found: Value = serde_json::from_str(&explained.stdout).unwrap_or_else(|_| panic!("{explained:?}"));
        assert!(found["decision"] == decision && found["because"].as_str().unwrap().contains(because), "{found}");
    }
    let doctor = outcome(place.command(&["doctor"]).env("TOLD", "x").spawn().unwrap()).await;
    assert!(doctor.stdout.contains("programs of `run_command` run in a sandbox"), "{doctor:?}");
}

#[tokio::test]
async fn folders_that_would_expose_the_configuration_or_the_data_are_refused() {
    let place = Place::new();
    for folder in ["work", "work/data", "safe"] {
        fs::create_dir(place.path().join(folder)).unwrap();
    }
    let run = |roots: &str| format!("[tools.run_command]\nroots = [\"{roots}\"]\n");
    // A program could replace the inner folder with a link.
    for (folders, key) in
        [("roots = [\"work/data\", \"work\"]", "roots"), ("roots = [\"work\"]\nreadable = [\"work/data\"]", "readable")]
    {
        place.write("turnkit.toml", &format!("[tools.run_command]\n{folders}\n"));
        let refused = place.run(&["chat", "-p", "Hello"]).await;
        let is_named = |why: &str| refused.stderr.contains(why);
        let is_refused = is_named(&format!("tools.run_command.{key}: ")) && is_named("is one of `roots`: leave it out");
        assert!(refused.code == Some(2) && is_refused, "{folders}: {refused:?}");
    }
    for (roots, options, why) in [
        (".", &[][..], "turnkit.toml:2: tools.run_command: programs could read turnkit.toml, because they may read "),
        ("..", &[], "turnkit.toml:2: tools.run_command: programs could read turnkit.toml, because they may read "),
        ("work", &["--data", "work/data"], "programs could read work/data, because they may read "),
        ("work/data", &["--data", "work"], "programs could read work, because they may read "),
        ("work", &["--data", "/usr/data"], "programs could read /usr/data, because they may read /usr"),
        ("missing", &[], "turnkit.toml:2: tools.run_command.roots: missing: No such file"),
        ("turnkit.toml", &[], "not a folder"),
        ("/", &[], "is the whole file system"),
    ] {
        place.write("turnkit.toml", &run(roots));
        let refused = place.run(&[&["chat", "-p", "Hello"], options].concat()).await;
        assert!(refused.code == Some(2) && refused.stderr.contains(why), "{roots}: {refused:?}");
    }
    // Folders that are created later would be exposed, too.
    place.write("turnkit.toml", &run("work"));
    let file = place.path().join("turnkit.toml");
    for (folder, data) in
        [("", "work/new/deep"), ("work", "new"), ("work", "new/deep"), ("safe", "../work/new"), ("", "new/../work/new")]
    {
        let mut command = place.command(&["chat", "-p", "Hello", "--config", file.to_str().unwrap(), "--data", data]);
        let refused = outcome(command.current_dir(place.path().join(folder)).spawn().unwrap()).await;
        let why = format!("programs could read {data}, because they may read ");
        assert!(refused.code == Some(2) && refused.stderr.contains(&why), "{folder} {data}: {refused:?}");
        assert!(!place.path().join("work/new").exists(), "{folder} {data}");
    }
    let recording = place.command(&["chat", "-p", "Hello"]).env("TURNKIT_RECORD", "work/new/deep").spawn().unwrap();
    assert!(outcome(recording).await.stderr.contains("programs could read work/new/deep, because they may read "));
    place.write("turnkit.toml", &run("safe"));
    assert_eq!(place.run(&["chat", "-p", "Hello"]).await.code, Some(0));
}

#[tokio::test]
async fn programs_that_run_outside_of_the_sandbox_are_not_where_it_could_change_them() {
    let place = Place::new();
    for folder in ["work", "work/bin", "safe", "links"] {
        fs::create_dir(place.path().join(folder)).unwrap();
    }
    for script in ["work/tool", "safe/tool"] {
        place.write(script, "#!/bin/sh\n");
    }
    symlink("../work/tool", place.path().join("links/tool")).unwrap();
    symlink("../safe", place.path().join("work/safe")).unwrap();
    symlink("work/bin", place.path().join("bin")).unwrap();
    let (usual, at) = ("/usr/bin:/bin", |folder: &str| place.path().join(folder).display().to_string());
    let program = "programs of `run_command` could change the program ";
    let folder = "programs of `run_command` could change the folder of PATH ";
    for (run, env, path, why) in [
        ("work/tool", "", usual, program),
        ("./safe/../work/new", "", usual, program),
        ("links/tool", "", usual, program),
        ("work/safe/tool", "", usual, program),
        (&at("work/tool"), "", usual, program),
        ("tool", "", &format!("{}:{usual}", at("links")), program),
        ("tool", &format!("env = {{ PATH = \"{}\" }}", at("links")), usual, program),
        ("true", "", &format!("{usual}:{}", at("work/bin")), folder),
        ("true", "", &format!("{}:{usual}", at("work/new")), folder),
        ("safe/tool", "", &format!("{usual}:{}", at("bin")), folder),
        ("true", "env = { PATH = \"work/bin\" }", usual, folder),
        ("true", "", usual, ""),
        ("safe/tool", "", usual, ""),
        ("safe/tool", &format!("env = {{ PATH = \"{usual}\" }}"), &at("work/bin"), ""),
    ] {
        for (section, key, what) in [("tools.command", "run", "tool"), ("mcp", "command", "MCP server")] {
            let tool = format!("[[{section}]]\nname = \"tool\"\n{env}\n{key} = [\"{run}\"]\n");
            place.write("turnkit.toml", &format!("[tools.run_command]\nroots = [\"work\"]\n{tool}"));
            let ran = outcome(place.command(&["chat", "-p", "Hello"]).env("PATH", path).spawn().unwrap()).await;
            match why {
                "" => assert_eq!(ran.code, Some(0), "{run} {path}: {ran:?}"),
                why => {
                    let error = format!("turnkit.toml:6: {what} `tool`: {why}");
                    assert!(ran.code == Some(2) && ran.stderr.contains(&error), "{run} {env} {path}: {ran:?}");
                    assert_eq!(ran.stderr.trim_end().lines().count(), 1, "{ran:?}");
                }
            }
        }
    }
}

/// Simulates a kernel without the system call that creates a sandbox.
#[tokio::test]
async fn without_a_sandbox_the_tool_is_left_out_and_start_and_doctor_report_it() {
    let place = configured("http://127.0.0.1:1/v1", "");
    for words in [&["doctor"][..], &["chat", "-p", "Hello"]] {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_turnkit"));
        command.args(words).current_dir(place.path()).env_clear().env("TOLD", "x").env("HOME", place.path());
        let told = std::thread::spawn(move || {
            without_landlock();
            let output = command.output().unwrap();
            String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap()
        });
        let told = told.join().unwrap();
        let expected = "the tool `run_command` is left out, because there is no sandbox for its programs: this kernel has no \
                        Landlock of version 3";
        assert!(told.contains(expected) && !told.contains("run in a sandbox of"), "{words:?}: {told}");
    }
}

/// Disables Landlock for this thread and its child processes.
fn without_landlock() {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, apply_filter};
    let rules = [(libc::SYS_landlock_create_ruleset, Vec::new())].into_iter().collect();
    let missing = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    let arch = std::env::consts::ARCH.try_into().unwrap();
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, missing, arch).unwrap();
    apply_filter(&BpfProgram::try_from(filter).unwrap()).unwrap();
}
