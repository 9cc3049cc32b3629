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
    // Memory, queues and semaphores that processes of the user share by a number or a name.
    libc::SYS_shmget,
    libc::SYS_shmat,
    libc::SYS_shmctl,
    libc::SYS_msgget,
    libc::SYS_msgsnd,
    libc::SYS_msgrcv,
    libc::SYS_msgctl,
    libc::SYS_semget,
    libc::SYS_semop,
    libc::SYS_semtimedop,
    libc::SYS_semctl,
    libc::SYS_mq_open,
    libc::SYS_mq_unlink,
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

/// The bits of a kind of socket; others say how it is opened.
const KIND_OF_SOCKET: u64 = 0xf;
/// The one kind of a pair of sockets that may be made: a stream sends to nobody but its other end, whatever address is named.
const STREAM: u64 = libc::SOCK_STREAM as u64;

/// What 64-bit programs add to the number of a call to pass 32-bit pointers, on x86-64. Other ways to make calls of another
/// machine end the process.
const X32: c_long = 0x4000_0000;
/// Calls that have another number when they pass 32-bit pointers: `ptrace`, `kexec_load`, `process_vm_readv`,
/// `process_vm_writev`.
const REFUSED_OF_X32: [c_long; 4] = [521, 528, 539, 540];

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
    let kinds = (0..=KIND_OF_SOCKET).filter(|kind| *kind != STREAM);
    let kinds = kinds.map(|kind| when(1, SeccompCmpOp::MaskedEq(KIND_OF_SOCKET), kind));
    let families = [when(0, SeccompCmpOp::Ne, libc::AF_UNIX as u64)];
    rules.insert(libc::SYS_socketpair, kinds.chain(families).collect::<Result<_, _>>()?);
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
        rules.extend(REFUSED_OF_X32.map(|call| (call + X32, Vec::new())));
    }
    let arch = TargetArch::try_from(ARCH).map_err(|error| failed(error.to_string()))?;
    let refused = SeccompAction::Errno(error.unsigned_abs());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, arch);
    let program = filter.and_then(BpfProgram::try_from).map_err(|error| failed(error.to_string()))?;
    apply_filter(&program).map_err(|error| failed(error.to_string()))
}
