//! Tests of single grants: which of them apply, and which reason the user is given.

use turnkit_core::{
    Arguments, CallUid, Grant, GrantCoverage, GrantId, SchemaHash, SessionId, Subject, Timestamp, ToolCall,
    ToolDefinition, TurnId,
};

use super::super::{
    Decision, Judgement, PermissionMode, PermissionSettings, Permissions, Proposal, Reason, Rule, SubjectPattern,
    UntrustedText,
};
use crate::machine::hash_of_schema;

const ASKED: Judgement = Judgement { decision: Decision::Ask, reason: Reason::Unknown };
const GRANTED: Judgement = Judgement { decision: Decision::Allow, reason: Reason::Granted };

fn pay() -> ToolDefinition {
    ToolDefinition::new("pay", "", r#"{"type":"object"}"#).unwrap()
}

fn path(path: &str) -> Subject {
    Subject::Path(path.to_owned())
}

fn always(subject: Subject) -> Grant {
    let (id, created_at, schema) = (GrantId::default(), Timestamp::default(), hash_of_schema(&pay()));
    Grant {
        id,
        tool: "pay".to_owned(),
        schema,
        coverage: GrantCoverage::Subject(subject),
        untrusted: false,
        created_at,
    }
}

fn in_session() -> Grant {
    Grant { coverage: GrantCoverage::Session(SessionId::default()), ..always(Subject::None) }
}

fn judged(permissions: &mut Permissions, grants: Vec<Grant>, untrusted: bool) -> Judgement {
    permissions.set_grants(grants);
    let tool = pay();
    let subject = path("a/b");
    let (grant_subject, untrusted) = (|| Some(path("a/b")), || untrusted);
    permissions.judge(&Proposal {
        tool: &tool,
        subject: &subject,
        grant_subject: &grant_subject,
        own: false,
        untrusted: &untrusted,
    })
}

#[test]
fn a_grant_is_about_its_tool_and_exactly_its_subject() {
    let other_tool = Grant { tool: "pays".to_owned(), ..in_session() };
    let changed = |grant| Grant { schema: SchemaHash([0; 32]), ..grant };
    let told = Judgement { reason: Reason::DefinitionChanged, ..ASKED };
    for (grants, expected) in [
        (vec![], ASKED),
        (vec![in_session()], GRANTED),
        (vec![always(path("a/b"))], GRANTED),
        (vec![always(path("a"))], ASKED),
        (vec![always(path("a/b/c"))], ASKED),
        (vec![always(Subject::Text("a/b".to_owned()))], ASKED),
        (vec![always(Subject::None)], ASKED),
        (vec![other_tool], ASKED),
        (vec![changed(in_session())], told),
        (vec![changed(always(path("a/b")))], told),
        (vec![changed(always(path("a")))], ASKED),
        (vec![changed(in_session()), always(path("a/b"))], GRANTED),
    ] {
        let found = judged(&mut Permissions::new(Vec::new(), true), grants.clone(), false);
        assert_eq!(found, expected, "{grants:?}");
    }
}

#[test]
fn a_changed_tool_is_asked_about_whatever_the_rules_say_unless_the_grant_was_given_with_the_change() {
    let told = Judgement { decision: Decision::Ask, reason: Reason::ToolChanged };
    let rules = |decision| vec![Rule::new("pay", decision)];
    let denied = Judgement { decision: Decision::Deny, reason: Reason::Rule(0) };
    let earlier = Grant { schema: SchemaHash([0; 32]), ..in_session() };
    for (rules, grants, expected) in [
        (rules(Decision::Allow), vec![], told),
        (rules(Decision::Notify), vec![], told),
        (rules(Decision::Ask), vec![], told),
        (rules(Decision::Deny), vec![in_session()], denied),
        (rules(Decision::Allow), vec![earlier], told),
        (vec![], vec![in_session()], GRANTED),
    ] {
        let mut permissions = Permissions::new(rules.clone(), true);
        permissions.set_changed(vec!["pay".to_owned()]);
        assert_eq!(judged(&mut permissions, grants.clone(), false), expected, "{rules:?} {grants:?}");
    }
    for (mode, decision) in [(PermissionMode::Bypass, Decision::Notify), (PermissionMode::Headless, Decision::Deny)] {
        let own = Permissions::new(rules(Decision::Allow), true).with_settings(settings(mode), None);
        // The mode of an ancestor turn counts as well.
        let above = Permissions::new(rules(Decision::Allow), true).within(vec![own.clone()]);
        for (mut permissions, decision) in [(own, decision), (above, decision.max(Decision::Ask))] {
            assert_eq!(judged(&mut permissions, vec![], false).decision, Decision::Allow, "{mode:?}");
            permissions.set_changed(vec!["pay".to_owned()]);
            assert_eq!(judged(&mut permissions, vec![], false).decision, decision, "{mode:?}");
        }
    }
}

#[test]
fn a_changed_definition_is_untrusted_text_for_calls_of_other_tools() {
    let allowed = Judgement { decision: Decision::Allow, reason: Reason::Rule(0) };
    let asked = |reason| Judgement { decision: Decision::Ask, reason };
    let despite = Grant { untrusted: true, ..in_session() };
    for (policy, grants, untrusted, expected) in [
        (UntrustedText::Ask, vec![], false, asked(Reason::OtherToolChanged)),
        (UntrustedText::Ask, vec![in_session()], false, asked(Reason::OtherToolChanged)),
        (UntrustedText::Ask, vec![despite], false, allowed),
        (UntrustedText::Ask, vec![], true, asked(Reason::UntrustedText)),
        (UntrustedText::Ignore, vec![], false, allowed),
    ] {
        let settings = PermissionSettings { untrusted: policy, ..PermissionSettings::default() };
        let rules = vec![Rule::new("pay", Decision::Allow)];
        let mut permissions = Permissions::new(rules, true).with_settings(settings, None);
        permissions.set_changed(vec!["other".to_owned()]);
        assert_eq!(judged(&mut permissions, grants.clone(), untrusted), expected, "{policy:?} {grants:?} {untrusted}");
    }
}

#[test]
fn a_lasting_grant_is_bound_to_the_definition_of_the_tool_besides_the_subject() {
    let (tool, subject) = (pay(), path("a/b"));
    let said = Subject::Text("a/b, with 5".to_owned());
    let mut permissions = Permissions::new(Vec::new(), true);
    for (grant, expected) in
        [(always(subject.clone()), ASKED), (always(said.clone()), GRANTED), (in_session(), GRANTED)]
    {
        permissions.set_grants(vec![grant]);
        let grant_subject = || Some(said.clone());
        let proposal = Proposal {
            tool: &tool,
            subject: &subject,
            grant_subject: &grant_subject,
            own: false,
            untrusted: &|| false,
        };
        assert_eq!(permissions.judge(&proposal), expected);
    }
}

#[test]
fn a_grant_of_a_session_does_not_override_rules_about_subjects() {
    let about_path = Rule::new("*", Decision::Ask).touching(SubjectPattern::Path("a".parse().unwrap()));
    for (rule, expected) in [(about_path, Decision::Ask), (Rule::new("pay", Decision::Ask), Decision::Allow)] {
        let mut permissions = Permissions::new(vec![rule.clone()], true);
        assert_eq!(judged(&mut permissions, vec![in_session()], false).decision, expected, "{rule:?}");
        assert_eq!(judged(&mut permissions, vec![always(path("a/b"))], false), GRANTED, "{rule:?}");
    }
}

#[test]
fn untrusted_text_is_asked_about_unless_the_grant_was_given_because_of_it() {
    let in_spite = Grant { untrusted: true, ..in_session() };
    let changed = Grant { schema: SchemaHash([0; 32]), ..in_spite.clone() };
    let asked = |reason| Judgement { decision: Decision::Ask, reason };
    for rules in [vec![], vec![Rule::new("pay", Decision::Allow)]] {
        let mut permissions = Permissions::new(rules.clone(), true);
        let plain = judged(&mut permissions, vec![in_session()], true);
        assert_eq!(plain, asked(Reason::UntrustedText), "{rules:?}");
        assert_eq!(
            judged(&mut permissions, vec![changed.clone()], true),
            asked(Reason::DefinitionChanged),
            "{rules:?}"
        );
        assert_eq!(judged(&mut permissions, vec![in_spite.clone()], true).decision, Decision::Allow, "{rules:?}");
    }
}

#[test]
fn a_call_that_was_granted_may_start_without_its_grant_unless_it_is_denied() {
    let deny = vec![Rule::new("pay", Decision::Deny)];
    for (rules, mode, overlay, expected) in [
        (vec![], PermissionMode::Default, None, true),
        (vec![], PermissionMode::Headless, None, true),
        (vec![], PermissionMode::Headless, Some(PermissionMode::Plan), false),
        (vec![], PermissionMode::Plan, None, false),
        (deny, PermissionMode::Headless, None, false),
    ] {
        let permissions = Permissions::new(rules, true).with_settings(settings(mode), overlay);
        assert_eq!(may_start(&permissions), expected, "{mode:?} {overlay:?}");
    }
}

#[test]
fn a_call_of_a_sub_agent_does_not_start_if_an_ancestor_turn_denies_it_by_now() {
    let of_mode = |mode| Permissions::new(vec![], true).with_settings(settings(mode), None);
    for (above, expected) in [
        (Permissions::new(vec![], true), true),
        (of_mode(PermissionMode::Headless), true),
        (of_mode(PermissionMode::Plan), false),
        (Permissions::new(vec![Rule::new("pay", Decision::Deny)], true), false),
    ] {
        let permissions = Permissions::new(vec![], true).within(vec![Permissions::new(vec![], true), above.clone()]);
        assert_eq!(may_start(&permissions), expected, "{above:?}");
    }
}

fn settings(mode: PermissionMode) -> PermissionSettings {
    PermissionSettings { mode, ..PermissionSettings::default() }
}

/// Reports whether a call of `pay` that was judged to run before may start.
fn may_start(permissions: &Permissions) -> bool {
    let (tool, subject) = (pay(), Subject::None);
    let grant_subject = || None;
    let proposal =
        Proposal { tool: &tool, subject: &subject, grant_subject: &grant_subject, own: false, untrusted: &|| false };
    let arguments = Arguments("{}".to_owned());
    let (provider_id, name) = (String::new(), "pay".to_owned());
    let uid = CallUid { turn: TurnId::default(), step: 1, ordinal: 0 };
    let call = ToolCall { uid, provider_id, name, arguments, extras: None };
    permissions.allow(call, &proposal).is_ok()
}

#[test]
fn a_person_reads_which_rule_of_the_configuration_asks() {
    let asks = || Rule::new("pay", Decision::Ask);
    let other = || Rule::new("other", Decision::Allow);
    for (rules, reason) in [
        (vec![asks()], "rule 1 of the configuration asks for approval"),
        (vec![other(), asks()], "rule 2 of the configuration asks for approval"),
        // Rules before it are for other agents.
        (vec![other().with_index(1), asks().with_index(4)], "rule 5 of the configuration asks for approval"),
        (vec![other()], "no rule matches it, and the tool changes something or reaches other systems"),
    ] {
        let mut permissions = Permissions::new(rules, true);
        let Judgement { decision, reason: why } = judged(&mut permissions, Vec::new(), false);
        assert_eq!((decision, why.of_question().as_str()), (Decision::Ask, reason));
        let mut below = Permissions::new(vec![Rule::new("*", Decision::Allow)], true).within(vec![permissions]);
        assert_eq!(judged(&mut below, Vec::new(), false).reason.of_question(), reason, "in the turn of a sub-agent");
    }
}
