// error: E0277
//! A solver that two threads use at the same time.
use clothc::Solver;
use std::thread;

fn main() {}

pub fn count(solver: &Solver) {
    thread::scope(|scope| {
        #[cfg(misuse)]
        scope.spawn(|| solver.info());
        scope.spawn(|| ());
        drop(solver.info());
    });
}
