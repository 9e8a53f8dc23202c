// Solver.State.cs - what a solver holds and has done, debug lines, and its state: the hash, snapshots and compaction.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    public sealed unsafe partial class Solver
    {
        /// <summary>What the solver holds and has done.</summary>
        public SolverInfo Info
        {
            get
            {
                var info = SolverInfo.Default;
                Check(Native.SolverGetInfo(Handle, &info));
                return info;
            }
        }

        /// <summary>The times of the last update with the flag TIMERS whose times have arrived.</summary>
        public Timers Timers
        {
            get
            {
                var timers = Clothc.Timers.Default;
                Check(Native.SolverGetTimers(Handle, &timers));
                return timers;
            }
        }

        /// <summary>Draws cloths as lines, for development, after everything queued.</summary>
        public DebugLine[] GetDebugLines(DebugDesc desc)
        {
            uint count = 0;
            Check(Native.SolverGetDebugLines(Handle, &desc, null, &count));
            var lines = new DebugLine[count];
            fixed (DebugLine* pointer = lines) Check(Native.SolverGetDebugLines(Handle, &desc, pointer, &count));
            return lines;
        }

        /// <summary>Draws cloths as lines into an array that is there already, and tells how many lines there are.
        /// INCOMPLETE if there are more of them than the array has room for.</summary>
        public Result GetDebugLines(DebugDesc desc, Span<DebugLine> lines, out int count)
        {
            var found = (uint)lines.Length;
            DebugLine none; // A null pointer would ask for the count.
            fixed (DebugLine* pointer = &MemoryMarshal.GetReference(lines))
            {
                var target = pointer == null ? &none : pointer;
                var result = Check(Native.SolverGetDebugLines(Handle, &desc, target, &found));
                count = (int)found;
                return result;
            }
        }

        /// <summary>Computes the hash of all state that affects the next update, after everything queued.</summary>
        public ulong ComputeStateHash()
        {
            ulong hash;
            Check(Native.SolverStateHash(Handle, &hash));
            return hash;
        }

        /// <summary>Number of bytes that a snapshot takes now.</summary>
        public ulong SnapshotSize
        {
            get
            {
                ulong size = 0;
                Check(Native.SolverSnapshot(Handle, null, &size));
                return size;
            }
        }

        /// <summary>Writes a snapshot of the solver into a new array, after everything queued.</summary>
        public byte[] TakeSnapshot()
        {
            var bytes = new byte[SnapshotSize];
            TakeSnapshot(bytes);
            return bytes;
        }

        /// <summary>Writes a snapshot and returns the number of its bytes.</summary>
        public int TakeSnapshot(Span<byte> bytes)
        {
            var size = (ulong)bytes.Length;
            byte none; // A null pointer would ask for the size.
            fixed (byte* data = &MemoryMarshal.GetReference(bytes))
                Check(Native.SolverSnapshot(Handle, data == null ? &none : data, &size));
            return (int)size;
        }

        /// <summary>Replaces all cloths and collider sets by those of a snapshot, with the same ids. Bindings end. The
        /// fabrics are those that the snapshot's cloths use; others are ignored.</summary>
        public void Restore(ReadOnlySpan<byte> snapshot, params Fabric[] fabrics)
        {
            const int FewFabrics = 64; // The handles of so many need no array.
            var few = stackalloc IntPtr[FewFabrics];
            fixed (byte* data = &MemoryMarshal.GetReference(snapshot))
            fixed (IntPtr* many = fabrics.Length > FewFabrics ? new IntPtr[fabrics.Length] : null)
            {
                var handles = many == null ? few : many;
                for (var index = 0; index < fabrics.Length; index++) handles[index] = Fabric.AddressOf(fabrics[index]);
                Check(Native.SolverRestore(Handle, data, (ulong)snapshot.Length, handles, (uint)fabrics.Length));
            }
            GC.KeepAlive(fabrics);
            bindings.Clear();
        }

        /// <summary>Moves cloths so that all free particles form one range, and tells which ones moved. INCOMPLETE if
        /// there are more of them than moves has room for.</summary>
        public Result Compact(Span<Move> moves, out int count)
        {
            var found = (uint)moves.Length;
            fixed (Move* pointer = &MemoryMarshal.GetReference(moves))
            {
                var result = Check(Native.SolverCompact(Handle, moves.IsEmpty ? null : pointer, &found));
                count = (int)found;
                return result;
            }
        }

        /// <summary>Moves cloths so that all free particles form one range, and returns those that moved.</summary>
        public Move[] Compact()
        {
            var moves = new Move[Info.ClothCount];
            Compact(moves, out var count);
            Array.Resize(ref moves, count);
            return moves;
        }
    }
}
