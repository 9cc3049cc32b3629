//! The seccomp filter of the sandbox: which system calls its processes may make.

use std::collections::BTreeMap;
use std::env::consts::ARCH;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
    TargetArch, apply_filter,
};

/// System calls that are refused.
const REFUSED: &[c_long] = &[
    // Sockets of every family, and io_uring, through which the kernel could create them.
    libc::SYS_socket,
    libc::SYS_bind,
    libc::SYS_connect,
    libc::SYS_listen,
    libc::SYS_accept,
    libc::SYS_accept4,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    // Memory, queues and semaphores that processes of one user share by number or name.
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
    // Leaving the process group, which is killed when the tool call ends.
    libc::SYS_setsid,
    libc::SYS_setpgid,
    // Access to other processes.
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
    // Keys that the kernel stores for the user.
    libc::SYS_add_key,
    libc::SYS_request_key,
    libc::SYS_keyctl,
    // Access to the kernel itself.
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_kexec_load,
    libc::SYS_reboot,
];

/// The bits of the type argument that hold the socket type. The other bits are flags.
const KIND_OF_SOCKET: u64 = 0xf;
/// The only allowed type of a socket pair. A stream socket sends only to its peer, even if a call names another
/// address.
const STREAM: u64 = libc::SOCK_STREAM as u64;

/// The offset of x32 call numbers, with which 64-bit programs on x86-64 pass 32-bit pointers. The filter kills a
/// process that makes calls of any other architecture.
const X32: c_long = 0x4000_0000;
/// Refused calls whose x32 number is not their usual number plus [`X32`]: `ptrace`, `kexec_load`, `process_vm_readv`,
/// `process_vm_writev`.
const REFUSED_OF_X32: [c_long; 4] = [521, 528, 539, 540];

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Checks that the system calls of this architecture are known.
pub(super) fn check() -> Result<(), String> {
    TargetArch::try_from(ARCH).map(drop).map_err(|_| format!("the sandbox does not know the system calls of {ARCH}"))
}

/// Applies the filter to this process.
pub(super) fn restrict() -> Result<(), String> {
    // The filter cannot inspect the flags of `clone3`. It reports that the call does not exist, so that programs fall
    // back to `clone`.
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
    // Changing the limits of another process.
    rules.insert(libc::SYS_prlimit64, vec![when(0, SeccompCmpOp::Ne, 0)?]);
    Ok(rules)
}

/// Returns the rule that matches if an argument of the call, counted from 0, compares with `value` in this way.
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
