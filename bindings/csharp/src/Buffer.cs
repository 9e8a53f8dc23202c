// Buffer.cs - flat memory that sets and gets copy, with elements of one type.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>Flat memory with elements of some type.</summary>
    public abstract unsafe class DataBuffer : LibraryObject<BufferHandle>
    {
        internal DataBuffer(BufferHandle handle) : base(handle) { }

        /// <summary>Goes up with each unmap, so that a mapping knows whether it is still the present one.</summary>
        internal uint UnmapCount;

        /// <summary>What the buffer is, and whether it is mapped or busy.</summary>
        public BufferInfo Info
        {
            get
            {
                var info = BufferInfo.Default;
                Check(Native.BufferGetInfo(Handle, &info));
                return info;
            }
        }

        /// <summary>Exports the memory of an EXPORTABLE buffer. The caller closes the file descriptor or gives it
        /// away.</summary>
        public ExternalHandle Export()
        {
            var external = ExternalHandle.Default;
            Check(Native.BufferExport(Handle, &external));
            return external;
        }

        /// <summary>The CUdeviceptr of element 0 in a buffer of a CUDA device.</summary>
        public ulong CudaPointer
        {
            get
            {
                ulong pointer;
                Check(Native.CudaBufferGetPointer(Handle, &pointer));
                return pointer;
            }
        }

        /// <summary>The VkBuffer of a buffer, whose device works on the program's VkDevice, and the offset of element 0
        /// in it in bytes.</summary>
        public ulong GetVulkanHandle(out ulong offset)
        {
            ulong handle, first;
            Check(Native.VulkanBufferGetHandle(Handle, &handle, &first));
            offset = first;
            return handle;
        }
    }

    /// <summary>Flat memory with elements of a type, which <see cref="Device"/> makes.</summary>
    public sealed unsafe class Buffer<T> : DataBuffer where T : struct
    {
        /// <summary>Bytes per element.</summary>
        public static readonly int ElementSize = MemoryMarshal.AsBytes(new Span<T>(new T[1])).Length;

        /// <summary>The format of the elements.</summary>
        public static readonly Format ElementFormat = FormatOf(typeof(T), ElementSize);

        internal Buffer(BufferHandle handle, long count) : base(handle) { Count = count; }

        /// <summary>Number of elements.</summary>
        public long Count { get; }

        /// <summary>Maps the buffer for reading or writing until the mapping is disposed, and waits for the work that
        /// uses it. Only one mapping can exist at a time.</summary>
        public Mapping<T> Map(MapFlags flags = MapFlags.Read)
        {
            if (TryMap(flags, out var mapping) != Result.Success)
                throw new InvalidOperationException("the buffer is busy; a map with NO_WAIT needs TryMap");
            return mapping;
        }

        /// <summary>Maps the buffer. With NO_WAIT the result is NOT_READY while work uses it.</summary>
        public Result TryMap(MapFlags flags, out Mapping<T> mapping)
        {
            void* pointer;
            var result = Check(Native.BufferMap(Handle, flags, &pointer));
            mapping = result == Result.Success ? new Mapping<T>(this, (IntPtr)pointer, flags) : default(Mapping<T>);
            return result;
        }

        /// <summary>Copies elements out of the buffer, after the sets and gets that use it.</summary>
        public void Read(Span<T> elements, long first = 0)
        {
            fixed (byte* data = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(elements)))
                Check(Native.BufferRead(Handle, OffsetOf(first), (ulong)elements.Length * (ulong)ElementSize, data));
        }

        /// <summary>Copies elements into the buffer, after the sets and gets that use it.</summary>
        public void Write(ReadOnlySpan<T> elements, long first = 0)
        {
            fixed (byte* data = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(elements)))
                Check(Native.BufferWrite(Handle, OffsetOf(first), (ulong)elements.Length * (ulong)ElementSize, data));
        }

        /// <summary>Copies all elements into a new array.</summary>
        public T[] ToArray()
        {
            var elements = new T[Count];
            Read(elements);
            return elements;
        }

        private static ulong OffsetOf(long first) => checked((ulong)first * (ulong)ElementSize);

        private static Format FormatOf(Type type, int size)
        {
            if (type == typeof(float)) return Format.Float;
            if (type == typeof(uint) || type == typeof(int)) return Format.Uint;
            return size == 12 ? Format.Float3 : size == 16 ? Format.Float4 : Format.Record;
        }
    }
}
