//! Points around a commit and an upload at which a test may kill the process. They exist only with the feature
//! `failpoints`.

use super::job::JobKind;

#[cfg(feature = "failpoints")]
type Hook = Box<dyn Fn(&'static str) + Send + Sync>;

/// The hook that is called at the failpoints.
#[derive(Default)]
pub(super) struct Failpoints {
    #[cfg(feature = "failpoints")]
    hook: std::sync::OnceLock<Hook>,
}

#[cfg(feature = "failpoints")]
impl Failpoints {
    /// Sets the hook. Only the first call has an effect.
    pub(super) fn set(&self, hook: Hook) {
        let _ = self.hook.set(hook);
    }

    pub(super) fn before_commit(&self, jobs: impl Iterator<Item = JobKind>) {
        self.hit(jobs, "accept.before_commit", "checkpoint.before_commit");
    }

    pub(super) fn after_commit(&self, jobs: impl Iterator<Item = JobKind>) {
        self.hit(jobs, "accept.after_commit", "checkpoint.after_commit");
    }

    /// The content of an upload is durable, but its row is not written yet.
    pub(super) fn blob_renamed(&self) {
        if let Some(hook) = self.hook.get() {
            hook("blob.renamed");
        }
    }

    fn hit(&self, jobs: impl Iterator<Item = JobKind>, accept: &'static str, checkpoint: &'static str) {
        let Some(hook) = self.hook.get() else { return };
        for job in jobs {
            match job {
                JobKind::Accept => hook(accept),
                JobKind::Checkpoint => hook(checkpoint),
                JobKind::Other => {}
            }
        }
    }
}

#[cfg(not(feature = "failpoints"))]
impl Failpoints {
    #[expect(clippy::unused_self, reason = "the same face with and without the feature")]
    pub(super) fn before_commit(&self, _: impl Iterator<Item = JobKind>) {}

    #[expect(clippy::unused_self, reason = "the same face with and without the feature")]
    pub(super) fn after_commit(&self, _: impl Iterator<Item = JobKind>) {}

    #[expect(clippy::unused_self, reason = "the same face with and without the feature")]
    pub(super) fn blob_renamed(&self) {}
}

impl std::fmt::Debug for Failpoints {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Failpoints").finish_non_exhaustive()
    }
}
