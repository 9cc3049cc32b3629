//! Restriction of the addresses that a client may connect to.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use hyper::Uri;

use crate::NetError;
use crate::proxy::is_localhost;

/// The addresses that a client may connect to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Reach {
    /// All addresses.
    #[default]
    Any,
    /// Only addresses of the public internet: neither this machine, nor a private network, nor the metadata services of
    /// a cloud. The resolved address is checked just before the connection is opened. Such a client uses no proxy,
    /// because a proxy resolves names itself.
    Public,
}

impl Reach {
    /// Reports whether a host is certainly out of reach: an IP address, or `localhost` and the names below it. Other
    /// names are checked when a connection resolves them.
    pub fn excludes(self, host: &str) -> bool {
        let host = host.trim_start_matches('[').trim_end_matches([']', '.']);
        let is_private = match host.parse::<IpAddr>() {
            Ok(address) => !is_public(address),
            Err(_) => is_localhost(host),
        };
        self == Self::Public && is_private
    }

    /// Checks the host of a URI that is an IP address, since such a host is not resolved.
    pub(crate) fn check_host(self, uri: &Uri) -> Result<(), NetError> {
        let host = uri.host().unwrap_or_default().trim_start_matches('[').trim_end_matches(']');
        match host.parse::<IpAddr>() {
            Ok(address) => self.check(address),
            Err(_) => Ok(()),
        }
    }

    /// Checks an address.
    pub(crate) fn check(self, address: IpAddr) -> Result<(), NetError> {
        match self == Self::Any || is_public(address) {
            true => Ok(()),
            false => Err(NetError::NotPublic),
        }
    }
}

/// Reports whether an address belongs to the public internet. An IPv4 address embedded in an IPv6 address is checked as
/// an IPv4 address.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => embedded(address).map_or_else(|| is_public_v6(address), is_public_v4),
    }
}

/// IPv4 networks that are not public, with their prefix lengths.
const PRIVATE_V4: &[(Ipv4Addr, u32)] = &[
    (Ipv4Addr::new(0, 0, 0, 0), 8),       // this network
    (Ipv4Addr::new(10, 0, 0, 0), 8),      // private
    (Ipv4Addr::new(100, 64, 0, 0), 10),   // shared by customers of a provider
    (Ipv4Addr::new(127, 0, 0, 0), 8),     // loopback
    (Ipv4Addr::new(169, 254, 0, 0), 16),  // link-local; metadata of clouds
    (Ipv4Addr::new(172, 16, 0, 0), 12),   // private
    (Ipv4Addr::new(192, 0, 0, 0), 24),    // protocol assignments
    (Ipv4Addr::new(192, 0, 2, 0), 24),    // documentation
    (Ipv4Addr::new(192, 88, 99, 0), 24),  // relays of 6to4
    (Ipv4Addr::new(192, 168, 0, 0), 16),  // private
    (Ipv4Addr::new(198, 18, 0, 0), 15),   // benchmarks
    (Ipv4Addr::new(198, 51, 100, 0), 24), // documentation
    (Ipv4Addr::new(203, 0, 113, 0), 24),  // documentation
    (Ipv4Addr::new(224, 0, 0, 0), 3),     // multicast, reserved, broadcast
];

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_in = |&(network, length): &(Ipv4Addr, u32)| (address.to_bits() ^ network.to_bits()) >> (32 - length) == 0;
    // The metadata service of one cloud has a public address.
    address != Ipv4Addr::new(168, 63, 129, 16) && !PRIVATE_V4.iter().any(is_in)
}

/// Reports whether an IPv6 address is public. Only 2000::/3 is in use, except for the blocks assigned to protocols,
/// tunnels and documentation.
fn is_public_v6(address: Ipv6Addr) -> bool {
    let [first, second, ..] = address.segments();
    let is_assigned = first & 0xe000 == 0x2000;
    let is_special = (first == 0x2001 && (second < 0x0200 || second == 0x0db8)) || first & 0xfff0 == 0x3ff0;
    is_assigned && !is_special
}

/// Returns the IPv4 address embedded in an IPv6 address: mapped, translated (64:ff9b::/96) or 6to4 (2002::/16).
fn embedded(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let of = |high: u16, low: u16| Ipv4Addr::from_bits(u32::from(high) << 16 | u32::from(low));
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(of(high, low)),
        [0x2002, high, low, ..] => Some(of(high, low)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_the_public_internet_are_distinguished_from_all_others() {
        for (address, expected) in [
            ("1.1.1.1", true),
            ("8.8.8.8", true),
            ("9.255.255.255", true),
            ("11.0.0.0", true),
            ("100.63.255.255", true),
            ("100.128.0.0", true),
            ("172.15.255.255", true),
            ("172.32.0.0", true),
            ("192.0.1.0", true),
            ("192.167.255.255", true),
            ("198.17.255.255", true),
            ("198.20.0.0", true),
            ("223.255.255.255", true),
            ("0.0.0.0", false),
            ("0.255.255.255", false),
            ("10.0.0.0", false),
            ("10.255.255.255", false),
            ("100.64.0.0", false),
            ("100.127.255.255", false),
            ("127.0.0.1", false),
            ("127.255.255.255", false),
            ("168.63.129.16", false),
            ("169.254.169.254", false),
            ("172.16.0.0", false),
            ("172.31.255.255", false),
            ("192.0.0.192", false),
            ("192.0.2.1", false),
            ("192.168.255.255", false),
            ("198.18.0.0", false),
            ("198.19.255.255", false),
            ("203.0.113.1", false),
            ("224.0.0.1", false),
            ("239.255.255.255", false),
            ("240.0.0.1", false),
            ("255.255.255.255", false),
            ("2606:4700:4700::1111", true),
            ("2001:4860:4860::8888", true),
            ("2a00:1450:4001::1", true),
            ("::", false),
            ("::1", false),
            ("::127.0.0.1", false),
            ("::ffff:127.0.0.1", false),
            ("::ffff:169.254.169.254", false),
            ("::ffff:8.8.8.8", true),
            ("64:ff9b::7f00:1", false),
            ("64:ff9b::808:808", true),
            ("64:ff9b:1::1", false),
            ("100::1", false),
            ("2001::1", false),
            ("2001:db8::1", false),
            ("2002:7f00:1::1", false),
            ("2002:c0a8:101::1", false),
            ("2002:808:808::1", true),
            ("3fff::1", false),
            ("5f00::1", false),
            ("fc00::1", false),
            ("fd00:ec2::254", false),
            ("fe80::1", false),
            ("fec0::1", false),
            ("ff02::1", false),
        ] {
            assert_eq!(is_public(address.parse().unwrap()), expected, "{address}");
        }
    }

    #[test]
    fn a_host_is_out_of_reach_if_its_address_or_its_name_alone_says_so() {
        for (host, expected) in [
            ("127.0.0.1", true),
            ("169.254.169.254", true),
            ("[::1]", true),
            ("localhost", true),
            ("localhost.", true),
            ("a.localhost", true),
            ("1.1.1.1", false),
            ("[2606:4700:4700::1111]", false),
            ("example.com", false),
            ("notlocalhost", false),
            ("", false),
        ] {
            assert_eq!(Reach::Public.excludes(host), expected, "{host}");
            assert!(!Reach::Any.excludes(host), "{host}");
        }
    }
}
