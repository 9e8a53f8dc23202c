// GarbageTest.cs - a frame allocates nothing on the managed heap.
using System;
using Clothc;

internal static class GarbageTest
{
    // Bytes that an action allocates in a hundred calls, after calls that warm up.
    internal static long BytesOf(Action action)
    {
        for (var call = 0; call < 10; call++) action();
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var call = 0; call < 100; call++) action();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static object kept;

    [Test]
    private static void Garbage_would_be_seen() =>
        Expect.That(BytesOf(() => kept = new byte[8]) >= 800, $"{kept} has bytes");

    [Test]
    private static void A_frame_makes_no_garbage()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(World.VertexCount))
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            var colliders = world.Solver.CreateColliderSet();
            cloth.SetColliderSets(colliders.Id);
            var spheres = new Float4[2];
            var regions = new[] { new Region { Count = World.VertexCount } };
            var fabrics = new[] { world.Fabric };
            var snapshot = new byte[world.Solver.SnapshotSize + 100000];
            Expect.Equal(0L, BytesOf(() =>
            {
                var parameters = cloth.Parameters;
                parameters.WindVelocity.X = 1;
                cloth.Parameters = parameters;
                var frame = ClothFrame.Default;
                frame.Translation.X = 1;
                cloth.Frame = frame;
                var shapes = ColliderShapes.Default;
                shapes.Spheres = spheres;
                colliders.Write(shapes);
                world.Solver.Update();
                world.Solver.Get(Channel.Position, buffer);
                world.Solver.Get(Channel.Velocity, buffer, View.Default, regions);
                using (var mapping = buffer.Map(MapFlags.Read | MapFlags.Write))
                    mapping.ReadOnlySpan.Slice(1, 1).CopyTo(mapping.Span);
                world.Solver.Set(Channel.Acceleration, buffer);
                world.Solver.Wait();
                world.Solver.Poll(ulong.MaxValue, out _);
                kept = cloth.Status.IterationCount > 0 && world.Solver.Info.ClothCount == 1 ? kept : null;
                var size = world.Solver.TakeSnapshot(snapshot);
                world.Solver.Restore(new ReadOnlySpan<byte>(snapshot, 0, size), fabrics);
            }), "bytes of garbage");
        }
    }
}
