// FabricTest.cs - devices are listed, and fabrics cooked, given as arrays, read, saved and loaded.
using System;
using System.Linq;
using Clothc;

internal static class FabricTest
{
    [Test]
    private static void Devices_are_listed_with_reasons()
    {
        var infos = Device.Enumerate();
        var processor = infos.Single(info => info.Backend == Backend.Cpu);
        Expect.That(processor.Available && processor.Name.Length > 0, "the processor has a name");
        Expect.That(processor.Capabilities.HasFlag(CapabilityFlags.StrictParity), "its bits are those of all devices");
        foreach (var info in infos)
            Expect.That(info.Available || info.Reason.Length > 0, $"{info.Backend} has a reason");
        Expect.Equal(16, processor.Uuid.Length, "bytes of a UUID");
        using (var world = new World(2))
        {
            Expect.Equal(2u, world.Device.Info.WorkerCount);
            Expect.Equal(processor.Name, world.Device.Info.Name);
        }
        Expect.Throws<ArgumentException>(() =>
        {
            var wrong = DeviceDesc.Default;
            wrong.Uuid = new byte[3];
        });
    }

    [Test]
    private static void CUDA_is_refused_with_a_reason_or_works()
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cuda;
        var cuda = Device.Enumerate().Where(info => info.Backend == Backend.Cuda && info.Available).ToArray();
        if (cuda.Length > 0)
        {
            using (var device = Device.CreateCuda(desc, CudaDeviceDesc.Default))
            using (var buffer = device.CreateBuffer<Float4>(4, BufferKind.Device))
                Expect.That(buffer.CudaPointer != 0, "the buffer has an address");
            return;
        }
        foreach (var adopted in new CudaDeviceDesc?[] { null, CudaDeviceDesc.Default })
            Expect.Equal(Result.ErrorUnsupported, Expect.Throws<ClothcException>(() => CreateCuda(adopted)).Result);
    }

    private static void CreateCuda(CudaDeviceDesc? cuda)
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cuda;
        Device.CreateCuda(desc, cuda).Dispose();
    }

    [Test]
    private static void A_saved_fabric_has_the_same_hash()
    {
        using (var world = new World())
        using (var loaded = world.Device.LoadFabric(world.Fabric.Save()))
        {
            Expect.Equal(world.Fabric.Info.ContentHash, loaded.Info.ContentHash, "content hash");
            Expect.Throws<ClothcException>(() => world.Device.LoadFabric(new byte[100]));
        }
    }

    [Test]
    private static void Indices_of_every_size_cook_the_same_fabric()
    {
        using (var world = new World())
        {
            var quads = World.SheetQuads();
            var mesh = MeshDesc.Default;
            mesh.Positions = World.SheetPositions();
            mesh.InverseMasses = World.SheetInverseMasses();
            mesh.Flags = CookFlags.KeepOrder;
            mesh.Quads = Array.ConvertAll(quads, index => (ushort)index);
            var wanted = world.Fabric.Info.ContentHash;
            using (var fabric = world.Device.Cook(mesh))
                Expect.Equal(wanted, fabric.Info.ContentHash, "hash of ushort");
            mesh.Quads = Array.ConvertAll(quads, index => (int)index);
            using (var fabric = world.Device.Cook(mesh)) Expect.Equal(wanted, fabric.Info.ContentHash, "hash of int");
            // Positions every 16 bytes, as in vertices that hold other data too.
            mesh.VertexCount = World.VertexCount;
            mesh.PositionStride = 16;
            var wide = Array.ConvertAll(World.SheetPositions(), p => new Float4(p.X, p.Y, p.Z, 7));
            mesh.Positions = System.Runtime.InteropServices.MemoryMarshal.Cast<Float4, Float3>(wide);
            using (var fabric = world.Device.Cook(mesh))
                Expect.Equal(wanted, fabric.Info.ContentHash, "hash of wide vertices");
        }
    }

    [Test]
    private static void Arrays_of_a_fabric_make_an_equal_one()
    {
        using (var world = new World())
        {
            var info = world.Fabric.Info;
            var desc = FabricDesc.Default;
            desc.Positions = world.Fabric.Read<Float4>(FabricArray.Positions);
            desc.PhaseSets = world.Fabric.Read<uint>(FabricArray.PhaseSets);
            desc.PhaseTypes = world.Fabric.Read<uint>(FabricArray.PhaseTypes);
            desc.SetEnds = world.Fabric.Read<uint>(FabricArray.SetEnds);
            desc.Indices = world.Fabric.Read<uint>(FabricArray.Indices);
            desc.RestLengths = world.Fabric.Read<float>(FabricArray.RestLengths);
            desc.Triangles = world.Fabric.Read<uint>(FabricArray.Triangles);
            desc.Flags = FabricFlags.ExactLengths;
            using (var fabric = world.Device.CreateFabric(desc))
            {
                Expect.Equal(info.ConstraintCount, fabric.Info.ConstraintCount, "number of constraints");
                Expect.Equal(info.ParticleCount, fabric.Info.ParticleCount, "number of particles");
            }
            Expect.Throws<ArgumentException>(() => world.Fabric.Read<ClothFrame>(FabricArray.RestLengths));
        }
    }

    [Test]
    private static void Sets_of_constraints_are_given_by_type()
    {
        using (var world = new World())
        {
            var desc = FabricDesc.Default;
            desc.Positions = new[] { new Float4(0, 0, 0, 0), new Float4(0, -1, 0, 1), new Float4(1, 0, 0, 1) };
            desc.PhaseSets = new uint[] { 0, 1 };
            desc.ConstraintSets = new[]
            {
                new ConstraintSet
                {
                    Type = ConstraintType.Distance,
                    Count = 1,
                    Particles = new uint[] { 0, 1 },
                    Parameters = new[] { 1f },
                },
                new ConstraintSet
                {
                    Type = ConstraintType.TriangleArea,
                    Count = 1,
                    Particles = new uint[] { 0, 1, 2 },
                    Parameters = new[] { 0.5f, 1 },
                },
            };
            using (var fabric = world.Device.CreateFabric(desc))
            {
                Expect.Equal(2u, fabric.Info.ConstraintSetCount, "number of sets");
                var types = fabric.Read<uint>(FabricArray.ConstraintTypes);
                Expect.Equal((uint)ConstraintType.TriangleArea, types[1], "type");
            }
        }
    }

    [Test]
    private static void Diagnostics_say_what_was_left_out()
    {
        using (var world = new World())
        {
            var mesh = MeshDesc.Default;
            mesh.Positions = World.SheetPositions();
            mesh.Triangles = new[] { 0, 1, 12, 3, 3, 4 };
            using (var fabric = world.Device.Cook(mesh))
            {
                var diagnostics = fabric.GetDiagnostics();
                var found = diagnostics.First(diagnostic => diagnostic.Kind == DiagnosticKind.RepeatedVertex);
                Expect.Equal(1u, found.First, "face");
                Expect.That(found.Message.Length > 10, found.Message);
            }
        }
    }
}
