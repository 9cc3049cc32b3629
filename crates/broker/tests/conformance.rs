//! Runs the conformance tests of `Broker` against the broker of one process.

use turnkit_broker::InProcess;
use turnkit_core::ports::BoxFuture;
use turnkit_testkit::conformance::broker::SingleProcess;

struct OneProcess;

impl SingleProcess for OneProcess {
    type Broker = InProcess;

    fn start() -> BoxFuture<'static, InProcess> {
        Box::pin(async { InProcess::default() })
    }
}

turnkit_testkit::broker_conformance!(OneProcess);
