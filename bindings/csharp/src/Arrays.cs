// Arrays.cs - checks that arrays are as long as the library will read them, which the library itself cannot know. An
// empty array stands for NULL; whether that is allowed is for the library to say.
using System;

namespace Clothc
{
    internal static class Arrays
    {
        internal static void Require(string name, int length, ulong need)
        {
            if (length != 0 && (ulong)length < need)
                throw new ArgumentException($"{name} has {length} elements; want {need}, as the counts say", name);
        }

        /// <summary>The same for elements that are stride bytes apart.</summary>
        internal static void Require(string name, int length, long size, ulong count, long elementSize, ulong stride)
        {
            var bytes = (ulong)length * (ulong)size;
            var step = stride == 0 ? (ulong)elementSize : stride;
            if (length == 0 || count == 0) return;
            if (count > bytes || (count - 1) * step + (ulong)elementSize > bytes)
                throw new ArgumentException($"{name} has {bytes} bytes, too few for {count} elements every {step}",
                    name);
        }

        /// <summary>The last of so many prefix sums: how many elements they divide.</summary>
        internal static ulong Last(ReadOnlySpan<uint> ends, uint count) =>
            count == 0 || count > (uint)ends.Length ? 0 : ends[(int)count - 1];
    }
}
