//! Every published crate can be packaged, and says what a registry asks for.

use super::{Outcome, judge};
use crate::Repository;
use crate::repository::Package;

pub(super) fn check(repository: &Repository) -> anyhow::Result<Outcome> {
    let problems: Vec<String> = repository.published().flat_map(missing).collect();
    if !problems.is_empty() {
        return Ok(Outcome::Failed(problems));
    }
    let mut package = repository.cargo("package --workspace --exclude xtask --no-verify --allow-dirty --quiet");
    judge(&mut package, &format!("{} crates", repository.published().count()))
}

fn missing(package: &Package) -> Vec<String> {
    let fields =
        [("description", &package.description), ("license", &package.license), ("repository", &package.repository)];
    let empty = fields.into_iter().filter(|(_, value)| value.as_ref().is_none_or(|value| value.trim().is_empty()));
    empty.map(|(field, _)| format!("{} has no {field}", package.name)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_fields_are_named() {
        let package = Package {
            name: "a".to_owned(),
            description: Some(" ".to_owned()),
            license: Some("Apache-2.0".to_owned()),
            repository: None,
            publish: None,
            dependencies: Vec::new(),
        };
        assert_eq!(missing(&package), ["a has no description", "a has no repository"]);
    }
}
