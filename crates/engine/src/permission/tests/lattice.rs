//! Tests every combination of rules, modes, trust, flags and untrusted text.

use std::sync::Arc;

use turnkit_core::{
    Grant, GrantCoverage, GrantId, SchemaHash, SessionId, Subject, Timestamp, ToolDefinition, ToolFlags,
};

use super::super::{
    Decision, PermissionMode, PermissionSettings, Permissions, Proposal, Reason, Rule, SubjectPattern, UntrustedText,
};
use crate::machine::{Verdict, hash_of_schema};

const DECISIONS: [Option<Decision>; 5] =
    [None, Some(Decision::Allow), Some(Decision::Notify), Some(Decision::Ask), Some(Decision::Deny)];
const MODES: [PermissionMode; 5] = [
    PermissionMode::Default,
    PermissionMode::Plan,
    PermissionMode::AcceptEdits,
    PermissionMode::Bypass,
    PermissionMode::Headless,
];

/// The facts by which a call is judged.
#[derive(Debug, Clone)]
struct Case {
    /// The rule about the tool's name, and the one about the path `src`.
    rules: (Option<Decision>, Option<Decision>),
    subject: Subject,
    flags: ToolFlags,
    own: bool,
    trusted: bool,
    untrusted: bool,
    policy: UntrustedText,
    granted: Option<Granted>,
}

/// A grant of the tool: for its session, or permanently for the file `src/main.rs`.
#[derive(Debug, Clone, Copy)]
struct Granted {
    always: bool,
    /// The tool's parameters have changed since.
    changed: bool,
    /// The user was asked because of untrusted text.
    untrusted: bool,
}

impl Granted {
    fn grant(self, tool: &ToolDefinition) -> Grant {
        let schema = if self.changed { SchemaHash([0; 32]) } else { hash_of_schema(tool) };
        let coverage = match self.always {
            true => GrantCoverage::Subject(main_file()),
            false => GrantCoverage::Session(SessionId::default()),
        };
        let (id, created_at) = (GrantId::default(), Timestamp::default());
        Grant { id, tool: tool.name.clone(), schema, coverage, untrusted: self.untrusted, created_at }
    }
}

fn main_file() -> Subject {
    Subject::Path("src/main.rs".to_owned())
}

impl Case {
    fn judged(&self, mode: PermissionMode, overlay: Option<PermissionMode>) -> Decision {
        self.with(mode, overlay, true, |permissions, proposal| permissions.judge(proposal).decision)
    }

    fn verdict(&self, mode: PermissionMode, interact: bool) -> Verdict {
        self.with(mode, None, interact, |permissions, proposal| permissions.verdict(proposal))
    }

