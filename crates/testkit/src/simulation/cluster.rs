//! Several processes at once on one store, each with a fate of its own.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt as _;
use futures_util::future::join_all;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};
use turnkit_core::WorkerId;
use turnkit_engine::TurnService;

use super::client::{self, Intent};
use super::fate::Fate;
use super::judge::{judge, judge_sessions};
use super::outage::Outage;
use super::process::{Hearing, Setup, Surroundings, start_with};
use super::record::{Record, Running};
use super::{LIVENESS, Report, SECOND_LIFE, START, plans, runtime, watcher};
use crate::VirtualClock;
use crate::dice::Dice;
use crate::model_broker::{BrokerFlaw, Carrier, ModelBroker, Weather};
use crate::model_store::{Disk, Flaw};

/// How long leases last.
const LEASE: Duration = Duration::from_secs(15);
/// How often all promises are looked at, and whether the living still have their leases.
const JUDGED_EVERY: Duration = Duration::from_millis(500);

/// One promise that a part of a cluster breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClusterFlaw {
    /// Of the store.
    Store(Flaw),
    /// Of the broker.
    Broker(BrokerFlaw),
}

/// Processes that share a store.
pub(super) struct Cluster {
    dice: RefCell<Dice>,
    flaw: Option<ClusterFlaw>,
    disk: Disk,
    record: Record,
    carrier: Carrier,
    running: Running,
    hearing: Hearing,
    outage: Outage,
    /// Processes that clients can reach.
    members: RefCell<Vec<Rc<Member>>>,
    joined: Notify,
    lives: Cell<u16>,
    /// How many processes are yet to stop.
    stops_left: Cell<u64>,
    deaths: Cell<usize>,
}

struct Member {
    worker: WorkerId,
    around: Arc<Surroundings>,
    service: TurnService,
}

impl Cluster {
    pub(super) fn run(seed: u64, services: u16, flaw: Option<ClusterFlaw>) -> Result<Report, String> {
        let mut dice = Dice::new(seed);
        let plans = plans(&mut dice);
        runtime()?.block_on(async {
            let cluster = Self::new(seed, services, flaw, dice);
            let lives = (0..services).map(|_| cluster.live());
            let everything = async {
                tokio::select! {
                    biased;
                    () = cluster.serve(&plans) => Ok(()),
                    wrong = cluster.look(&plans) => Err(wrong),
                    _ = join_all(lives) => Err("every process is gone".to_owned()),
                    () = cluster.fail_for_all() => Err("the store failed for ever".to_owned()),
                }
            };
            let over = timeout(LIVENESS, everything).await;
            over.map_err(|_| format!("not over after {LIVENESS:?}"))??;
            let intents: Vec<Intent> = plans.iter().flatten().cloned().collect();
            judge(&cluster.disk, &cluster.record, &intents, true)?;
            judge_sessions(&cluster.disk, &intents).await?;
            let facts = cluster.record.facts();
            Ok(Report {
                turns: cluster.disk.turns().len(),
                deaths: cluster.deaths.get(),
                effects: facts.effects.len(),
                shown: facts.told.values().map(|told| told.seen.len()).sum(),
            })
        })
    }

    fn new(seed: u64, services: u16, flaw: Option<ClusterFlaw>, mut dice: Dice) -> Self {
        let carrier = Carrier::new(seed);
        let is_calm = dice.chance(40);
        if !is_calm {
            carrier.set_weather(Weather {
                lost: dice.below(40),
                repeated: dice.below(30),
                delay: Duration::from_millis(dice.below(400)),
            });
        }
        let of_a_claim = Duration::from_secs(4);
        let hearing = Hearing { of_a_run: if is_calm { Duration::from_millis(300) } else { of_a_claim }, of_a_claim };
        let stops = dice.below(2 * u64::from(services) + 1);
        Self {
            dice: RefCell::new(dice),
            flaw,
            disk: Disk::shared(Arc::new(VirtualClock::running_from(START)), LEASE),
            record: Record::default(),
            carrier,
            running: Running::default(),
            hearing,
            outage: Outage::default(),
            members: RefCell::default(),
            joined: Notify::new(),
            lives: Cell::new(0),
            stops_left: Cell::new(stops),
            deaths: Cell::new(0),
        }
    }

    fn draw<T>(&self, draw: impl FnOnce(&mut Dice) -> T) -> T {
        draw(&mut self.dice.borrow_mut())
    }

    /// When the next process stops, if one is to.
    fn next_stop(&self) -> Option<u64> {
        let left = self.stops_left.get().checked_sub(1)?;
        self.stops_left.set(left);
        Some(self.draw(|dice| {
            let most = [60, 300, 1200][dice.below(3) as usize];
            1 + dice.below(most)
        }))
    }

    /// Processes in one place, one after the other.
    async fn live(&self) {
        loop {
            let member = self.start();
            let is_over = self.serve_until_dead(&member).await;
            self.deaths.set(self.deaths.get() + 1);
            member.around.leave();
            sleep(self.draw(|dice| dice.millis(5000))).await;
            if !is_over {
                // It wakes when others have its turns, perhaps, and its successor comes later.
                sleep(self.draw(|dice| LEASE + dice.millis(20_000))).await;
                member.around.fate.wake_up();
                self.carrier.pause(&member.worker, false);
                sleep(SECOND_LIFE).await;
            }
        }
    }

