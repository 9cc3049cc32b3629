//! Rate limiting of requests with unknown keys or invalid tokens.
//!
//! A key has 256 random bits and a token has a signature, so neither can be guessed however many attempts are made. A
//! pause therefore never holds up a client with a valid key or token, not even one at the same address, which may be
//! that of a proxy with all its clients.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

/// The number of failures before the first pause.
const FREE_FAILURES: u32 = 10;
/// The length of the first pause. Each later pause is twice as long, up to [`LONGEST_PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(60);
/// The time without a failure after which the count of an address restarts.
const RESET_AFTER: Duration = Duration::from_secs(15 * 60);
/// The largest number of addresses that are tracked.
const MAX_ADDRESSES: usize = 4096;

/// Failed attempts by address, in bounded memory.
#[derive(Default)]
pub(crate) struct Failures(Mutex<HashMap<IpAddr, Attempts>>);

struct Attempts {
    count: u32,
    last: Instant,
    /// The end of the current pause. Until then, unknown credentials are rejected without being counted.
    paused: Instant,
}

impl Failures {
    /// Counts an unknown credential sent from `address`. If there were too many, returns the time that its sender must
    /// wait.
    pub(super) fn record_failure(&self, address: IpAddr, now: Instant) -> Result<(), Duration> {
        let mut table = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let address = network(address);
        if !table.contains_key(&address) {
            make_room(&mut table, now);
        }
        let attempts = table.entry(address).or_insert(Attempts { count: 0, last: now, paused: now });
        if now < attempts.paused {
            return Err(attempts.paused - now);
        }
        if now.duration_since(attempts.last) >= RESET_AFTER {
            attempts.count = 0;
        }
        attempts.count = attempts.count.saturating_add(1);
        attempts.last = now;
        attempts.paused = now + pause_after(attempts.count);
        Ok(())
    }
}

/// Returns the length of the pause after this many failures.
fn pause_after(count: u32) -> Duration {
    let Some(doublings) = count.checked_sub(FREE_FAILURES) else { return Duration::ZERO };
    FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(doublings)).min(LONGEST_PAUSE)
}

/// Removes all addresses that have been quiet for [`RESET_AFTER`]. If there are none, removes the one that has been quiet
/// for longest.
fn make_room(table: &mut HashMap<IpAddr, Attempts>, now: Instant) {
    if table.len() < MAX_ADDRESSES {
        return;
    }
    table.retain(|_, attempts| now.duration_since(attempts.last) < RESET_AFTER);
    if table.len() < MAX_ADDRESSES {
        return;
    }
    let oldest = table.iter().min_by_key(|(_, attempts)| attempts.last).map(|(address, _)| *address);
    if let Some(oldest) = oldest {
        table.remove(&oldest);
    }
}

/// Returns the part of an address that a single sender can hardly change. For IPv6 that is the first 64 bits; the
/// sender chooses the rest.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        canonical => canonical,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(number: u32) -> IpAddr {
        std::net::Ipv4Addr::from_bits(number).into()
    }

    #[test]
    fn pauses_grow_and_failures_during_a_pause_do_not_count() {
        let (failures, mut now) = (Failures::default(), Instant::now());
        for _ in 0..FREE_FAILURES {
            assert_eq!(failures.record_failure(address(1), now), Ok(()));
        }
        for seconds in [1, 2, 4, 8, 16, 32, 60, 60] {
            let pause = Duration::from_secs(seconds);
            assert_eq!(failures.record_failure(address(1), now), Err(pause));
            let most = Duration::from_millis(1);
            assert_eq!(failures.record_failure(address(1), now + pause - most), Err(most));
            assert_eq!(failures.record_failure(address(2), now), Ok(()), "another address is not concerned");
            now += pause;
            assert_eq!(failures.record_failure(address(1), now), Ok(()));
        }
    }

    #[test]
    fn the_count_of_a_quiet_address_restarts() {
        let (failures, now) = (Failures::default(), Instant::now());
        for _ in 0..FREE_FAILURES {
            assert_eq!(failures.record_failure(address(1), now), Ok(()));
        }
        assert!(failures.record_failure(address(1), now).is_err());
        for _ in 0..FREE_FAILURES {
            assert_eq!(failures.record_failure(address(1), now + RESET_AFTER), Ok(()));
        }
    }

    #[test]
    fn memory_is_bounded_and_the_quietest_is_forgotten() {
        let (failures, now) = (Failures::default(), Instant::now());
        for number in 0..2 * u32::try_from(MAX_ADDRESSES).unwrap() {
            let _ = failures.record_failure(address(number), now + Duration::from_millis(number.into()));
        }
        let table = failures.0.lock().unwrap();
        assert_eq!(table.len(), MAX_ADDRESSES);
        assert!(!table.contains_key(&address(0)) && table.contains_key(&address(2 * MAX_ADDRESSES as u32 - 1)));
    }

    #[test]
    fn a_network_of_ipv6_is_one_sender() {
        let of = |text: &str| network(text.parse().unwrap());
        assert_eq!(of("2001:db8:1:2:3:4:5:6"), of("2001:db8:1:2::1"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_eq!(of("::ffff:192.0.2.1"), of("192.0.2.1"));
    }
}
