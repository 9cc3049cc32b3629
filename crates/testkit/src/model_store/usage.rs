//! Usage per user and day.

use turnkit_core::{Checkpoint, Consumption, Day, Scope, TenantId, Usage};

use super::disk::Rows;

impl Rows {
    /// Adds the usage of the model calls that ended in a checkpoint.
    pub(super) fn consume(&mut self, scope: &Scope, agent: &str, checkpoint: &Checkpoint) {
        for (provider, model, usage) in checkpoint.chunk.calls() {
            let new = Consumption {
                user: scope.user.clone(),
                day: checkpoint.at.into(),
                agent: agent.into(),
                provider,
                model,
                calls: 1,
                usage: Usage { raw: None, ..usage.clone().into_owned() },
            };
            match self.consumed.iter_mut().find(|(owner, known)| owner == scope && place(known) == place(&new)) {
                Some((_, known)) => {
                    known.calls += 1;
                    known.usage.add(&usage);
                }
                None => self.consumed.push((scope.clone(), new)),
            }
        }
    }

    pub(super) fn consumed(&self, scope: &Scope, from: Day, to: Day) -> Vec<Consumption> {
        self.consumed_by(|owner| owner == scope, from, to)
    }

    pub(super) fn consumed_by_users(&self, tenant: &TenantId, from: Day, to: Day) -> Vec<Consumption> {
        self.consumed_by(|owner| owner.tenant == *tenant, from, to)
    }

    fn consumed_by(&self, is_wanted: impl Fn(&Scope) -> bool, from: Day, to: Day) -> Vec<Consumption> {
        let wanted = |(owner, row): &&(Scope, Consumption)| is_wanted(owner) && (from..=to).contains(&row.day);
        let mut found: Vec<_> = self.consumed.iter().filter(wanted).map(|(_, row)| row.clone()).collect();
        found.sort_by(|a, b| (&a.user, place(a)).cmp(&(&b.user, place(b))));
        found
    }
}

fn place(row: &Consumption) -> (Day, &str, &str, &str) {
    (row.day, &row.agent, &row.provider, &row.model)
}
