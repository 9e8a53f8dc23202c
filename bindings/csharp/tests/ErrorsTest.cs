// ErrorsTest.cs - errors are exceptions with the library's message, statuses are return values, and arrays that are too
// short never reach the library.
using System;
using Clothc;

internal static class ErrorsTest
{
    [Test]
    private static void An_error_has_the_value_and_the_remedy()
    {
        using (var world = new World())
        {
            var parameters = ClothParameters.Default;
            parameters.SolverFrequency = -5;
            var cloth = world.Solver.AddCloth(world.Fabric);
            var error = Expect.Throws<ClothcException>(() => cloth.Parameters = parameters);
            Expect.Equal(Result.ErrorInvalidArgument, error.Result);
            Expect.That(error.Message.Contains("-5") && error.Message.Contains("solver_frequency"), error.Message);
            Expect.Equal(ClothcLibrary.LastErrorMessage, error.Message, "message");
            Expect.Equal("CLOTHC_ERROR_INVALID_ARGUMENT", ClothcLibrary.NameOf(error.Result));
        }
    }

    [Test]
    private static void A_full_solver_names_the_field_to_raise()
    {
        using (var world = new World())
        {
            var desc = SolverDesc.Default;
            desc.ClothCapacity = 1;
            var solver = world.Device.CreateSolver(desc);
            solver.AddCloth(world.Fabric);
            var error = Expect.Throws<ClothcException>(() => solver.AddCloth(world.Fabric));
            Expect.Equal(Result.ErrorCapacity, error.Result);
            Expect.That(error.Message.Contains("cloth_capacity"), error.Message);
        }
    }

    [Test]
    private static void A_struct_without_Default_is_refused()
    {
        using (var world = new World())
        {
            var error = Expect.Throws<ClothcException>(() => world.Device.CreateSolver(new SolverDesc()));
            Expect.Equal(Result.ErrorInvalidStruct, error.Result);
        }
    }

    [Test]
    private static void Statuses_are_return_values()
    {
        using (var world = new World())
        {
            var fence = world.Device.CreateFence(3);
            Expect.Equal(Result.Timeout, fence.Wait(4, 1000));
            fence.Signal(4);
            Expect.Equal(Result.Success, fence.Wait(4));
            Expect.Equal(4ul, fence.Value);

            world.Solver.AddCloth(world.Fabric);
            var update = Update.Default;
            update.Flags = UpdateFlags.NoWait;
            update.WaitFence = fence;
            update.WaitValue = 5;
            ulong last = 0;
            var result = Result.Success;
            for (var count = 0; result == Result.Success && count < 20; count++)
            {
                result = world.Solver.Update(update, out var value);
                if (result == Result.Success) last = value;
            }
            Expect.Equal(Result.NotReady, result, "result of an update too many");
            Expect.Equal(Result.NotReady, world.Solver.Poll(last, out _));
            Expect.Equal(Result.Timeout, world.Solver.Wait(last, 1000));
            fence.Signal(5);
            Expect.Equal(Result.Success, world.Solver.Wait());
            Expect.Equal(Result.Success, world.Solver.Poll(last, out var completed));
            Expect.Equal(last, completed);
        }
    }

    [Test]
    private static void Arrays_that_are_too_short_are_refused()
    {
        using (var world = new World())
        {
            Expect.Throws<ArgumentException>(() =>
            {
                var mesh = MeshDesc.Default;
                mesh.Positions = World.SheetPositions();
                mesh.InverseMasses = new float[5];
                mesh.Quads = World.SheetQuads();
                world.Device.Cook(mesh);
            });
            Expect.Throws<ArgumentException>(() =>
            {
                var mesh = MeshDesc.Default;
                mesh.Positions = World.SheetPositions();
                mesh.PositionStride = 16;
                mesh.Quads = World.SheetQuads();
                world.Device.Cook(mesh);
            });
            Expect.Throws<ArgumentException>(() =>
            {
                var shapes = ColliderShapes.Default;
                shapes.Planes = new Float4[2];
                shapes.ConvexEnds = new uint[] { 1, 7 };
                shapes.ConvexPlanes = new uint[] { 0, 1 };
                world.Solver.CreateColliderSet().Write(shapes);
            });
            Expect.Throws<ArgumentException>(() =>
            {
                var desc = ClothDesc.Default;
                desc.Fabric = world.Fabric;
                desc.Positions = new Float4[3];
                world.Solver.AddCloth(desc);
            });
            Expect.Throws<ArgumentException>(() => world.Solver.AddCloth(world.Fabric).Reset(new Float4[3]));
            Expect.Throws<ArgumentException>(() =>
            {
                var fabric = FabricDesc.Default;
                fabric.ParticleCount = 4;
                fabric.ConstraintSets = new[]
                {
                    new ConstraintSet { Type = ConstraintType.Distance, Count = 2, Particles = new uint[] { 0, 1 } },
                };
                world.Device.CreateFabric(fabric);
            });
        }
    }

    [Test]
    private static void Version_is_that_of_the_headers()
    {
        var wanted = $"{Constants.VersionMajor}.{Constants.VersionMinor}.{Constants.VersionPatch}";
        Expect.Equal(wanted, ClothcLibrary.Version.ToString());
    }
}
