// SolverTest.cs - what solvers, cloths, groups and colliders do, called through the classes.
using System;
using System.Linq;
using Clothc;

internal static class SolverTest
{
    [Test]
    private static void A_sheet_falls_and_a_snapshot_brings_it_back()
    {
        using (var world = new World())
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            for (var frame = 0; frame < 10; frame++) world.Solver.Update();
            var hash = world.Solver.ComputeStateHash();
            var snapshot = world.Solver.TakeSnapshot();
            Expect.Equal((ulong)snapshot.Length, world.Solver.SnapshotSize);
            var height = world.LowestHeight();
            Expect.That(height < -0.05f, $"{height} is below the start");
            for (var frame = 0; frame < 10; frame++) world.Solver.Update();
            Expect.That(world.Solver.ComputeStateHash() != hash, "the state has changed");
            world.Solver.Restore(snapshot, world.Fabric);
            Expect.Equal(hash, world.Solver.ComputeStateHash(), "state hash");
            Expect.Equal(height, world.LowestHeight(), "height");
            Expect.Equal(cloth.Id, world.Solver.ListCloths().Single().Id, "id");
            Expect.Throws<ClothcException>(() => world.Solver.Restore(snapshot));
            Expect.Throws<ClothcException>(() => world.Solver.Restore(new byte[10], world.Fabric));
            Expect.Throws<ClothcException>(() => world.Solver.TakeSnapshot(Span<byte>.Empty));
        }
    }

    [Test]
    private static void A_cloth_is_reset_cloned_and_compacted()
    {
        using (var world = new World())
        {
            var first = world.Solver.AddCloth(world.Fabric);
            for (var frame = 0; frame < 5; frame++) world.Solver.Update();
            var clone = first.Clone();
            Expect.Equal(first.Status.BoundsMinimum, clone.Status.BoundsMinimum, "lower bounds");
            first.Reset();
            Expect.Equal(1, clone.Info.Index == 1 ? 1 : 0, "index of the clone");
            var raised = World.SheetPositions().Select(p => new Float4(p.X, 2, p.Z, 1)).ToArray();
            first.Reset(raised);
            Expect.Equal(2f, world.LowestHeight(), "height after the reset");
            var start = clone.Info.FirstParticle;
            first.Remove();
            var move = world.Solver.Compact().Single();
            Expect.Equal(clone.Id, move.Cloth, "cloth that moved");
            Expect.Equal(start, move.OldFirst, "old place");
            Expect.Equal(move.NewFirst, clone.Info.FirstParticle, "new place");
            world.Solver.AddCloth(world.Fabric);
            clone.Remove();
            Expect.Equal(Result.Incomplete, world.Solver.Compact(Span<Move>.Empty, out var count));
            Expect.Equal(1, count, "number of moves");
        }
    }

    [Test]
    private static void Parameters_phases_and_frames_are_read_back()
    {
        using (var world = new World())
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            var parameters = cloth.Parameters;
            parameters.Friction = 0.5f;
            parameters.Statistics = StatisticFlags.KineticEnergy | StatisticFlags.Stretch;
            cloth.Parameters = parameters;
            Expect.Equal(parameters, cloth.Parameters, "parameters");
            var phases = cloth.GetPhases();
            Expect.Equal((int)world.Fabric.Info.PhaseCount, phases.Length, "number of phases");
            phases[0].Stiffness = 0.25f;
            cloth.SetPhases(phases);
            cloth.SetColliderSets();
            Expect.Throws<ClothcException>(() => cloth.SetColliderSets(new ColliderSetId()));
            cloth.SetSelfCollisionParticles(Span<uint>.Empty);
            Expect.Equal(0.25f, cloth.GetPhases()[0].Stiffness, "stiffness");
            var frame = ClothFrame.Default;
            frame.Translation = new Float3(1, 2, 3);
            cloth.Frame = frame;
            Expect.Equal(frame.Translation, cloth.Frame.Translation, "translation");
            world.Solver.Update();
            Expect.That(cloth.Status.KineticEnergy > 0, "the cloth moves");
        }
    }

    [Test]
    private static void Channels_are_set_and_got_through_views_and_regions()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(World.VertexCount))
        using (var statuses = world.Device.CreateBuffer<ClothStatus>(1))
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            buffer.Write(Enumerable.Repeat(new Float4(0, 20, 0, 0), World.VertexCount).ToArray());
            world.Solver.Set(Channel.Acceleration, buffer);
            for (var frame = 0; frame < 10; frame++) world.Solver.Update();
            world.Solver.Get(Channel.Position, buffer);
            Expect.That(buffer.ToArray().Max(p => p.Y) > 0.05f, "the acceleration is stronger than gravity");
            cloth.Clear(Channel.Acceleration);
            var view = View.Default;
            view.Format = Format.Float3;
            var region = new Region { SourceOffset = cloth.Info.FirstParticle + 5, TargetOffset = 1, Count = 1 };
            buffer.Write(new Float4[World.VertexCount]);
            world.Solver.Get(Channel.Position, buffer, view, new[] { region });
            var found = buffer.ToArray();
            Expect.Equal(0.5f, found[1].X, "x of a pinned vertex");
            Expect.Equal(0f, found[1].W, "w, which FLOAT3 leaves");
            Expect.Equal(0f, found[2].X, "x of an element outside the region");
            world.Solver.Set(Channel.Position, buffer, null, new[] { new Region() }, SetFlags.AtRest);
            world.Solver.Get(Channel.ClothStatus, statuses);
            Expect.Equal(cloth.Status.BoundsMaximum, statuses.ToArray()[0].BoundsMaximum, "upper bounds");
            Expect.Equal("position", world.Solver.Describe(Channel.Position).Name.ToLowerInvariant());
            Expect.Equal((ulong)world.Solver.Info.ParticleCapacity, world.Solver.Describe(Channel.Position).Count);
            var normal = ClothcLibrary.Describe(Channel.Normal);
            Expect.That(normal.Gettable && !normal.Settable, "normals can be got only");
            Expect.Throws<ArgumentNullException>(() => world.Solver.Get(Channel.Position, null));
        }
    }

    [Test]
    private static void Shapes_hold_a_cloth_and_report_contacts()
    {
        using (var world = new World())
        {
            var solverDesc = SolverDesc.Default;
            solverDesc.ContactCapacity = 1000;
            using (var solver = world.Device.CreateSolver(solverDesc))
            using (var contacts = world.Device.CreateBuffer<Contact>(1000))
            using (var counts = world.Device.CreateBuffer<uint>(1))
            {
                var ground = solver.CreateColliderSet();
                var shapes = ColliderShapes.Default;
                shapes.Planes = new[] { new Float4(0, 1, 0, 0.2f) };
                ground.Write(shapes);
                var parameters = ClothParameters.Default;
                parameters.CollisionFlags |= CollisionFlags.Report;
                var desc = ClothDesc.Default;
                desc.Fabric = world.Fabric;
                desc.Positions = World.SheetPositions().Select(p => new Float4(p.X, p.Y, p.Z, 1)).ToArray();
                desc.Parameters = parameters;
                desc.ColliderSets = new[] { ground.Id };
                var cloth = solver.AddCloth(desc);
                cloth.SetSelfCollisionParticles(new uint[] { 1, 2 });
                for (var frame = 0; frame < 60; frame++) solver.Update();
                Expect.That(Math.Abs(cloth.Status.BoundsMinimum.Y + 0.2f) < 1e-4f, "the ground holds the cloth");
                solver.Get(Channel.ContactCount, counts);
                solver.Get(Channel.Contact, contacts);
                Expect.Equal((uint)World.VertexCount, counts.ToArray()[0], "number of contacts");
                var contact = contacts.ToArray()[3];
                Expect.Equal(ShapeKind.Convex, contact.Kind);
                Expect.Equal(cloth.Id, contact.Cloth);
                Expect.Equal(ground.Id, contact.ColliderSet);
                ground.Destroy();
                Expect.Equal(0u, cloth.Info.ColliderSetCount, "number of sets");
            }
        }
    }

    [Test]
    private static void Meshes_and_distance_fields_are_colliders()
    {
        using (var world = new World())
        {
            var vertices = new[]
            {
                new Float3(-1, 0, -1), new Float3(3, 0, -1), new Float3(1, -2, 3), new Float3(1, 1, 1),
            };
            var triangles = new uint[] { 0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0 };
            var meshDesc = ColliderMeshDesc.Default;
            meshDesc.Vertices = vertices;
            meshDesc.Triangles = triangles;
            var mesh = world.Solver.CreateColliderMesh(meshDesc);
            var cookDesc = SdfCookDesc.Default;
            cookDesc.Vertices = vertices;
            cookDesc.Triangles = triangles;
            cookDesc.Resolution = 16;
            var field = ClothcLibrary.CookSdf(cookDesc);
            Expect.Equal((long)field.Counts.X * field.Counts.Y * field.Counts.Z, field.Values.Length,
                "number of values");
            Expect.That(field.Values.ToArray().Min() < 0, "the mesh has an inside");
            var asset = world.Solver.CreateColliderSdf(field);
            var set = world.Solver.CreateColliderSet();
            var shapes = ColliderShapes.Default;
            shapes.InstanceAssets = new[] { mesh.Id, asset.Id };
            shapes.Instances = new float[] { 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 1 };
            set.Write(shapes);
            Expect.Equal(2u, world.Solver.Info.ColliderAssetCount, "number of assets");
            Expect.Equal(Result.ErrorInvalidState, Expect.Throws<ClothcException>(() => asset.Destroy()).Result);
            set.Destroy();
            asset.Destroy();
            mesh.Destroy();
            Expect.Equal(0u, world.Solver.Info.ColliderAssetCount, "number of assets");
        }
    }

    [Test]
    private static void A_group_has_springs_and_active_particles()
    {
        using (var world = new World())
        using (var indices = world.Device.CreateBuffer<uint>(2))
        using (var lengths = world.Device.CreateBuffer<float>(1))
        using (var active = world.Device.CreateBuffer<uint>(2))
        {
            var desc = GroupDesc.Default;
            desc.Positions = new[] { new Float4(0, 0, 0, 0), new Float4(0, -1, 0, 1), new Float4(5, 0, 0, 1) };
            var group = world.Solver.AddGroup(desc);
            indices.Write(new uint[] { 0, 1 });
            lengths.Write(new[] { 1f });
            group.SetSprings(indices, lengths, null, 1);
            active.Write(new uint[] { 1, 0 });
            group.SetActive(active, 2);
            Expect.Equal("0 1", string.Join(" ", group.GetActive()));
            for (var frame = 0; frame < 30; frame++) world.Solver.Update();
            Expect.Equal(2u, group.Info.ActiveCount);
            Expect.Equal(1u, group.Info.SpringCount);
            var lowest = group.Cloth.Status.BoundsMinimum.Y;
            Expect.That(Math.Abs(lowest + 1) < 0.01f, $"the spring holds the particle at {lowest}");
            group.SetActive(null, 3);
            Expect.Equal(3, group.GetActive().Length, "number of active particles");
            group.Remove();
            Expect.Equal(0u, world.Solver.Info.ClothCount, "number of cloths");
        }
    }

    [Test]
    private static void Debug_lines_are_drawn_into_arrays()
    {
        using (var world = new World())
        {
            var cloth = world.Solver.AddCloth(world.Fabric);
            var desc = DebugDesc.Default;
            Expect.Equal(world.Fabric.Info.ConstraintCount, (ulong)world.Solver.GetDebugLines(desc).Length);
            desc.Flags = DebugFlags.Frames | DebugFlags.Particles;
            desc.Cloth = cloth.Id;
            desc.Size = 0.25f;
            var lines = world.Solver.GetDebugLines(desc);
            Expect.Equal(3 * World.VertexCount + 3, lines.Length, "number of lines");
            Expect.Equal(1f, lines[lines.Length - 3].Second.X, "length of the axis");
            Expect.Equal(0xff0000ffu, lines[lines.Length - 3].SecondColour, "red, in memory from the lowest byte on");
            var some = new DebugLine[5];
            Expect.Equal(Result.Incomplete, world.Solver.GetDebugLines(desc, some, out var count));
            Expect.Equal(lines.Length, count, "number of lines that there are");
            Expect.Equal(lines[4].First.X, some[4].First.X, "the last one that fits");
            Expect.Equal(Result.Incomplete, world.Solver.GetDebugLines(desc, default, out count));
            Expect.Equal(Result.Success, world.Solver.GetDebugLines(desc, lines, out count));
        }
    }

    [Test]
    private static void Updates_signal_fences_and_measure_times()
    {
        using (var world = new World())
        using (var fence = world.Device.CreateFence())
        {
            world.Solver.AddCloth(world.Fabric);
            var update = Update.Default;
            update.Flags = UpdateFlags.Timers;
            update.SignalFence = fence;
            for (var frame = 1ul; frame <= 3; frame++)
            {
                update.SignalValue = frame;
                world.Solver.Update(update, out _);
            }
            Expect.Equal(Result.Success, fence.Wait(3));
            var timers = world.Solver.Timers;
            Expect.That(timers.Update > 0 && timers.TotalNs > 0, "times have arrived");
            Expect.That(timers.PartNs(Part.Programs) + timers.PartNs(Part.Iterations) <= timers.TotalNs,
                "parts are no more");
            Expect.That(timers.StageNs(Stage.Phases) > 0, "phases take time");
            Expect.Throws<ArgumentOutOfRangeException>(() => timers.StageNs((Stage)32));
            Expect.Throws<ClothcException>(() => fence.Export());
            Expect.Throws<ClothcException>(() => world.Device.ImportFence(ExternalHandle.Default));
            Expect.Throws<ClothcException>(() => world.Solver.CaptureUpdate(IntPtr.Zero, 0.01f));
        }
    }
}
