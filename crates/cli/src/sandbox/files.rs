//! The Landlock rules of the sandbox: which files its processes can reach.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::Sandbox;

/// The required version. Older versions allow a process to truncate files outside the folders.
const REQUIRED: ABI = ABI::V3;
/// The wanted version. If the kernel supports it, TCP ports, devices, and signals to outside processes are restricted
/// too.
const WANTED: ABI = ABI::V6;

/// Programs and libraries of the system, and the files that they need to start. None of these folders holds secrets.
pub(super) const SYSTEM: &[&str] = &[
    "/bin",
    "/etc/alternatives",
    "/etc/group",
    "/etc/ld.so.cache",
    "/etc/ld.so.conf",
    "/etc/ld.so.conf.d",
    "/etc/localtime",
    "/etc/nsswitch.conf",
    "/etc/passwd",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/proc/cpuinfo",
    "/proc/filesystems",
    "/proc/meminfo",
    "/proc/stat",
    "/proc/version",
    "/sbin",
    "/sys/devices/system/cpu",
    "/usr",
];
/// The process itself. Its child processes have other folders in `/proc`, which are outside the sandbox.
const ITSELF: &[&str] = &["/proc/self"];
/// Devices that store no data.
const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Checks that the kernel supports the required version.
pub(super) fn check() -> Result<(), String> {
    let created = required().and_then(Ruleset::create).map(drop);
    created.map_err(|_| {
        "this kernel has no Landlock of version 3, which Linux has since 6.2, or it is turned off".to_owned()
    })
}

/// Applies the rules to this process.
pub(super) fn restrict(sandbox: &Sandbox) -> Result<(), String> {
    let failed = |error: RulesetError| format!("Landlock: {error}");
    let read = AccessFs::from_read(REQUIRED);
    let used = AccessFs::ReadFile | AccessFs::WriteFile;
    let ruleset = wanted().and_then(Ruleset::create).map_err(failed)?;
    let ruleset = ruleset.add_rules(path_beneath_rules(SYSTEM.iter().chain(ITSELF), read)).map_err(failed)?;
    let mut ruleset = ruleset.add_rules(path_beneath_rules(DEVICES, used)).map_err(failed)?;
    for (folders, access) in [(&sandbox.readable, read), (&sandbox.roots, AccessFs::from_all(REQUIRED))] {
        for folder in folders {
            ruleset = ruleset.add_rule(rule(folder, access)?).map_err(failed)?;
        }
    }
    match ruleset.restrict_self().map_err(failed)?.ruleset {
        RulesetStatus::NotEnforced => Err("Landlock: nothing was restricted".to_owned()),
        RulesetStatus::PartiallyEnforced | RulesetStatus::FullyEnforced => Ok(()),
    }
}

fn rule(folder: &std::path::Path, access: BitFlags<AccessFs>) -> Result<PathBeneath<PathFd>, String> {
    let opened = PathFd::new(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(PathBeneath::new(opened, access))
}

fn required() -> Result<Ruleset, RulesetError> {
    let ruleset = Ruleset::default().set_compatibility(CompatLevel::HardRequirement);
    ruleset.handle_access(AccessFs::from_all(REQUIRED))
}

fn wanted() -> Result<Ruleset, RulesetError> {
    let ruleset = required()?.set_compatibility(CompatLevel::BestEffort);
    let ruleset = ruleset.handle_access(AccessFs::from_all(WANTED))?;
    ruleset.handle_access(AccessNet::from_all(WANTED))?.scope(Scope::from_all(WANTED))
}
