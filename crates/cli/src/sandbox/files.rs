//! Which files a process in the sandbox reaches: Landlock.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError, RulesetStatus, Scope, path_beneath_rules,
};

use super::Sandbox;

/// What is required: before this version, files outside of the folders could be emptied.
const REQUIRED: ABI = ABI::V3;
/// What is restricted besides where the kernel can: ports of TCP, devices, signals to processes outside.
const WANTED: ABI = ABI::V6;

/// Programs and libraries of the system, and what they need to start. Secrets are kept elsewhere.
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
/// The process itself. Those that it starts have other folders, which are not in the sandbox.
const ITSELF: &[&str] = &["/proc/self"];
/// Devices that hold nothing.
const DEVICES: &[&str] = &["/dev/full", "/dev/null", "/dev/random", "/dev/urandom", "/dev/zero"];

/// Finds out whether the kernel can restrict what is required.
pub(super) fn check() -> Result<(), String> {
    let created = required().and_then(Ruleset::create).map(drop);
    created.map_err(|_| {
        "this kernel has no Landlock of version 3, which Linux has since 6.2, or it is turned off".to_owned()
    })
}

/// Restricts this process.
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
