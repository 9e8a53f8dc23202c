//! Adds to Solver what concerns its whole state: debug lines, the hash, snapshots, and the order of particles.
use crate::call;
use crate::error::Result;
use crate::fabric::Fabric;
use crate::records::{DebugDesc, DebugLine, Move};
use crate::solver::Solver;
use clothc_sys as sys;
use std::os::raw::c_void;

impl Solver {
    /// Draws cloths as lines, for development, after everything queued.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT naming the field; INVALID_HANDLE if there is no such cloth; OUT_OF_MEMORY; DEVICE_LOST.
    pub fn debug_lines(&self, desc: &DebugDesc) -> Result<Vec<DebugLine>> {
        let desc = call::given(desc)?;
        call::list(DebugLine::default(), |lines, count| unsafe {
            sys::clothc_solver_get_debug_lines(self.handle(), desc, lines as *mut sys::clothc_debug_line, count)
        })
    }

    /// The 64-bit hash of all state that affects the next update, after everything queued. It is equal on all devices with
    /// STRICT_PARITY, whatever the schedule, workers, instruction set or capacities.
    pub fn state_hash(&self) -> Result<u64> {
        call::output(0, |hash| unsafe { sys::clothc_solver_state_hash(self.handle(), hash) })
    }

    /// A snapshot of the solver after everything queued. The bytes are the same on every backend.
    pub fn snapshot(&self) -> Result<Vec<u8>> {
        call::bytes(0, |data, size| unsafe { sys::clothc_solver_snapshot(self.handle(), data, size) })
    }

    /// Replaces the cloths and collider sets, including their ids, by those of a snapshot. The fabrics are those that its
    /// cloths use, found by content hash; others are ignored. Bindings of channels end.
    ///
    /// # Errors
    ///
    /// INVALID_ARGUMENT if the snapshot is truncated, foreign, damaged or newer, or if a fabric is missing; CAPACITY;
    /// OUT_OF_MEMORY; DEVICE_LOST.
    pub fn restore(&mut self, snapshot: &[u8], fabrics: &[&Fabric]) -> Result<()> {
        let handles: Vec<sys::clothc_fabric> = fabrics.iter().map(|fabric| fabric.handle()).collect();
        let (data, size) = (snapshot.as_ptr() as *const c_void, snapshot.len() as u64);
        let (fabrics, count) = (call::address(&handles), call::count(&handles, "fabrics")?);
        call::check(unsafe { sys::clothc_solver_restore(self.handle(), data, size, fabrics, count) })
    }

    /// Moves cloths, in order, so that all free particles form one range, and returns those that moved.
    pub fn compact(&mut self) -> Result<Vec<Move>> {
        let mut count = self.info()?.cloth_count;
        let mut moves = vec![Move::default(); count as usize];
        let address = moves.as_mut_ptr() as *mut sys::clothc_move;
        call::check(unsafe { sys::clothc_solver_compact(self.handle(), address, &mut count) })?;
        moves.truncate(count as usize);
        Ok(moves)
    }
}
