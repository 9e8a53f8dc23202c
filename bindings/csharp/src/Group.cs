// Group.cs - particles of a solver without a fabric. A group is a cloth in all other respects.

namespace Clothc
{
    /// <summary>A group of a solver.</summary>
    public readonly unsafe struct Group
    {
        /// <summary>The group of a solver that has an id.</summary>
        public Group(Solver solver, ClothId id) { Cloth = new Cloth(solver, id); }

        /// <summary>The group as a cloth, for everything that cloths have.</summary>
        public Cloth Cloth { get; }

        /// <summary>The solver.</summary>
        public Solver Solver => Cloth.Solver;

        /// <summary>The id within the solver.</summary>
        public ClothId Id => Cloth.Id;

        /// <summary>Removes the group.</summary>
        public void Remove()
        {
            Solver.Check(Native.GroupRemove(Solver.Handle, Id));
            Solver.ForgetBindings(Id);
        }

        /// <summary>What the group is, beside the information about it as a cloth.</summary>
        public GroupInfo Info
        {
            get
            {
                var info = GroupInfo.Default;
                Solver.Check(Native.GroupGetInfo(Solver.Handle, Id, &info));
                return info;
            }
        }

        /// <summary>Replaces the springs. The indices are those of both ends of each spring. Without stiffness it is
        /// 1.</summary>
        public void SetSprings(Buffer<uint> indices, Buffer<float> restLengths, Buffer<float> stiffness,
            uint springCount) =>
            Solver.Check(Native.GroupSetSprings(Solver.Handle, Id, HandleOf(indices), HandleOf(restLengths),
                                                HandleOf(stiffness), springCount));

        /// <summary>Chooses which particles are active: those in a buffer, or with null the first ones.</summary>
        public void SetActive(Buffer<uint> particles, uint count) =>
            Solver.Check(Native.GroupSetActive(Solver.Handle, Id, HandleOf(particles), count));

        /// <summary>The active particles in ascending order.</summary>
        public uint[] GetActive()
        {
            uint count = 0;
            Solver.Check(Native.GroupGetActive(Solver.Handle, Id, null, &count));
            var particles = new uint[count];
            fixed (uint* pointer = particles)
                Solver.Check(Native.GroupGetActive(Solver.Handle, Id, pointer, &count));
            return particles;
        }

        private static BufferHandle HandleOf(DataBuffer buffer) => buffer == null ? BufferHandle.Null : buffer.Handle;
    }
}
