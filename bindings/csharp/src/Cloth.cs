// Cloth.cs - one cloth of a solver: its solver and its id. It is a value and owns nothing.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>A cloth of a solver.</summary>
    public readonly unsafe struct Cloth
    {
        /// <summary>The cloth of a solver that has an id, such as one from a restored snapshot.</summary>
        public Cloth(Solver solver, ClothId id)
        {
            Solver = solver ?? throw new ArgumentNullException(nameof(solver));
            Id = id;
        }

        /// <summary>The solver.</summary>
        public Solver Solver { get; }

        /// <summary>The id within the solver.</summary>
        public ClothId Id { get; }

        /// <summary>Removes the cloth.</summary>
        public void Remove()
        {
            Solver.Check(Native.ClothRemove(Solver.Handle, Id));
            Solver.ForgetBindings(Id);
        }

        /// <summary>The parameters for the updates that follow.</summary>
        public ClothParameters Parameters
        {
            get
            {
                var parameters = ClothParameters.Default;
                Solver.Check(Native.ClothGetParameters(Solver.Handle, Id, &parameters));
                return parameters;
            }
            set => Solver.Check(Native.ClothSetParameters(Solver.Handle, Id, &value));
        }

        /// <summary>Where the frame moves in the next update.</summary>
        public ClothFrame Frame
        {
            get
            {
                var frame = ClothFrame.Default;
                Solver.Check(Native.ClothGetFrame(Solver.Handle, Id, &frame));
                return frame;
            }
            set => Solver.Check(Native.ClothSetFrame(Solver.Handle, Id, &value));
        }

        /// <summary>What the last update found about the cloth. Waits for everything queued.</summary>
        public ClothStatus Status
        {
            get
            {
                var status = ClothStatus.Default;
                Solver.Check(Native.ClothGetStatus(Solver.Handle, Id, &status));
                return status;
            }
        }

        /// <summary>What the cloth is.</summary>
        public ClothInfo Info
        {
            get
            {
                var info = ClothInfo.Default;
                Solver.Check(Native.ClothGetInfo(Solver.Handle, Id, &info));
                return info;
            }
        }

        /// <summary>Sets the phases that the cloth solves, in order.</summary>
        public void SetPhases(ReadOnlySpan<PhaseConfig> phases)
        {
            fixed (PhaseConfig* configs = &MemoryMarshal.GetReference(phases))
                Solver.Check(Native.ClothSetPhases(Solver.Handle, Id, configs, (uint)phases.Length));
        }

        /// <summary>The phases that the cloth solves.</summary>
        public PhaseConfig[] GetPhases()
        {
            uint count = 0;
            Solver.Check(Native.ClothGetPhases(Solver.Handle, Id, null, &count));
            var phases = new PhaseConfig[count];
            if (count == 0) return phases;
            phases[0] = PhaseConfig.Default;
            fixed (PhaseConfig* configs = phases)
                Solver.Check(Native.ClothGetPhases(Solver.Handle, Id, configs, &count));
            return phases;
        }

        /// <summary>Sets which collider sets the cloth collides with, in order.</summary>
        public void SetColliderSets(params ColliderSetId[] sets)
        {
            fixed (ColliderSetId* pointer = sets)
                Solver.Check(Native.ClothSetColliderSets(Solver.Handle, Id, pointer, (uint)sets.Length));
        }

        /// <summary>Sets which particles collide with cloth; none given means all.</summary>
        public void SetSelfCollisionParticles(ReadOnlySpan<uint> particles)
        {
            fixed (uint* pointer = &MemoryMarshal.GetReference(particles))
            {
                var given = particles.IsEmpty ? null : pointer;
                Solver.Check(Native.ClothSetSelfCollisionParticles(Solver.Handle, Id, given, (uint)particles.Length));
            }
        }

        /// <summary>Puts the cloth to rest at the positions of its fabric.</summary>
        public void Reset() => Reset(default(ReadOnlySpan<Float4>));

        /// <summary>Puts the cloth to rest at positions with inverse masses.</summary>
        public void Reset(ReadOnlySpan<Float4> positions)
        {
            if (!positions.IsEmpty) Arrays.Require(nameof(positions), positions.Length, Info.ParticleCount);
            fixed (Float4* pointer = &MemoryMarshal.GetReference(positions))
                Solver.Check(Native.ClothReset(Solver.Handle, Id, positions.IsEmpty ? null : (float*)pointer));
        }

        /// <summary>Adds a copy of the cloth in its state after everything queued so far.</summary>
        public Cloth Clone()
        {
            ClothId id;
            Solver.Check(Native.ClothClone(Solver.Handle, Id, &id));
            return new Cloth(Solver, id);
        }

        /// <summary>Drops optional data of the particles, such as accelerations.</summary>
        public void Clear(Channel channel) => Solver.Check(Native.ClothClear(Solver.Handle, Id, channel));

        /// <summary>Lets the end of every following update write a channel to a buffer, one element per vertex of the
        /// mesh. The solver keeps the buffer from being finalised.</summary>
        public void Bind(Channel channel, DataBuffer buffer, View? view = null)
        {
            if (buffer == null) throw new ArgumentNullException(nameof(buffer));
            Solver.Bind(Id, channel, buffer, view);
        }

        /// <summary>Ends the binding of a channel.</summary>
        public void Unbind(Channel channel) => Solver.Bind(Id, channel, null, null);
    }
}
