//! Turns followed in a process other than the one that runs them.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::{sleep, timeout};
use turnkit_core::ports::Broker as _;
use turnkit_core::{BrokerError, Fence, Recorded, StagingMark, Timestamp, TurnLog};

use super::original::{SOON, process, rest_of, same, until_seen};
use super::{Cluster, Original, Outcome};

/// A late follower gets the log as it is at that moment, an early one each piece. Events, fences and order match the
/// original.
pub async fn a_turn_elsewhere_is_followed_as_if_it_ran_here<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, early, late) = (
        cluster.start(&process("owner")).await,
        cluster.start(&process("early")).await,
        cluster.start(&process("late")).await,
    );
    let original = Original::run_by(&owner, Fence(7));
    let first = early.follow(Original::turn(), &process("owner")).await?;
    let early_tail = first.tail(0);
    original.opens()?;
    original.says("Hel")?;
    until_seen(&first, 4).await?;
    let second = late.follow(Original::turn(), &process("owner")).await?;
    let late_tail = second.tail(2);
    original.says("lo")?;
    until_seen(&second, 5).await?;
    original.closes();
    original.ends(&owner);
    let events = original.live.read(TurnLog::events);
    same(&rest_of(early_tail).await?, &events)?;
    same(&rest_of(late_tail).await?, &events[2..])?;
    assert_eq!(
        first.read(|log| (log.session(), log.number(), log.fence())),
        original.live.read(|log| (log.session(), log.number(), log.fence()))
    );
    Ok(())
}

/// Staged events are invisible outside the owner, so a checkpoint that is refused is never seen by a follower.
pub async fn staged_entries_are_not_seen_elsewhere_before_their_commit<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let original = Original::run_by(&owner, Fence(1));
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    until_seen(&mirror, 1).await?;
    let _follower = mirror.tail(0);
    original.live.write(|log| {
        log.stage(Timestamp::default(), Recorded::Notice { code: "refused".to_owned(), text: String::new() });
    });
    sleep(SOON).await;
    assert_eq!(mirror.read(TurnLog::last_visible_seq), 1);
    original.live.write(|log| log.unstage(StagingMark::default()));
    original.notes("committed");
    until_seen(&mirror, 2).await?;
    same(&mirror.read(TurnLog::events), &original.live.read(TurnLog::events))
}

/// The owner sends each operation once per process, however many followers the process has.
pub async fn followers_of_one_process_share_a_mirror<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let original = Original::run_by(&owner, Fence(1));
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    let again = reader.follow(Original::turn(), &process("owner")).await?;
    assert!(Arc::ptr_eq(&mirror, &again));
    assert_eq!(original.live.follower_counts().current, 1);
    Ok(())
}

/// Events stay ordered and complete, whichever messages are lost.
pub async fn lost_operations_are_requested_again<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let original = Original::run_by(&owner, Fence(2));
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    let tail = mirror.tail(0);
    cluster.disturb(true);
    for round in 0..20 {
        original.notes(&format!("round {round}"));
        original.opens()?;
        for word in 0..20 {
            original.says(&format!("word {word} "))?;
            sleep(Duration::from_millis(10)).await;
        }
        original.closes();
        for note in 0..5 {
            original.notes(&format!("note {note}"));
            sleep(Duration::from_millis(20)).await;
        }
    }
    cluster.disturb(false);
    original.ends(&owner);
    same(&rest_of(tail).await?, &original.live.read(TurnLog::events))
}

/// The caller then looks up the owner in the store.
pub async fn a_turn_the_owner_does_not_have_is_refused<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (_owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let refused = reader.follow(Original::turn(), &process("owner")).await;
    assert_eq!(refused.err(), Some(BrokerError::NotOwner(process("owner"))));
    Ok(())
}

/// The follower reads every event sent so far. Its stream then ends although the turn has not ended.
pub async fn a_mirror_ends_when_its_owner_releases_the_turn<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let original = Original::run_by(&owner, Fence(1));
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    let tail = mirror.tail(0);
    original.notes("the last");
    owner.turns().end_run(&original.run, Timestamp::default());
    same(&rest_of(tail).await?, &original.live.read(TurnLog::events))?;
    assert!(!mirror.read(TurnLog::has_ended));
    Ok(())
}

/// A dead owner sends no message, so followers detect the missing heartbeats.
pub async fn a_mirror_ends_when_its_owner_dies<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let _original = Original::run_by(&owner, Fence(1));
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    let tail = mirror.tail(0);
    sleep(SOON).await;
    assert!(!mirror.is_closed(), "an owner that has nothing to say lives");
    drop(owner);
    rest_of(tail).await?;
    assert!(!mirror.read(TurnLog::has_ended));
    let refused = reader.follow(Original::turn(), &process("owner")).await;
    assert_eq!(refused.err(), Some(BrokerError::Unreachable(process("owner"))));
    Ok(())
}

/// A later run by the same owner has another fence. Followers find it the same way as they find another owner.
pub async fn a_restarted_turn_is_followed_from_its_new_log<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let _before = Original::run_by(&owner, Fence(1));
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    let tail = mirror.tail(0);
    let after = Original::run_by(&owner, Fence(2));
    rest_of(tail).await?;
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    assert_eq!(mirror.read(TurnLog::fence), Fence(2));
    let tail = mirror.tail(0);
    after.ends(&owner);
    same(&rest_of(tail).await?, &after.live.read(TurnLog::events))
}

/// A turn is not cancelled for lack of followers while another process follows it.
pub async fn a_follower_elsewhere_counts_until_it_leaves<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, reader) = (cluster.start(&process("owner")).await, cluster.start(&process("reader")).await);
    let original = Original::run_by(&owner, Fence(1));
    let before = original.live.follower_counts();
    let mirror = reader.follow(Original::turn(), &process("owner")).await?;
    let tail = mirror.tail(0);
    sleep(SOON).await;
    let during = original.live.follower_counts();
    assert!(before.current == 0 && during.current == 1, "{before:?}, {during:?}");
    drop(tail);
    let left = async {
        while original.live.follower_counts().current > 0 {
            sleep(Duration::from_millis(100)).await
        }
    };
    Ok(timeout(SOON, left).await?)
}

/// A paused process requests the operations it missed once it continues.
pub async fn a_process_that_reads_nothing_delays_no_other<C: Cluster>() -> Outcome {
    let cluster = C::fresh().await;
    let (owner, quick, slow) = (
        cluster.start(&process("owner")).await,
        cluster.start(&process("quick")).await,
        cluster.start(&process("slow")).await,
    );
    let original = Original::run_by(&owner, Fence(1));
    let mirror = quick.follow(Original::turn(), &process("owner")).await?;
    let stalled = slow.follow(Original::turn(), &process("owner")).await?;
    let (tail, stalled_tail) = (mirror.tail(0), stalled.tail(0));
    cluster.pause(&process("slow"), true);
    let words = "many words ".repeat(1_000);
    for round in 0..300 {
        original.notes(&format!("{round} {words}"));
        sleep(Duration::from_millis(1)).await;
    }
    until_seen(&mirror, 301).await?;
    let behind = stalled.read(TurnLog::last_visible_seq);
    assert!(behind < 301, "the process is not paused");
    cluster.pause(&process("slow"), false);
    until_seen(&stalled, 301).await?;
    original.ends(&owner);
    let events = original.live.read(TurnLog::events);
    same(&rest_of(tail).await?, &events)?;
    same(&rest_of(stalled_tail).await?, &events)
}
