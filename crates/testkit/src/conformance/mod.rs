//! Conformance suite for stores: the behaviour required of every store, as tests that run against any implementation.
//!
//! A backend defines how an empty store is created and reopened. [`store_conformance!`](crate::store_conformance) then
//! generates one test per behaviour:
//!
//! ```ignore
//! struct InMyDatabase { /* … */ }
//! impl turnkit_testkit::conformance::Backend for InMyDatabase { /* … */ }
//! turnkit_testkit::store_conformance!(InMyDatabase);
//! ```

mod fixture;

pub mod accepting;
pub mod blobs;
pub mod branches;
pub mod broker;
pub mod children;
pub mod chores;
pub mod deaths;
pub mod ephemeral;
pub mod forks;
pub mod grants;
pub mod history;
pub mod imports;
pub mod keys;
pub mod leases;
pub mod log;
pub mod ownership;
pub mod partials;
pub mod pins;
pub mod queue;
pub mod reading;
pub mod scope;
pub mod searching;
pub mod sessions;
pub mod steering;
pub mod stopping;
pub mod usage;
pub mod waits;

use std::error::Error;
use std::time::Duration;

use turnkit_core::ports::{BoxFuture, Store};

pub(crate) use fixture::{Fixture, ended, running};

/// The result of one conformance test.
pub type Outcome = Result<(), Box<dyn Error + Send + Sync>>;

/// An implementation of a store under test.
pub trait Backend: Sized + Send + Sync {
    /// The store under test.
    type Store: Store;

    /// Creates an empty store that nothing else uses.
    fn fresh() -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>>;

    /// Returns the store under test.
    fn store(&self) -> &Self::Store;

    /// Creates an empty store for several workers that nothing else uses. Its leases last `lease` by a clock that
    /// [`pass`](Self::pass) advances.
    fn shared(lease: Duration) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>>;

    /// Advances the clock of a [`shared`](Self::shared) store.
    fn pass(&self, time: Duration);

    /// Reopens the same data after the process that used it has died.
    fn reopen(self) -> BoxFuture<'static, Result<Self, Box<dyn Error + Send + Sync>>>;
}

