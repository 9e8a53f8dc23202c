// Mapping.cs - the time during which the host may use the memory of a buffer. Copies of a mapping end together: every
// use after the first Dispose throws.
using System;

namespace Clothc
{
    /// <summary>The memory of a mapped buffer. Dispose unmaps it. Spans that were taken before must not be used after
    /// that.</summary>
    public readonly unsafe struct Mapping<T> : IDisposable where T : struct
    {
        private readonly Buffer<T> buffer;
        private readonly IntPtr pointer;
        private readonly MapFlags flags;
        private readonly uint unmapCount;

        internal Mapping(Buffer<T> buffer, IntPtr pointer, MapFlags flags)
        {
            this.buffer = buffer;
            this.pointer = pointer;
            this.flags = flags;
            unmapCount = buffer.UnmapCount;
        }

        /// <summary>Whether the memory may be used.</summary>
        public bool IsActive => buffer != null && buffer.UnmapCount == unmapCount && !buffer.IsDisposed;

        /// <summary>The elements, for writing.</summary>
        public Span<T> Span => Slice(0, Length);

        /// <summary>The elements, for reading.</summary>
        public ReadOnlySpan<T> ReadOnlySpan => new ReadOnlySpan<T>(At(0), Length);

        /// <summary>The address of element 0.</summary>
        public IntPtr Pointer => (IntPtr)At(0);

        /// <summary>Some of the elements, for writing: needed for buffers with more than 2^31 - 1 elements.</summary>
        public Span<T> Slice(long first, int count)
        {
            if ((flags & MapFlags.Write) == 0)
                throw new InvalidOperationException("the buffer was mapped without WRITE");
            var address = At(first);
            if (count < 0 || first + count > buffer.Count) throw new ArgumentOutOfRangeException(nameof(count));
            return new Span<T>(address, count);
        }

        /// <summary>Ends the mapping.</summary>
        public void Dispose()
        {
            if (!IsActive) return;
            buffer.UnmapCount++;
            buffer.Check(Native.BufferUnmap(buffer.Handle));
        }

        private int Length => checked((int)(buffer?.Count ?? 0));

        private void* At(long first)
        {
            if (!IsActive) throw new ObjectDisposedException(nameof(Mapping<T>), "the buffer is no longer mapped");
            if (first < 0 || first > buffer.Count) throw new ArgumentOutOfRangeException(nameof(first));
            return (byte*)pointer + first * Buffer<T>.ElementSize;
        }
    }
}
