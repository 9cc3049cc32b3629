//! What a process costs, read from `/proc`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};

use crate::server::Server;

/// How many ticks of the processor's time the kernel counts in a second, on every Linux there is.
const TICKS_PER_SECOND: u64 = 100;

/// A process to look at.
pub(crate) struct Measured {
    folder: PathBuf,
}

impl Measured {
    /// The process of a server, where the system tells about processes.
    pub(crate) fn of(server: &Server) -> Option<Self> {
        let folder = PathBuf::from(format!("/proc/{}", Pid::as_raw(Some(server.pid()))));
        let found = folder.join("status").exists();
        if !found {
            println!("SKIPPED: this system does not tell by /proc what a process costs");
        }
        found.then_some(Self { folder })
    }

    /// The memory it occupies, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        self.status(&["VmRSS:"])
    }

    /// The memory it has allocated and written, in KiB. Pages of files do not count: the kernel drops them when memory is
    /// short, and reads them again.
    pub(crate) fn allocated(&self) -> u64 {
        self.status(&["RssAnon:", "VmSwap:"])
    }

    /// The sum of these fields of the process's status, in KiB.
    fn status(&self, fields: &[&str]) -> u64 {
        let status = fs::read_to_string(self.folder.join("status")).unwrap();
        let value = |field: &&str| {
            let line = status.lines().find_map(|line| line.strip_prefix(*field)).unwrap();
            line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
        };
        fields.iter().map(value).sum()
    }

    /// How many files it has open.
    pub(crate) fn open_files(&self) -> usize {
        fs::read_dir(self.folder.join("fd")).unwrap().count()
    }

    /// The processor time it has used.
    pub(crate) fn processor_time(&self) -> Duration {
        let stat = fs::read_to_string(self.folder.join("stat")).unwrap();
        // The name of the program, in parentheses, may hold spaces.
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND)
    }
}

/// Lets this process have so many files open. Gives whether it may.
pub(crate) fn may_open(files: u64) -> bool {
    let limit = getrlimit(Resource::Nofile);
    let enough = limit.maximum.is_none_or(|most| most >= files);
    if enough {
        setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, maximum: limit.maximum }).unwrap();
    } else {
        println!("SKIPPED: {files} files are needed, and this process may open {:?}", limit.maximum);
    }
    enough
}

/// What a server says itself of a number of its.
pub(crate) async fn gauge(server: &Server, name: &str) -> usize {
    let answer = server.client().get("/metrics").await.unwrap();
    let text = String::from_utf8(answer.body).unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or("0").trim().parse().unwrap()
}

/// Waits until a number of a server is what it should be; gives whether that came in time.
pub(crate) async fn gauge_comes_to(server: &Server, name: &str, wanted: usize, patience: Duration) -> bool {
    let reached = async {
        while gauge(server, name).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(patience, reached).await.is_ok()
}

/// Waits until a server has so many event streams open; gives whether that came in time.
pub(crate) async fn come_to(server: &Server, streams: usize, patience: Duration) -> bool {
    gauge_comes_to(server, "turnkit_streams", streams, patience).await
}

/// Kibibytes as people read them.
pub(crate) fn megabytes(kib: u64) -> u64 {
    kib.div_ceil(1024)
}
