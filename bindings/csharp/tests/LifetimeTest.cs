// LifetimeTest.cs - disposed and forgotten objects: errors after Dispose, finalisers at any time and in any order, and
// thousands of cycles without a leak.
using System;
using System.IO;
using System.Linq;
using System.Threading;
using Clothc;

internal static class LifetimeTest
{
    internal static int ThreadCount => Directory.GetDirectories("/proc/self/task").Length;

    // Waits until so many threads are left, for a thread that was joined may still be listed for a moment.
    internal static void ExpectThreads(int wanted, string when)
    {
        for (var trial = 0; trial < 200 && ThreadCount > wanted; trial++) Thread.Sleep(5);
        Expect.That(ThreadCount <= wanted, $"{ThreadCount} threads are {wanted} {when}");
    }

    [Test]
    private static void Use_after_dispose_throws()
    {
        var world = new World();
        var cloth = world.Solver.AddCloth(world.Fabric);
        world.Fabric.Dispose();
        world.Fabric.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.Fabric.Save());
        Expect.Throws<ObjectDisposedException>(() => world.Solver.AddCloth(world.Fabric));
        world.Solver.Update();
        world.Solver.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.Solver.Update());
        Expect.Throws<ObjectDisposedException>(() => cloth.Parameters.ToString());
        world.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.Device.CreateSolver());
    }

    [Test]
    private static void Objects_go_with_their_device()
    {
        var world = new World();
        var buffer = world.Device.CreateBuffer<Float4>(4);
        var fence = world.Device.CreateFence();
        world.Dispose();
        Expect.That(buffer.IsDisposed && world.Solver.IsDisposed && fence.IsDisposed, "all are disposed");
        Expect.Throws<ObjectDisposedException>(() => world.Solver.Update());
        Expect.Throws<ObjectDisposedException>(() => buffer.Map());
        Expect.Throws<ObjectDisposedException>(() => fence.Signal(1));
        // Disposing them has no effect, and neither have their finalisers on objects that exist now.
        using (var other = new World())
        {
            buffer.Dispose();
            fence.Dispose();
            world.Solver.Dispose();
            Expect.That(other.Fabric.Info.ParticleCount == World.VertexCount, "the other fabric exists");
            Expect.Throws<ClothcException>(() => other.Solver.AddCloth(null));
        }
    }

    [Test]
    private static void A_removed_cloth_has_an_invalid_id()
    {
        using (var world = new World())
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            cloth.Remove();
            var error = Expect.Throws<ClothcException>(() => cloth.Remove());
            Expect.Equal(Result.ErrorInvalidHandle, error.Result);
        }
    }

    [Test]
    private static void Forgotten_objects_are_finalised_in_any_order()
    {
        World.Collect();
        var before = ThreadCount;
        World.OnOtherThread(() =>
        {
            for (var index = 0; index < 4; index++)
            {
                var world = new World(3);
                world.Solver.AddCloth(world.Fabric);
                world.Device.CreateBuffer<Float4>(World.VertexCount);
                world.Device.CreateFence();
                world.Solver.Update();
            }
            Expect.That(ThreadCount >= before + 8, "the devices have threads");
        });
        World.Collect();
        ExpectThreads(before, "after the finalisers");
    }

    // A buffer with memory of the program waits for the get, which waits for a fence that nobody can signal any more.
    [Test]
    private static void A_finaliser_does_not_wait_for_a_lost_fence()
    {
        World.Collect();
        var before = ThreadCount;
        World.OnOtherThread(() =>
        {
            for (var round = 0; round < 8; round++)
            {
                var world = new World(2);
                var buffer = world.Device.WrapArray(new Float4[World.VertexCount]);
                world.Solver.AddCloth(world.Fabric);
                var update = Update.Default;
                update.WaitFence = world.Device.CreateFence();
                update.WaitValue = 1;
                world.Solver.Update(update, out _);
                world.Solver.Get(Channel.Position, buffer);
            }
        });
        var collecting = new Thread(World.Collect) { IsBackground = true };
        collecting.Start();
        Expect.That(collecting.Join(10000), "the finalisers have run");
        ExpectThreads(before, "after the finalisers");
    }

    [Test]
    private static void A_solver_keeps_its_device_alive()
    {
        Solver solver = null;
        World.OnOtherThread(() =>
        {
            var world = new World(2);
            world.Solver.AddCloth(world.Fabric);
            solver = world.Solver;
        });
        World.Collect();
        solver.Update();
        Expect.Equal(Result.Success, solver.Wait());
        solver.Dispose();
    }

    [Test]
    private static void A_bound_buffer_is_not_finalised()
    {
        using (var world = new World())
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            WeakReference buffer = null;
            World.OnOtherThread(() =>
            {
                var bound = world.Device.CreateBuffer<Float3>(World.VertexCount);
                cloth.Bind(Channel.Position, bound);
                buffer = new WeakReference(bound);
            });
            World.Collect();
            world.Solver.Update();
            world.Solver.Wait();
            Expect.That(buffer.IsAlive, "the solver refers to the buffer");
            Expect.That(((Buffer<Float3>)buffer.Target).ToArray().Min(p => p.Y) < 0, "updates write it");
            cloth.Unbind(Channel.Position);
            World.Collect();
        }
    }

    [Test]
    private static void Finalisers_run_during_updates()
    {
        using (var world = new World(2))
        {
            world.Solver.AddCloth(world.Fabric);
            var stop = false;
            var updates = 0;
            var updating = new Thread(() =>
            {
                for (; !Volatile.Read(ref stop); updates++) world.Solver.Update();
            });
            updating.Start();
            for (var round = 0; round < 10; round++)
            {
                World.OnOtherThread(() =>
                {
                    for (var index = 0; index < 20; index++)
                    {
                        var solver = world.Device.CreateSolver();
                        solver.AddCloth(World.CookSheet(world.Device));
                        solver.Update();
                        solver.Get(Channel.Position, world.Device.CreateBuffer<Float4>(World.VertexCount));
                    }
                });
                World.Collect();
            }
            Volatile.Write(ref stop, true);
            updating.Join();
            Expect.Equal((ulong)updates, world.Solver.Info.UpdateCount, "number of updates");
            Expect.Equal(0u, world.Solver.ListCloths()[0].Status.NonFiniteCount);
        }
    }

    [Test]
    private static void Finalisers_run_after_the_device()
    {
        using (var other = new World())
        {
            World.OnOtherThread(() =>
            {
                var world = new World(2);
                world.Device.CreateBuffer<Float4>(8).Map();
                world.Solver.AddCloth(world.Fabric);
                world.Dispose();
            });
            World.Collect();
            other.Solver.AddCloth(other.Fabric);
            other.Solver.Update();
            Expect.Equal(Result.Success, other.Solver.Wait());
        }
    }

    [Test]
    private static void Dispose_may_come_from_another_thread()
    {
        var world = new World(2);
        world.Solver.AddCloth(world.Fabric);
        world.Solver.Update();
        World.OnOtherThread(world.Solver.Dispose);
        World.OnOtherThread(world.Dispose);
        Expect.Throws<ObjectDisposedException>(() => world.Solver.Wait());
    }

    [Test]
    private static void Thousands_of_cycles_leak_nothing()
    {
        for (var round = 0; round < 3; round++)
        {
            var before = round == 0 ? 0 : ResidentBytes();
            using (var world = new World())
            {
                for (var cycle = 0; cycle < 1500; cycle++)
                {
                    using (world.Device.CreateBuffer<Float4>(4096)) { }
                    using (world.Device.CreateFence()) { }
                    world.Solver.AddCloth(world.Fabric).Remove();
                }
                for (var cycle = 0; cycle < 100; cycle++)
                {
                    using (World.CookSheet(world.Device)) { }
                    using (var solver = world.Device.CreateSolver()) solver.AddCloth(world.Fabric);
                }
            }
            for (var cycle = 0; cycle < 100; cycle++) new World().Dispose();
            World.Collect();
            // The first round warms up. 1,500 buffers have 98 MB, and 100 solvers 300 MB.
            if (round == 2) Expect.That(ResidentBytes() - before < 8e6, $"{ResidentBytes() - before} bytes are few");
        }
    }

    private static long ResidentBytes() =>
        long.Parse(File.ReadAllText("/proc/self/statm").Split(' ')[1]) * Environment.SystemPageSize;
}
