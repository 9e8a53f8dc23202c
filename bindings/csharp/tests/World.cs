// World.cs - what most tests need: a small device, and a level sheet that hangs by its first row.
using System;
using System.Runtime.CompilerServices;
using System.Threading;
using Clothc;

internal sealed class World : IDisposable
{
    internal const int Side = 12, VertexCount = Side * Side;

    internal World(uint workerCount = 1)
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.WorkerCount = workerCount;
        Device = Device.Create(desc);
        Solver = Device.CreateSolver();
        Fabric = CookSheet(Device);
    }

    internal Device Device { get; }

    internal Solver Solver { get; }

    internal Fabric Fabric { get; }

    public void Dispose() => Device.Dispose();

    internal static Float3[] SheetPositions()
    {
        var positions = new Float3[VertexCount];
        for (var vertex = 0; vertex < VertexCount; vertex++)
            positions[vertex] = new Float3(0.1f * (vertex % Side), 0, 0.1f * (vertex / Side));
        return positions;
    }

    internal static uint[] SheetQuads()
    {
        var quads = new uint[4 * (Side - 1) * (Side - 1)];
        for (var quad = 0; quad < quads.Length / 4; quad++)
        {
            var first = (uint)(quad / (Side - 1) * Side + quad % (Side - 1));
            var corners = new[] { first, first + 1, first + Side + 1, first + Side };
            corners.CopyTo(quads, 4 * quad);
        }
        return quads;
    }

    internal static float[] SheetInverseMasses()
    {
        var inverseMasses = new float[VertexCount];
        for (var vertex = Side; vertex < VertexCount; vertex++) inverseMasses[vertex] = 1;
        return inverseMasses;
    }

    internal static Fabric CookSheet(Device device)
    {
        var mesh = MeshDesc.Default;
        mesh.Positions = SheetPositions();
        mesh.InverseMasses = SheetInverseMasses();
        mesh.Quads = SheetQuads();
        mesh.Flags = CookFlags.KeepOrder;
        return device.Cook(mesh);
    }

    // The lowest particle of a solver with one sheet.
    internal float LowestHeight()
    {
        using (var buffer = Device.CreateBuffer<Float4>(VertexCount))
        {
            Solver.Get(Channel.Position, buffer);
            var lowest = float.MaxValue;
            foreach (var position in buffer.ToArray()) lowest = Math.Min(lowest, position.Y);
            return lowest;
        }
    }

    // Runs an action on a thread of its own, so that nothing on this stack refers to what it made.
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static void OnOtherThread(Action action)
    {
        Exception error = null;
        var thread = new Thread(() =>
        {
            try { action(); }
            catch (Exception thrown) { error = thrown; }
        });
        thread.Start();
        thread.Join();
        if (error != null) throw new Exception("on another thread", error);
    }

    // Finalises what cannot be reached any more.
    internal static void Collect()
    {
        for (var round = 0; round < 3; round++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }
}
