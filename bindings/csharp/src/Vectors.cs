// Vectors.cs - small vectors with the layout that the library uses. Vectors of other libraries have the same one:
// System.Runtime.InteropServices.MemoryMarshal.Cast turns spans of theirs into spans of these.
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>Two floats: u v.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float2
    {
        /// <summary>The first component.</summary>
        public float X;
        /// <summary>The second component.</summary>
        public float Y;

        /// <summary>Makes a vector.</summary>
        public Float2(float x, float y) { X = x; Y = y; }

        /// <inheritdoc/>
        public override string ToString() => $"({X} {Y})";
    }

    /// <summary>Three floats: x y z.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float3
    {
        /// <summary>The first component.</summary>
        public float X;
        /// <summary>The second component.</summary>
        public float Y;
        /// <summary>The third component.</summary>
        public float Z;

        /// <summary>Makes a vector.</summary>
        public Float3(float x, float y, float z) { X = x; Y = y; Z = z; }

        /// <inheritdoc/>
        public override string ToString() => $"({X} {Y} {Z})";
    }

    /// <summary>Four floats: x y z w, often a position with an inverse mass, or a quaternion.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Float4
    {
        /// <summary>The first component.</summary>
        public float X;
        /// <summary>The second component.</summary>
        public float Y;
        /// <summary>The third component.</summary>
        public float Z;
        /// <summary>The fourth component.</summary>
        public float W;

        /// <summary>Makes a vector.</summary>
        public Float4(float x, float y, float z, float w) { X = x; Y = y; Z = z; W = w; }

        /// <inheritdoc/>
        public override string ToString() => $"({X} {Y} {Z} {W})";
    }

    /// <summary>Three doubles.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct Double3
    {
        /// <summary>The first component.</summary>
        public double X;
        /// <summary>The second component.</summary>
        public double Y;
        /// <summary>The third component.</summary>
        public double Z;
    }

    /// <summary>Three unsigned integers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UInt3
    {
        /// <summary>The first component.</summary>
        public uint X;
        /// <summary>The second component.</summary>
        public uint Y;
        /// <summary>The third component.</summary>
        public uint Z;

        /// <summary>Makes a vector.</summary>
        public UInt3(uint x, uint y, uint z) { X = x; Y = y; Z = z; }
    }

    /// <summary>Four unsigned integers.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct UInt4
    {
        /// <summary>The first component.</summary>
        public uint X;
        /// <summary>The second component.</summary>
        public uint Y;
        /// <summary>The third component.</summary>
        public uint Z;
        /// <summary>The fourth component.</summary>
        public uint W;

        /// <summary>Makes a vector.</summary>
        public UInt4(uint x, uint y, uint z, uint w) { X = x; Y = y; Z = z; W = w; }
    }
}
