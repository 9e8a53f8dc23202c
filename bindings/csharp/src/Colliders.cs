// Colliders.cs - what cloths of a solver collide with: sets of shapes, and meshes and signed distance fields that sets
// have instances of.

namespace Clothc
{
    /// <summary>A set of shapes of a solver.</summary>
    public readonly struct ColliderSet
    {
        /// <summary>The set of a solver that has an id.</summary>
        public ColliderSet(Solver solver, ColliderSetId id) { Solver = solver; Id = id; }

        /// <summary>The solver.</summary>
        public Solver Solver { get; }

        /// <summary>The id within the solver.</summary>
        public ColliderSetId Id { get; }

        /// <summary>Replaces all shapes for the updates that follow.</summary>
        public void Write(in ColliderShapes shapes) => Solver.Check(Calls.ColliderSetWrite(Solver.Handle, Id, shapes));

        /// <summary>Destroys the set. Cloths that list it no longer do.</summary>
        public void Destroy() => Solver.Check(Native.ColliderSetDestroy(Solver.Handle, Id));
    }

    /// <summary>A mesh or signed distance field of a solver.</summary>
    public readonly struct ColliderAsset
    {
        /// <summary>The asset of a solver that has an id.</summary>
        public ColliderAsset(Solver solver, ColliderAssetId id) { Solver = solver; Id = id; }

        /// <summary>The solver.</summary>
        public Solver Solver { get; }

        /// <summary>The id within the solver.</summary>
        public ColliderAssetId Id { get; }

        /// <summary>Destroys the asset, which no collider set may use.</summary>
        public void Destroy() => Solver.Check(Native.ColliderAssetDestroy(Solver.Handle, Id));
    }
}
