//! The resource usage of a process, read from `/proc`.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};

use crate::server::Server;

/// The number of clock ticks per second, which is the same on every Linux.
const TICKS_PER_SECOND: u64 = 100;

/// A process to measure.
pub(crate) struct MeasuredProcess {
    folder: PathBuf,
}

impl MeasuredProcess {
    /// Returns the process of a server, or `None` if the system has no `/proc`.
    pub(crate) fn of(server: &Server) -> Option<Self> {
        let folder = PathBuf::from(format!("/proc/{}", Pid::as_raw(Some(server.pid()))));
        let found = folder.join("status").exists();
        if !found {
            println!("SKIPPED: this system has no /proc, which measurements need");
        }
        found.then_some(Self { folder })
    }

    /// Returns the resident memory, in KiB.
    pub(crate) fn memory(&self) -> u64 {
        self.status(&["VmRSS:"])
    }

    /// Returns the memory that the process has allocated and written, in KiB. Pages of files do not count: the kernel
    /// drops them when memory is short, and reads them again.
    pub(crate) fn allocated(&self) -> u64 {
        self.status(&["RssAnon:", "VmSwap:"])
    }

    /// Returns the sum of these fields of the process's status, in KiB.
    fn status(&self, fields: &[&str]) -> u64 {
        let status = fs::read_to_string(self.folder.join("status")).unwrap();
        let value = |field: &&str| {
            let line = status.lines().find_map(|line| line.strip_prefix(*field)).unwrap();
            line.trim().trim_end_matches(" kB").parse::<u64>().unwrap()
        };
        fields.iter().map(value).sum()
    }

    /// Returns the number of open files.
    pub(crate) fn open_files(&self) -> usize {
        fs::read_dir(self.folder.join("fd")).unwrap().count()
    }

    /// Returns the processor time used so far.
    pub(crate) fn processor_time(&self) -> Duration {
        let stat = fs::read_to_string(self.folder.join("stat")).unwrap();
        // The name of the program, in parentheses, may contain spaces.
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_whitespace().collect();
        let ticks: u64 = fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap();
        Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND)
    }
}

/// Raises the limit on open files of this process. Returns `false` if it cannot be this high.
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

/// Returns the value of a gauge in the server's metrics.
pub(crate) async fn gauge(server: &Server, name: &str) -> usize {
    let answer = server.client().get("/metrics").await.unwrap();
    let text = String::from_utf8(answer.body).unwrap();
    let value = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
    value.unwrap_or("0").trim().parse().unwrap()
}

/// Waits until a gauge of a server has the wanted value. Returns `false` if it does not reach it in time.
pub(crate) async fn gauge_comes_to(server: &Server, name: &str, wanted: usize, patience: Duration) -> bool {
    let reached = async {
        while gauge(server, name).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(patience, reached).await.is_ok()
}

/// Waits until a server has this many open event streams. Returns `false` if it does not reach the number in time.
pub(crate) async fn come_to(server: &Server, streams: usize, patience: Duration) -> bool {
    gauge_comes_to(server, "turnkit_streams", streams, patience).await
}

/// Converts kibibytes to mebibytes, rounded up.
pub(crate) fn megabytes(kib: u64) -> u64 {
    kib.div_ceil(1024)
}
