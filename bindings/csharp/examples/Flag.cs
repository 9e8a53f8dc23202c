// Flag.cs - examples/flag.c in C#: a sheet on a mast in gusty wind. Prints its stretch and the hash of its state, which
// are those of the C program. Usage: Flag [FRAMES]. Without the number it simulates 300 frames, which are 5 seconds.
//
// A cast to float follows every operation on floats, because a run time may compute them in double otherwise.
using System;
using System.Globalization;
using Clothc;

internal static class Flag
{
    private const int Columns = 81, Rows = 53, VertexCount = Columns * Rows, QuadCount = (Columns - 1) * (Rows - 1);

    private static readonly Float3[] positions = new Float3[VertexCount];
    private static readonly float[] inverseMasses = new float[VertexCount];
    private static readonly uint[] quads = new uint[4 * QuadCount];

    // Velocity, frequency and phase of each gust.
    private static readonly float[][] gusts =
    {
        new[] { 1.2f, 0, 1.8f, 0.41f, 0 },
        new[] { 0.6f, 0.4f, 1.6f, 1.37f, 0.2f },
        new[] { 0.3f, 0.3f, 1.0f, 3.1f, 0.6f },
    };

    private static int Main(string[] arguments)
    {
        var frameCount = arguments.Length > 0 ? int.Parse(arguments[0], CultureInfo.InvariantCulture) : 300;
        try
        {
            Simulate(frameCount);
            return 0;
        }
        catch (ClothcException error)
        {
            Console.Error.WriteLine($"{ClothcLibrary.NameOf(error.Result)}: {error.Message}");
            return 1;
        }
    }

    private static void Simulate(int frameCount)
    {
        MakeSheet();
        var deviceDesc = DeviceDesc.Default;
        deviceDesc.Backend = Backend.Cpu;
        using (var device = Device.Create(deviceDesc))
        using (var solver = device.CreateSolver())
        using (var fabric = Cook(device))
        {
            var parameters = ClothParameters.Default;
            parameters.SolverFrequency = 900;
            parameters.Damping = new Float3(0.3f, 0.3f, 0.3f);
            parameters.DragCoefficient = 0.012f;
            parameters.LiftCoefficient = 0.025f;
            parameters.FluidDensity = 1.2f;
            parameters.Statistics = StatisticFlags.Stretch;
            var clothDesc = ClothDesc.Default;
            clothDesc.Fabric = fabric;
            clothDesc.Parameters = parameters;
            clothDesc.ColliderSets = new[] { AddColliders(solver).Id };
            var cloth = solver.AddCloth(clothDesc);

            var update = Update.Default;
            for (var frame = 1; frame <= frameCount; frame++)
            {
                parameters.WindVelocity = Wind(frame * (double)update.Dt);
                cloth.Parameters = parameters;
                solver.Update(update, out _);
            }
            var stretch = 100 * (double)cloth.Status.LargestStretch;
            Console.WriteLine("stretch " + stretch.ToString("F3", CultureInfo.InvariantCulture) + " %");
            Console.WriteLine($"state hash {solver.ComputeStateHash():x16}");
        }
    }

    // 2 m x 1.3 m. The inverse mass 0 pins the left edge.
    private static void MakeSheet()
    {
        for (var row = 0; row < Rows; row++)
        {
            for (var column = 0; column < Columns; column++)
            {
                var vertex = row * Columns + column;
                var across = (float)((float)column / (float)(Columns - 1));
                var down = (float)((float)row / (float)(Rows - 1));
                positions[vertex].X = (float)(-1.0f + (float)(across * 2.0f));
                positions[vertex].Y = (float)(2.6f - (float)(down * 1.3f));
                inverseMasses[vertex] = column == 0 ? 0 : 1;
            }
        }
        for (var quad = 0; quad < QuadCount; quad++)
        {
            var first = (uint)(quad / (Columns - 1) * Columns + quad % (Columns - 1));
            quads[4 * quad] = first;
            quads[4 * quad + 1] = first + 1;
            quads[4 * quad + 2] = first + 1 + Columns;
            quads[4 * quad + 3] = first + Columns;
        }
    }

    private static Fabric Cook(Device device)
    {
        var mesh = MeshDesc.Default;
        mesh.Positions = positions;
        mesh.InverseMasses = inverseMasses;
        mesh.Quads = quads;
        mesh.ArealDensity = 0.35f;
        return device.Cook(mesh);
    }

    // The ground, and a mast that is 4 cm thick. Each convex is a list of planes.
    private static ColliderSet AddColliders(Solver solver)
    {
        var shapes = ColliderShapes.Default;
        shapes.Planes = new[]
        {
            new Float4(0, 1, 0, 0), new Float4(-1, 0, 0, -1.05f), new Float4(1, 0, 0, 1.01f), new Float4(0, -1, 0, 0),
            new Float4(0, 1, 0, -2.7f), new Float4(0, 0, -1, -0.02f), new Float4(0, 0, 1, -0.02f),
        };
        shapes.ConvexPlanes = new uint[] { 0, 1, 2, 3, 4, 5, 6 };
        shapes.ConvexEnds = new uint[] { 1, 7 };
        var set = solver.CreateColliderSet();
        set.Write(shapes);
        return set;
    }

    // A sine of period 1, approximated by parabolas, so that it is the same with every mathematics library.
    private static float Wave(double phase)
    {
        var x = 2 * (phase - Math.Floor(phase + 0.5));
        var parabola = 4 * x * (1 - Math.Abs(x));
        return (float)(parabola + 0.225 * parabola * (Math.Abs(parabola) - 1));
    }

    // 7 m/s from the mast to the free end, with gusts.
    private static Float3 Wind(double time)
    {
        var velocity = new Float3(7, 0.5f, 0);
        foreach (var gust in gusts)
        {
            var strength = Wave((double)gust[3] * time + (double)gust[4]);
            velocity.X = (float)(velocity.X + (float)(gust[0] * strength));
            velocity.Y = (float)(velocity.Y + (float)(gust[1] * strength));
            velocity.Z = (float)(velocity.Z + (float)(gust[2] * strength));
        }
        return velocity;
    }
}