    fn start(&self) -> Rc<Member> {
        let life = self.lives.get();
        self.lives.set(life + 1);
        let stops_at = self.next_stop();
        let fate = Fate::new(self.draw(Dice::fork), stops_at, stops_at.is_some(), self.outage.clone());
        let (disk, record) = (self.disk.clone(), self.record.clone());
        let around = Surroundings::among(disk, record, fate, life, self.running.clone(), self.hearing);
        let worker = WorkerId(format!("process-{life}").into());
        let (store_flaw, broker_flaw) = match self.flaw {
            Some(ClusterFlaw::Store(flaw)) => (Some(flaw), None),
            Some(ClusterFlaw::Broker(flaw)) => (None, Some(flaw)),
            None => (None, None),
        };
        let clock = VirtualClock::running_from(START);
        clock.shift(self.draw(|dice| i64::try_from(dice.below(120_000)).unwrap_or_default() - 60_000));
        let setup = Setup {
            worker: worker.clone(),
            broker: Arc::new(ModelBroker::start_with_flaw(&self.carrier, worker.clone(), broker_flaw)),
            clock: Arc::new(clock),
            flaw: store_flaw,
        };
        let service = start_with(&around, setup, self.draw(Dice::fork));
        Rc::new(Member { worker, around, service })
    }

    /// Serves until the process stops for long. Returns `true` if it never goes on.
    async fn serve_until_dead(&self, member: &Rc<Member>) -> bool {
        let fate = &member.around.fate;
        let registers = async {
            while member.service.resume_unfinished().await.is_err() {
                sleep(Duration::from_millis(50)).await;
            }
        };
        let mut is_registered = tokio::select! {
            biased;
            () = fate.stops() => false,
            () = registers => true,
        };
        loop {
            if is_registered {
                self.members.borrow_mut().push(Rc::clone(member));
                self.joined.notify_waiters();
            }
            fate.stops().await;
            self.members.borrow_mut().retain(|other| !Rc::ptr_eq(other, member));
            self.carrier.pause(&member.worker, true);
            let (is_short, is_crash) = self.draw(|dice| (dice.chance(30), dice.chance(60)));
            if !is_short || !is_registered {
                return is_crash || !is_registered;
            }
            sleep(self.draw(|dice| dice.millis(6000))).await;
            is_registered = true;
            self.carrier.pause(&member.worker, false);
            fate.go_on(self.next_stop());
        }
    }

    /// Clients and watchers, each at some process as long as that lives.
    async fn serve(&self, plans: &[Vec<Intent>]) {
        let clients = async {
            let live = |plan: &Vec<Intent>| {
                let plan = plan.clone();
                self.at_some_process(move |member| {
                    client::live(Arc::clone(&member.around), member.service.clone(), plan.clone())
                })
            };
            join_all(plans.iter().map(live)).await;
        };
        let clients = clients.boxed_local().shared();
        let watchers = self.at_some_process(|member| {
            watcher::watch_all(Arc::clone(&member.around), member.service.clone(), clients.clone())
        });
        tokio::join!(clients.clone(), watchers);
    }

    async fn at_some_process<F: Future<Output = ()>>(&self, act: impl Fn(&Member) -> F) {
        loop {
            let member = self.member().await;
            tokio::select! {
                biased;
                () = member.around.fate.stops() => {}
                () = act(&member) => return,
            }
        }
    }

    /// A process that clients can reach.
    async fn member(&self) -> Rc<Member> {
        loop {
            let joined = self.joined.notified();
            let mut members = self.members.borrow().clone();
            // It may have stopped just now.
            members.retain(|member| !member.around.fate.is_stopped());
            if !members.is_empty() {
                let at = self.draw(|dice| dice.below(members.len() as u64));
                if let Some(member) = members.get(usize::try_from(at).unwrap_or_default()) {
                    return Rc::clone(member);
                }
            }
            joined.await;
        }
    }

    /// The first promise that is broken before everything is over.
    async fn look(&self, plans: &[Vec<Intent>]) -> String {
        let intents: Vec<Intent> = plans.iter().flatten().cloned().collect();
        loop {
            sleep(JUDGED_EVERY).await;
            if let Err(wrong) = judge(&self.disk, &self.record, &intents, false) {
                return wrong;
            }
            for member in self.members.borrow().iter() {
                if !self.disk.is_registered(&member.worker) {
                    return format!("{} lives and lost its turns", member.worker.0);
                }
            }
        }
    }

    /// Now and then no process reaches the store for longer than leases last.
    async fn fail_for_all(&self) {
        if self.draw(|dice| dice.chance(30)) {
            sleep(self.draw(|dice| dice.millis(4000))).await;
            self.outage.set(true);
            sleep(self.draw(|dice| LEASE + dice.millis(10_000))).await;
            self.outage.set(false);
        }
        std::future::pending().await
    }
}
