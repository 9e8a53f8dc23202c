// MappingTest.cs - buffers of all kinds that a processor has, and misuse of mappings.
using System;
using Clothc;

internal static class MappingTest
{
    [Test]
    private static void A_mapping_writes_and_reads()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(8))
        {
            using (var mapping = buffer.Map(MapFlags.Write | MapFlags.Discard))
            {
                var elements = mapping.Span;
                for (var index = 0; index < 8; index++) elements[index] = new Float4(index, 0, 0, 1);
            }
            using (var mapping = buffer.Map()) Expect.Equal(7f, mapping.ReadOnlySpan[7].X);
            Expect.Equal(5f, buffer.ToArray()[5].X);
            buffer.Write(new[] { new Float4(9, 9, 9, 9) }, 2);
            var one = new Float4[1];
            buffer.Read(one, 2);
            Expect.Equal(9f, one[0].W);
            Expect.Equal(128ul, buffer.Info.Size);
            Expect.That(!buffer.Info.Mapped, "the buffer is not mapped");
        }
    }

    [Test]
    private static void Use_after_unmap_throws()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float3>(4))
        {
            var mapping = buffer.Map(MapFlags.Read | MapFlags.Write);
            var copy = mapping;
            mapping.Dispose();
            Expect.Throws<ObjectDisposedException>(() => mapping.Span.Clear());
            Expect.Throws<ObjectDisposedException>(() => copy.ReadOnlySpan.ToArray());
            Expect.That(!copy.IsActive, "the copy has ended too");
            var next = buffer.Map();
            copy.Dispose();
            Expect.That(next.IsActive && buffer.Info.Mapped, "an old mapping ends no new one");
            Expect.Throws<InvalidOperationException>(() => next.Span.Clear());
            next.Dispose();
            next.Dispose();
            Expect.Throws<ObjectDisposedException>(() => default(Mapping<Float3>).ReadOnlySpan.ToArray());
        }
    }

    [Test]
    private static void A_second_map_and_a_set_while_mapped_fail()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(World.VertexCount))
        {
            world.Solver.AddCloth(world.Fabric);
            using (buffer.Map(MapFlags.Read | MapFlags.Write))
            {
                Expect.Equal(Result.ErrorInvalidState, Expect.Throws<ClothcException>(() => buffer.Map()).Result);
                var error = Expect.Throws<ClothcException>(() => world.Solver.Set(Channel.Position, buffer));
                Expect.Equal(Result.ErrorInvalidState, error.Result);
                Expect.That(error.Message.Contains("map"), error.Message);
                Expect.Throws<ClothcException>(() => world.Solver.Get(Channel.Position, buffer));
            }
            world.Solver.Get(Channel.Position, buffer);
        }
    }

    [Test]
    private static void A_mapping_ends_with_its_buffer_and_its_device()
    {
        var world = new World();
        var first = world.Device.CreateBuffer<float>(4);
        var mapping = first.Map();
        first.Dispose();
        Expect.Throws<ObjectDisposedException>(() => mapping.ReadOnlySpan.ToArray());
        mapping.Dispose();
        var second = world.Device.CreateBuffer<float>(4);
        mapping = second.Map();
        world.Dispose();
        Expect.Throws<ObjectDisposedException>(() => mapping.ReadOnlySpan.ToArray());
        mapping.Dispose();
    }

    [Test]
    private static void TryMap_says_that_a_buffer_is_busy()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(World.VertexCount))
        {
            world.Solver.AddCloth(world.Fabric);
            var fence = world.Device.CreateFence();
            var update = Update.Default;
            update.WaitFence = fence;
            update.WaitValue = 1;
            world.Solver.Update(update, out _);
            world.Solver.Get(Channel.Position, buffer);
            Expect.Equal(Result.NotReady, buffer.TryMap(MapFlags.Read | MapFlags.NoWait, out var none));
            Expect.That(!none.IsActive && buffer.Info.Busy, "the buffer is busy");
            Expect.Throws<InvalidOperationException>(() => buffer.Map(MapFlags.Read | MapFlags.NoWait));
            fence.Signal(1);
            Expect.Equal(Result.Success, buffer.TryMap(MapFlags.Read, out var mapping));
            mapping.Dispose();
        }
    }

    [Test]
    private static void A_wrapped_array_receives_positions()
    {
        var array = new Float4[World.VertexCount];
        using (var world = new World())
        {
            world.Solver.AddCloth(world.Fabric);
            using (var buffer = world.Device.WrapArray(array))
            {
                Expect.Equal(BufferKind.WrappedHost, buffer.Info.Kind);
                world.Solver.Get(Channel.Position, buffer);
            }
            Expect.Equal(0.1f, array[1].X, "x of vertex 1");
        }
    }

    [Test]
    private static void What_a_processor_cannot_make_is_a_host_buffer_that_says_why()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(World.VertexCount, BufferKind.Exportable,
            BufferFlags.HostIfUnsupported))
        using (var device = world.Device.CreateBuffer<Float4>(1, BufferKind.Device, BufferFlags.HostIfUnsupported))
        {
            Expect.Equal(BufferKind.Host, buffer.Info.Kind);
            Expect.Equal(BufferKind.Exportable, buffer.Info.RequestedKind);
            Expect.That(buffer.Info.Reason.Contains("CLOTHC_CAPABILITY_EXTERNAL_MEMORY"), buffer.Info.Reason);
            Expect.Equal(BufferKind.Device, device.Info.Kind);
            Expect.Equal("", device.Info.Reason);
            world.Solver.AddCloth(world.Fabric);
            world.Solver.Get(Channel.Position, buffer);
            using (var mapping = buffer.Map()) Expect.Equal(0.1f, mapping.ReadOnlySpan[1].X, "x of vertex 1");
            Expect.Throws<ClothcException>(() => buffer.Export());
        }
    }

    [Test]
    private static void Types_have_their_formats_and_kinds_their_errors()
    {
        using (var world = new World())
        {
            Expect.Equal(Format.Float, world.Device.CreateBuffer<float>(1).Info.Format);
            Expect.Equal(Format.Uint, world.Device.CreateBuffer<uint>(1).Info.Format);
            Expect.Equal(Format.Float3, world.Device.CreateBuffer<Float3>(1).Info.Format);
            Expect.Equal(232u, world.Device.CreateBuffer<ClothParameters>(1).Info.Stride);
            var device = world.Device.CreateBuffer<Float4>(4, BufferKind.Device);
            device.Write(new Float4[4]);
            Expect.Equal(Result.ErrorInvalidState, Expect.Throws<ClothcException>(() => device.Map()).Result);
            // What a processor cannot do: kinds of a GPU, and CUDA.
            var kinds = new[] { BufferKind.Exportable, BufferKind.Imported, BufferKind.WrappedDevice };
            foreach (var kind in kinds)
                Expect.Throws<ClothcException>(() => world.Device.CreateBuffer<Float4>(4, kind));
            Expect.Throws<ClothcException>(() => device.Export());
            var error = Expect.Throws<ClothcException>(() => device.CudaPointer.ToString());
            Expect.Equal(Result.ErrorUnsupported, error.Result);
        }
    }
}
