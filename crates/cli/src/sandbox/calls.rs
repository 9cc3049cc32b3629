//! Which system calls a process in the sandbox may make: seccomp.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// Calls that are refused.
const REFUSED: &[c_long] = &[
    // Sockets, of every family, and the queues through which the kernel would make them.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Leaving the process group, which ends with the call.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Other processes.
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_pidfd_getfd,
    // Namespaces and mounts.
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    // Keys that the kernel keeps for the user.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // The kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
];

/// Kinds of pairs of sockets that could send to other sockets. Those of streams cannot.
const REFUSED_PAIRS: [u64; 3] = [libc::SOCK_DGRAM as u64, libc::SOCK_RAW as u64, libc::SOCK_SEQPACKET as u64];
/// The bits of a kind of socket; others say how it is opened.
const KIND_OF_SOCKET: u64 = 0xf;

/// What 64-bit programs add to the number of a call to pass 32-bit pointers, on x86-64. Other ways to make calls of another
/// machine end the process.
const X32: c_long = 0x4000_0000;

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Finds out whether the calls of this machine are known.
pub(super) fn check() -> Result<(), String> {
    TargetArch::try_from(ARCH).map(drop).map_err(|_| format!("the sandbox does not know the system calls of {ARCH}"))
}

/// Restricts this process.
pub(super) fn restrict() -> Result<(), String> {
    // Its flags cannot be looked at. Where it does not exist, programs use the older call.
    let clone3 = [(libc::SYS_clone3, Vec::new())].into_iter().collect();
    apply(clone3, libc::ENOSYS)?;
    apply(rules().map_err(|error| format!("seccomp: {error}"))?, libc::EPERM)
}

fn rules() -> Result<Rules, seccompiler::BackendError> {
    let mut rules: Rules = REFUSED.iter().map(|call| (*call, Vec::new())).collect();
    let pairs = REFUSED_PAIRS.map(|kind| when(1, SeccompCmpOp::MaskedEq(KIND_OF_SOCKET), kind));
    rules.insert(libc::SYS_socketpair, pairs.into_iter().collect::<Result<_, _>>()?);
    let user = libc::CLONE_NEWUSER as u64;
    rules.insert(libc::SYS_clone, vec![when(0, SeccompCmpOp::MaskedEq(user), user)?]);
    // The limits of another process.
    rules.insert(libc::SYS_prlimit64, vec![when(0, SeccompCmpOp::Ne, 0)?]);
    Ok(rules)
}

/// The rule that an argument of the call, counted from 0, compares with `value`.
fn when(argument: u8, compares: SeccompCmpOp, value: u64) -> Result<SeccompRule, seccompiler::BackendError> {
    SeccompRule::new(vec![SeccompCondition::new(argument, SeccompCmpArgLen::Dword, compares, value)?])
}

fn apply(mut rules: Rules, error: i32) -> Result<(), String> {
    let failed = |error: String| format!("seccomp: {error}");
    if ARCH == "x86_64" {
        let again: Vec<_> = rules.iter().map(|(call, rules)| (call + X32, rules.clone())).collect();
        rules.extend(again);
    }
    let arch = TargetArch::try_from(ARCH).map_err(|error| failed(error.to_string()))?;
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch);
    let program = filter.and_then(BpfProgram::try_from).map_err(|error| failed(error.to_string()))?;
    apply_filter(&program).map_err(|error| failed(error.to_string()))
}
