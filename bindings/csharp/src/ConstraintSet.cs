// ConstraintSet.cs - a set of constraints as a raw fabric takes it, and the memory of several sets held in place.
using System;
using System.Buffers;

namespace Clothc
{
    /// <summary>Constraints of one type, for <see cref="FabricDesc"/>.</summary>
    public struct ConstraintSet
    {
        /// <summary>The type, which says what the particles and parameters of a constraint are.</summary>
        public ConstraintType Type;
        /// <summary>Number of constraints.</summary>
        public ulong Count;
        /// <summary>The particles of each constraint: those of the first one, then those of the next.</summary>
        public ReadOnlyMemory<uint> Particles;
        /// <summary>The parameters of each constraint.</summary>
        public ReadOnlyMemory<float> Parameters;
    }

    /// <summary>Holds the arrays of constraint sets in place until it is disposed.</summary>
    internal unsafe struct PinnedConstraintSets : IDisposable
    {
        private readonly MemoryHandle[] handles;
        private MemoryHandle sets;

        internal Native.ConstraintSet* Pointer => (Native.ConstraintSet*)sets.Pointer;

        internal PinnedConstraintSets(ReadOnlySpan<ConstraintSet> given)
        {
            handles = new MemoryHandle[2 * given.Length];
            var raw = new Native.ConstraintSet[given.Length];
            for (var index = 0; index < raw.Length; index++)
            {
                var set = given[index];
                var (particles, parameters) = SizesOf(set.Type);
                Arrays.Require("Particles", Math.Max(1, set.Particles.Length), set.Count * particles);
                Arrays.Require("Parameters", Math.Max(1, set.Parameters.Length), set.Count * parameters);
                handles[2 * index] = set.Particles.Pin();
                handles[2 * index + 1] = set.Parameters.Pin();
                raw[index] = Native.ConstraintSet.Default;
                raw[index].Type = set.Type;
                raw[index].ConstraintCount = set.Count;
                raw[index].Particles = (uint*)handles[2 * index].Pointer;
                raw[index].Parameters = (float*)handles[2 * index + 1].Pointer;
            }
            sets = new ReadOnlyMemory<Native.ConstraintSet>(raw).Pin();
        }

        public void Dispose()
        {
            foreach (var handle in handles) handle.Dispose();
            sets.Dispose();
        }

        /// <summary>How many particles and parameters a constraint of a type has, as the comments on the types say. For
        /// a type that this binding does not know the library reports the error before it reads the arrays.</summary>
        private static (ulong Particles, ulong Parameters) SizesOf(ConstraintType type)
        {
            switch (type)
            {
                case ConstraintType.Distance: return (2, 1);
                case ConstraintType.StiffDistance: return (2, 2);
                case ConstraintType.LongRange: return (2, 1);
                case ConstraintType.Tether: return (2, 1);
                case ConstraintType.VirtualParticle: return (3, 3);
                case ConstraintType.DihedralAngle: return (4, 2);
                case ConstraintType.TriangleArea: return (3, 2);
                default: return (0, 0);
            }
        }
    }
}