    fn with<T>(
        &self,
        mode: PermissionMode,
        overlay: Option<PermissionMode>,
        interact: bool,
        look: impl Fn(&Permissions, &Proposal<'_>) -> T,
    ) -> T {
        self.look(&self.permissions(mode, overlay, interact), look)
    }

    fn look<T>(&self, permissions: &Permissions, look: impl Fn(&Permissions, &Proposal<'_>) -> T) -> T {
        let tool = ToolDefinition::new("tool", "", "{}").unwrap().with_flags(self.flags);
        let (subject, own) = (&self.subject, self.own);
        let (grant_subject, untrusted) = (|| Some(subject.clone()), || self.untrusted);
        look(permissions, &Proposal { tool: &tool, subject, grant_subject: &grant_subject, own, untrusted: &untrusted })
    }

    fn permissions(&self, mode: PermissionMode, overlay: Option<PermissionMode>, interact: bool) -> Permissions {
        let path = || SubjectPattern::Path("src".parse().unwrap());
        // Where a rule was written changes no decision.
        let by_name = self.rules.0.map(|decision| Rule::new("tool", decision).with_index(7));
        let by_path = self.rules.1.map(|decision| Rule::new("*", decision).touching(path()).with_index(8));
        let rules = by_name.into_iter().chain(by_path).collect();
        let trusted: Arc<[String]> = if self.trusted { Arc::new(["tool".to_owned()]) } else { Arc::default() };
        let settings = PermissionSettings { mode, trusted, untrusted: self.policy };
        let mut permissions = Permissions::new(rules, interact).with_settings(settings, overlay);
        permissions.set_grants(self.grants());
        permissions
    }

    fn grants(&self) -> Vec<Grant> {
        let tool = ToolDefinition::new("tool", "", "{}").unwrap().with_flags(self.flags);
        self.granted.iter().map(|granted| granted.grant(&tool)).collect()
    }

    /// Computes the decision in a second, independent way.
    fn expected(&self, mode: PermissionMode) -> Decision {
        let ToolFlags { read_only, open_world, .. } = self.flags;
        let in_src = self.subject == main_file();
        let (by_name, by_path) = (self.rules.0, self.rules.1.filter(|_| in_src));
        if by_name == Some(Decision::Deny) || by_path == Some(Decision::Deny) {
            return Decision::Deny;
        }
        if mode == PermissionMode::Plan && !read_only {
            return Decision::Deny;
        }
        let is_edit = matches!(self.subject, Subject::Path(_)) && !open_world;
        let runs =
            (mode == PermissionMode::AcceptEdits && is_edit) || self.own || self.trusted || (read_only && !open_world);
        let default = if runs { Decision::Allow } else { Decision::Ask };
        let mut decision = by_path.or(by_name).unwrap_or(default);
        let asked_about_path = decision == Decision::Ask && by_path.is_some();
        let granted = self.granted.filter(|granted| {
            let covers = if granted.always { in_src } else { !asked_about_path };
            covers && !granted.changed && mode != PermissionMode::Bypass
        });
        if granted.is_some() && decision == Decision::Ask {
            decision = Decision::Allow;
        }
        let may_harm = !read_only || open_world;
        let survives = granted.is_some_and(|granted| granted.untrusted);
        if !survives && self.untrusted && self.policy == UntrustedText::Ask && may_harm {
            decision = decision.max(Decision::Ask);
        }
        match (mode, decision) {
            (PermissionMode::Bypass, Decision::Ask) => Decision::Notify,
            (PermissionMode::Headless, Decision::Ask) => Decision::Deny,
            (_, decision) => decision,
        }
    }
}

/// Returns every combination.
fn cases() -> Vec<Case> {
    let subjects = [Subject::None, main_file(), Subject::Path("docs/a.md".to_owned())];
    let mut cases = Vec::new();
    for by_name in DECISIONS {
        for by_path in DECISIONS {
            for subject in &subjects {
                for bits in 0..128_u8 {
                    let bit = |place: u8| bits & (1 << place) != 0;
                    let flags = ToolFlags {
                        read_only: bit(0),
                        open_world: bit(1),
                        destructive: bit(2),
                        ..ToolFlags::default()
                    };
                    cases.push(Case {
                        rules: (by_name, by_path),
                        subject: subject.clone(),
                        flags,
                        own: bit(3),
                        trusted: bit(4),
                        untrusted: bit(5),
                        policy: if bit(6) { UntrustedText::Ask } else { UntrustedText::Ignore },
                        granted: None,
                    });
                }
            }
        }
    }
    cases
}

#[test]
fn every_call_is_judged_as_the_table_says_in_every_mode_and_the_stricter_mode_counts() {
    for case in cases() {
        for mode in MODES {
            let alone = case.judged(mode, None);
            assert_eq!(alone, case.expected(mode), "{mode:?} {case:?}");
            for overlay in MODES {
                let both = case.judged(mode, Some(overlay));
                assert_eq!(both, alone.max(case.expected(overlay)), "{mode:?} {overlay:?} {case:?}");
            }
        }
    }
}

/// Returns every combination with every grant.
fn granted_cases() -> impl Iterator<Item = Case> {
    let grants =
        (0..8_u8).map(|bits| Granted { always: bits & 1 != 0, changed: bits & 2 != 0, untrusted: bits & 4 != 0 });
    let cases = cases().into_iter().filter(|case| !case.flags.destructive);
    cases.flat_map(move |case| grants.clone().map(move |granted| Case { granted: Some(granted), ..case.clone() }))
}

#[test]
fn a_grant_answers_a_question_and_overrides_no_denial() {
    for case in granted_cases() {
        let alone = Case { granted: None, ..case.clone() };
        for mode in MODES {
            let judged = case.judged(mode, None);
            assert_eq!(judged, case.expected(mode), "{mode:?} {case:?}");
            let without = alone.judged(mode, None);
            // In the mode `headless`, calls that need approval are denied.
            let is_asked = without == Decision::Ask || mode == PermissionMode::Headless;
            assert!(judged == without || (is_asked && judged < without), "{mode:?} {case:?}");
        }
    }
}

#[test]
fn a_sub_agent_is_judged_within_every_ancestor_turn() {
    for (place, case) in cases().into_iter().enumerate() {
        // Combines each pair of modes with each of the other values of a case.
        let (mode, top) = (MODES[place % MODES.len()], MODES[place / MODES.len() % MODES.len()]);
        for by_name in DECISIONS {
            let above = Case { rules: (by_name, None), trusted: !case.trusted, ..case.clone() };
            for of_parent in MODES {
                let within = vec![above.permissions(top, None, true), above.permissions(of_parent, None, true)];
                let permissions = case.permissions(mode, None, true).within(within);
                let judged = case.look(&permissions, |permissions, proposal| permissions.judge(proposal).decision);
                let expected = case.expected(mode).max(above.expected(of_parent)).max(above.expected(top));
                assert_eq!(judged, expected, "{mode:?} {of_parent:?} {top:?} {case:?} {above:?}");
            }
        }
    }
}

#[test]
fn a_grant_counts_for_the_ancestor_turns_and_undoes_no_denial_there() {
    for (place, case) in granted_cases().enumerate() {
        let (mode, of_parent) = (MODES[place % MODES.len()], MODES[place / MODES.len() % MODES.len()]);
        for by_name in DECISIONS {
            let above = Case { rules: (by_name, case.rules.1), trusted: !case.trusted, ..case.clone() };
            // Only the turn itself looks up grants.
            let within = Case { granted: None, ..above.clone() }.permissions(of_parent, None, true);
            let mut permissions = case.permissions(mode, None, true).within(vec![within]);
            permissions.set_grants(case.grants());
            let judged = case.look(&permissions, |permissions, proposal| permissions.judge(proposal).decision);
            let expected = case.expected(mode).max(above.expected(of_parent));
            assert_eq!(judged, expected, "{mode:?} {of_parent:?} {case:?} {above:?}");
        }
    }
}

#[test]
fn nothing_undoes_a_denial_and_untrusted_text_lowers_nothing() {
    for case in cases() {
        let denied = case.rules.0 == Some(Decision::Deny);
        for mode in MODES {
            let judged = case.judged(mode, None);
            assert!(!denied || judged == Decision::Deny, "{mode:?} {case:?}");
            let clean = Case { untrusted: false, ..case.clone() };
            // In the mode `bypass`, a notice reports each call that untrusted text may have caused.
            assert!(judged >= clean.judged(mode, None), "{mode:?} {case:?}");
        }
    }
}

#[test]
fn a_call_that_needs_approval_is_refused_if_no_person_can_be_asked() {
    for case in cases() {
        for mode in MODES {
            let judged = case.judged(mode, None);
            let (asked, alone) = (case.verdict(mode, true), case.verdict(mode, false));
            match judged {
                Decision::Allow | Decision::Notify => assert_eq!((asked, alone), (Verdict::Run, Verdict::Run)),
                Decision::Ask => assert_eq!((asked, alone), (Verdict::Ask, Verdict::Unapproved), "{case:?}"),
                // In the mode `headless`, it does not matter whether the user can be asked.
                Decision::Deny => {
                    let refused = |verdict| matches!(verdict, Verdict::Refuse(..) | Verdict::Headless);
                    assert!(refused(asked) && refused(alone), "{case:?}");
                }
            }
        }
    }
}

#[test]
fn the_most_specific_rule_decides_and_of_equals_the_stricter_one() {
    use Decision::{Allow, Ask, Notify};
    let path = |text: &str| SubjectPattern::Path(text.parse().unwrap());
    let write = || Rule::new("write_file", Allow);
    for (rules, decision, index) in [
        (vec![Rule::new("*", Allow), Rule::new("write*", Ask)], Ask, 1),
        (vec![Rule::new("write_file", Allow), Rule::new("write*", Ask)], Allow, 0),
        (vec![write(), Rule::new("*", Ask).touching(path("src"))], Ask, 1),
        (vec![Rule::new("*", Ask).touching(path("src")), Rule::new("*", Notify).touching(path("src/lib"))], Notify, 1),
        (vec![Rule::new("*", Ask).touching(path("src")), write().touching(path("src"))], Allow, 1),
        (vec![Rule::new("*", Ask), Rule::new("*", Notify), Rule::new("*", Allow)], Ask, 0),
        (vec![write(), Rule::new("*", Ask).touching(path("docs"))], Allow, 0),
    ] {
        let permissions = Permissions::new(rules.clone(), true);
        let tool = ToolDefinition::new("write_file", "", "{}").unwrap();
        let subject = Subject::Path("src/lib/a.rs".to_owned());
        let grant_subject = || None;
        let proposal = Proposal {
            tool: &tool,
            subject: &subject,
            grant_subject: &grant_subject,
            own: false,
            untrusted: &|| false,
        };
        let judged = permissions.judge(&proposal);
        assert_eq!((judged.decision, judged.reason), (decision, Reason::Rule(index)), "{rules:?}");
    }
}

#[test]
fn a_name_with_a_star_trusts_all_tools_that_begin_so() {
    for (trusted, tool, expected) in [
        ("tickets__*", "tickets__close", Decision::Allow),
        ("tickets__*", "ticket__close", Decision::Ask),
        ("tickets__close", "tickets__close", Decision::Allow),
        ("tickets__close", "tickets__close_all", Decision::Ask),
    ] {
        let settings = PermissionSettings { trusted: Arc::new([trusted.to_owned()]), ..PermissionSettings::default() };
        let permissions = Permissions::new(Vec::new(), true).with_settings(settings, None);
        let tool = ToolDefinition::new(tool, "", "{}").unwrap();
        let proposal = Proposal {
            tool: &tool,
            subject: &Subject::None,
            grant_subject: &|| None,
            own: false,
            untrusted: &|| false,
        };
        assert_eq!(permissions.judge(&proposal).decision, expected, "{trusted} {}", tool.name);
    }
}
