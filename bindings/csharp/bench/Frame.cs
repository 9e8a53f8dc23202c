// Frame.cs - bench/bindings/frame.c in C#: update a cloth of 1,000 particles, get its positions, map them, read one,
// unmap them. Prints the median of the frames in nanoseconds. Usage: Frame [FRAMES [DT]]. With a DT of 0 the cloth does
// not move, and the frame is almost only calls.
using System;
using System.Diagnostics;
using System.Globalization;
using Clothc;

internal static class Frame
{
    private const int Columns = 40, Rows = 25, VertexCount = Columns * Rows, QuadCount = (Columns - 1) * (Rows - 1);
    private const int WarmUp = 200;

    private static int Main(string[] arguments)
    {
        var frameCount = arguments.Length > 0 ? int.Parse(arguments[0], CultureInfo.InvariantCulture) : 2000;
        var deviceDesc = DeviceDesc.Default;
        deviceDesc.Backend = Backend.Cpu;
        deviceDesc.WorkerCount = 1;
        using (var device = Device.Create(deviceDesc))
        using (var solver = device.CreateSolver())
        using (var fabric = Cook(device))
        using (var buffer = device.CreateBuffer<Float4>(VertexCount))
        {
            solver.AddCloth(fabric);
            var update = Update.Default;
            if (arguments.Length > 1) update.Dt = float.Parse(arguments[1], CultureInfo.InvariantCulture);

            var times = new long[WarmUp + frameCount];
            var height = 0f;
            for (var frame = 0; frame < times.Length; frame++)
            {
                var begin = Stopwatch.GetTimestamp();
                solver.Update(update, out _);
                solver.Get(Channel.Position, buffer);
                using (var mapping = buffer.Map()) height += mapping.ReadOnlySpan[VertexCount - 1].Y;
                times[frame] = Stopwatch.GetTimestamp() - begin;
            }
            Array.Sort(times, WarmUp, frameCount);
            var median = times[WarmUp + frameCount / 2] * (1e9 / Stopwatch.Frequency);
            Console.WriteLine("median_ns " + median.ToString("F0", CultureInfo.InvariantCulture));
            // The sum of the heights keeps the read. It is finite.
            return float.IsNaN(height - height) ? 1 : 0;
        }
    }

    private static Fabric Cook(Device device)
    {
        var positions = new Float3[VertexCount];
        var inverseMasses = new float[VertexCount];
        var quads = new uint[4 * QuadCount];
        for (var vertex = 0; vertex < VertexCount; vertex++)
        {
            positions[vertex] = new Float3(0.05f * (vertex % Columns), 0, 0.05f * (vertex / Columns));
            inverseMasses[vertex] = vertex < Columns ? 0 : 1;
        }
        for (var quad = 0; quad < QuadCount; quad++)
        {
            var first = (uint)(quad / (Columns - 1) * Columns + quad % (Columns - 1));
            quads[4 * quad] = first;
            quads[4 * quad + 1] = first + 1;
            quads[4 * quad + 2] = first + 1 + Columns;
            quads[4 * quad + 3] = first + Columns;
        }
        var mesh = MeshDesc.Default;
        mesh.Positions = positions;
        mesh.InverseMasses = inverseMasses;
        mesh.Quads = quads;
        return device.Cook(mesh);
    }
}
