// Indices.cs - vertex indices of a mesh, of 2 or 4 bytes each, as arrays of any integer type hold them.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>Vertex indices of 2 or 4 bytes. Arrays and spans of integers convert to it.</summary>
    public readonly ref struct Indices
    {
        private Indices(ReadOnlySpan<byte> bytes, int size) { Bytes = bytes; Size = size; }

        /// <summary>The memory of the indices.</summary>
        public ReadOnlySpan<byte> Bytes { get; }

        /// <summary>Bytes per index; 0 if there are none.</summary>
        public int Size { get; }

        /// <summary>Number of indices.</summary>
        public int Length => Size == 0 ? 0 : Bytes.Length / Size;

        /// <summary>Takes an array.</summary>
        public static implicit operator Indices(int[] indices) => new ReadOnlySpan<int>(indices);

        /// <summary>Takes an array.</summary>
        public static implicit operator Indices(uint[] indices) => new ReadOnlySpan<uint>(indices);

        /// <summary>Takes an array.</summary>
        public static implicit operator Indices(ushort[] indices) => new ReadOnlySpan<ushort>(indices);

        /// <summary>Takes a span.</summary>
        public static implicit operator Indices(ReadOnlySpan<int> indices) =>
            new Indices(MemoryMarshal.AsBytes(indices), 4);

        /// <summary>Takes a span.</summary>
        public static implicit operator Indices(ReadOnlySpan<uint> indices) =>
            new Indices(MemoryMarshal.AsBytes(indices), 4);

        /// <summary>Takes a span.</summary>
        public static implicit operator Indices(ReadOnlySpan<ushort> indices) =>
            new Indices(MemoryMarshal.AsBytes(indices), 2);

        internal static uint CommonSize(Indices first, Indices second, uint initial)
        {
            if (first.Length != 0 && second.Length != 0 && first.Size != second.Size)
                throw new ArgumentException("triangles and quads must have indices of the same size");
            if (first.Length != 0) return (uint)first.Size;
            return second.Length != 0 ? (uint)second.Size : initial;
        }
    }
}