/// Generates one test per behaviour of a store, each against a fresh [`Backend`]. The calling crate must depend on
/// tokio with its test macro.
#[macro_export]
macro_rules! store_conformance {
    ($backend:ty) => {
        $crate::store_conformance! { @groups $backend:
            accepting {
                an_idle_session_is_claimed_at_once,
                an_unknown_session_is_not_found,
                an_unknown_name_makes_a_session_and_a_known_one_finds_it,
                a_name_that_is_an_id_means_that_session,
                a_name_belongs_to_one_owner_at_a_time,
                the_same_key_and_body_start_one_turn_however_often_sent,
                whatever_becomes_of_a_turn_its_session_is_named,
                a_key_used_for_another_body_is_refused,
                a_refused_request_leaves_its_key_free,
                the_turn_of_a_key_is_found_without_starting_one,
                keys_of_different_owners_do_not_meet,
                a_turn_belongs_to_the_trace_of_its_caller_or_to_one_of_its_own,
            }
            queue {
                one_turn_of_a_session_runs_however_many_come_at_once,
                turns_begin_in_the_order_they_came,
                the_next_turn_begins_with_the_history_of_the_one_before,
                a_busy_session_refuses_when_asked_to,
                a_running_turn_is_interrupted_when_asked_to,
                a_message_stops_and_steers_only_turns_of_the_agents_that_it_reaches,
                an_interrupting_message_ends_those_that_wait,
                a_waiting_turn_is_superseded_by_the_next_message,
                a_queued_turn_has_its_input_and_its_first_event,
                a_full_queue_refuses_the_next_turn_until_one_begins,
            }
            steering {
                a_boundary_takes_the_messages_that_wait_for_its_turn,
                only_messages_that_no_other_message_precedes_are_taken,
                a_boundary_with_a_message_that_is_gone_writes_nothing,
                a_message_that_no_boundary_took_runs_next,
                a_waiting_turn_is_not_superseded_by_a_message_for_it,
                the_next_owner_takes_the_messages_that_wait,
                a_turn_keeps_the_files_of_the_messages_it_takes,
            }
            chores {
                a_message_stops_a_chore,
                a_chore_is_refused_by_a_busy_session,
                an_ephemeral_session_refuses_chores,
                a_chore_is_claimed_as_a_chore_after_a_restart,
                the_head_may_be_moved_while_a_chore_runs,
                lists_name_the_purpose_of_a_turn,
                a_title_takes_the_place_of_the_one_it_is_for,
            }
            ownership {
                a_stale_claim_changes_nothing,
                another_worker_with_the_right_fence_changes_nothing,
                a_released_turn_cannot_be_written_by_its_last_owner,
                an_ended_turn_cannot_be_written_again,
                only_one_of_two_claims_wins,
                a_released_turn_can_be_claimed_again,
                attempts_count_owners_since_the_last_checkpoint,
                unfinished_turns_are_found_after_a_restart_and_no_others,
                the_owner_finds_machine_messages_log_and_receipts,
                metadata_and_usage_are_kept_in_the_session,
                absurd_usage_does_not_make_a_session_unreadable,
            }
            partials {
                the_next_owner_finds_the_partial_saves,
                a_checkpoint_removes_partial_saves_on_request,
                only_the_owner_of_a_turn_that_is_not_over_saves,
            }
            leases {
                a_worker_that_renews_keeps_its_turns,
                turns_of_a_worker_whose_lease_is_over_go_to_another,
                a_worker_that_wakes_after_its_lease_writes_nothing,
                a_lease_that_is_over_can_be_renewed_until_a_sweep_ends_it,
                a_failure_that_ends_all_leases_takes_no_turns_from_the_living,
                no_time_of_a_worker_ends_a_lease,
                turns_that_ran_beside_each_other_share_the_blame_for_their_workers_death,
                two_workers_share_unowned_turns_oldest_first,
                a_sweep_names_the_turns_of_its_worker_that_are_to_stop,
                a_turn_names_the_worker_that_runs_it,
            }
            deaths {
                a_turn_that_saw_several_deaths_is_claimed_by_its_id_alone,
                deaths_of_a_turn_that_runs_alone_count_whole_until_it_makes_progress,
                turns_that_run_side_by_side_share_the_blame,
                a_turn_that_was_handed_over_has_no_deaths,
                a_hand_over_keeps_earlier_deaths,
                a_process_that_dies_while_a_turn_is_suspended_acquits_it,
                a_release_of_an_unsaved_turn_counts_once,
            }
            usage {
                an_ended_turn_reports_its_usage,
                calls_that_ended_add_up_by_day_and_model,
                the_usage_of_a_tenants_users_is_reported_together,
                a_refused_request_adds_no_usage,
            }
            stopping {
                a_running_turn_is_marked_and_ended_by_its_owner,
                a_stop_before_the_last_checkpoint_wins_and_nothing_is_written,
                a_stop_after_the_last_checkpoint_comes_too_late,
                the_answer_to_a_stop_may_take_several_checkpoints,
                a_queued_turn_ends_at_once_with_its_terminal_event,
                a_waiting_turn_is_ended_by_its_next_owner,
                a_stop_survives_the_death_of_the_owner,
                the_first_reason_stays,
            }
            waits {
                a_turn_waits_until_everything_is_decided,
                a_decision_that_comes_before_its_turn_waits_is_not_lost,
                a_call_is_decided_once,
                waits_of_every_kind_are_stored_as_they_are,
                a_call_may_wait_again,
                an_undecided_wait_expires,
                a_turn_that_is_over_or_to_stop_leaves_nothing_to_decide,
                a_refused_boundary_stores_no_waits,
                waits_are_read_page_by_page,
                waits_are_removed_with_their_turns,
            }
            grants {
                a_grant_is_stored_with_its_decision,
                a_grant_is_stored_once,
                a_decision_that_does_not_count_grants_nothing,
                grants_are_read_page_by_page,
                a_revoked_grant_is_gone,
                the_grants_of_a_session_are_removed_with_it,
                another_owners_grants_are_not_found,
            }
            pins {
                the_first_definition_of_a_tool_is_accepted_and_a_changed_one_is_not_until_it_is_accepted,
                a_source_that_lists_ever_new_tools_does_not_fill_the_store,
                each_owner_has_accepted_definitions_of_its_own,
            }
            children {
                a_child_turn_begins_with_the_boundary_that_waits_for_it,
                waits_below_are_listed_with_the_turn_and_the_session_above,
                the_end_of_a_child_turn_decides_the_wait_of_its_parent,
                a_message_waits_for_a_turn_that_waits_for_sub_agents_alone,
                a_stop_reaches_every_turn_below,
                the_end_of_a_turn_stops_the_turns_below,
                a_session_below_belongs_to_the_session_above,
            }
            history {
                a_turn_sees_the_messages_of_the_turns_before_it,
                a_turn_that_ended_unstarted_is_not_in_the_history,
                messages_of_a_session_include_the_running_turn,
                a_long_history_comes_back_in_order,
                a_summary_leaves_out_the_messages_that_it_covers,
                the_newest_summary_counts,
                a_branch_has_the_summaries_of_the_turns_that_lead_to_it,
                a_fork_has_the_summaries_of_the_turns_it_takes_over,
                edits_leave_out_contents_of_results,
                the_size_that_a_provider_counted_is_kept_with_the_messages,
            }
            log {
                the_replayed_events_equal_the_shown_ones,
                a_log_continues_after_the_death_of_its_owner,
                a_deleted_log_is_gone_and_its_messages_stay,
                deleting_frees_old_keys,
            }
            ephemeral {
                a_session_begins_with_the_earlier_messages_of_its_request,
                a_session_without_a_past_begins_with_its_first_turn,
                it_is_not_listed_and_can_be_read_by_its_id,
                a_request_that_is_sent_again_finds_its_turn,
                it_is_deleted_some_time_after_its_last_turn,
                one_that_is_edited_is_kept,
            }
            forks {
                a_fork_continues_from_the_messages_of_its_origin,
                a_fork_can_be_made_after_an_earlier_turn,
                a_fork_keeps_turns_and_their_boundaries,
                a_turn_that_is_not_over_is_not_taken_over,
                a_fork_of_an_empty_session_is_empty,
                a_fork_after_a_turn_of_another_session_is_not_found,
            }
            imports {
                an_imported_session_continues_from_any_of_its_turns,
                an_imported_session_may_have_no_head,
                an_import_that_is_refused_leaves_nothing,
                the_files_of_an_imported_session_are_kept,
                the_messages_of_one_turn_are_read,
            }
            branches {
                a_turn_continues_the_turn_it_asks_for,
                a_turn_may_begin_without_history,
                a_queued_turn_continues_the_turn_it_asked_for_also_after_a_restart,
                a_turn_that_cannot_be_continued_is_refused_and_nothing_is_stored,
                a_turn_dropped_from_the_queue_stands_for_the_turn_it_asked_to_continue,
                the_head_moves_between_branches,
                the_head_stays_while_a_turn_runs_or_waits,
                a_session_whose_head_moved_shows_the_head_and_the_last_turn,
                a_fork_takes_over_the_branch_of_its_turn,
                a_branch_contains_the_messages_of_its_ancestors,
            }
            reading {
                a_session_is_shown_as_it_stands,
                a_session_that_rests_shows_its_last_turn,
                the_unfinished_turns_of_a_session_are_listed,
                messages_are_read_page_by_page,
                turns_are_read_page_by_page,
                turns_are_found_by_their_agent_their_models_their_first_error_and_their_time,
                turns_are_found_by_their_numbers,
                the_next_turn_is_the_next_that_has_begun_or_ended,
            }
            keys {
                keys_come_back_as_they_were_added,
                a_revoked_key_stays_revoked,
                an_unknown_key_is_not_found,
                a_secret_has_one_key,
            }
            blobs {
                a_file_comes_back_as_it_was_uploaded,
                a_file_whose_content_breaks_off_is_not_stored,
                another_owners_file_is_not_found,
                a_file_is_kept_as_long_as_a_turn_names_it,
                the_whole_content_of_a_result_is_kept_as_long_as_its_turn,
                a_fork_keeps_the_files_of_its_turns,
            }
            scope {
                another_owners_ids_answer_like_unknown_ones,
                lists_contain_only_items_of_the_owner,
            }
            searching {
                a_session_is_found_by_the_words_of_a_turn_or_its_title,
                a_turn_is_found_once_it_is_over,
                a_search_finds_only_sessions_of_the_owner,
                search_results_are_read_page_by_page,
                the_turns_of_a_session_are_searched_newest_first,
                sessions_that_are_not_listed_are_not_found,
            }
            sessions {
                a_list_is_read_page_by_page,
                a_session_moves_up_when_a_turn_begins,
                a_pinned_session_is_listed_first_and_an_archived_one_apart,
                a_deleted_session_leaves_nothing,
                a_session_with_an_unfinished_turn_is_not_deleted,
                a_session_is_made_before_its_first_turn,
                an_edit_changes_only_the_fields_that_it_names,
                a_name_that_is_taken_is_refused,
            }
        }
    };
    (@groups $backend:ty: $($group:ident { $($behaviour:ident,)* })*) => {
        $(mod $group {
            use super::*;

            $(#[tokio::test]
            async fn $behaviour() -> $crate::conformance::Outcome {
                $crate::conformance::$group::$behaviour::<$backend>().await
            })*
        })*
    };
}
