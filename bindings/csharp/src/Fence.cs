// Fence.cs - a value that only grows, for waiting and signalling.

namespace Clothc
{
    /// <summary>A 64-bit value that only grows, which <see cref="Device"/> makes. Updates keep the fences that they
    /// wait for or will signal.</summary>
    public sealed unsafe class Fence : LibraryObject<FenceHandle>
    {
        internal Fence(FenceHandle handle) : base(handle) { }

        /// <summary>The present value.</summary>
        public ulong Value
        {
            get
            {
                ulong value;
                Check(Native.FenceGetValue(Handle, &value));
                return value;
            }
        }

        /// <summary>Raises the fence to a value.</summary>
        public void Signal(ulong value) => Check(Native.FenceSignal(Handle, value));

        /// <summary>Waits until the fence has reached a value: SUCCESS, or TIMEOUT after so many nanoseconds.</summary>
        public Result Wait(ulong value, ulong timeoutNs = Constants.WaitForever) =>
            Check(Native.FenceWait(Handle, value, timeoutNs));

        /// <summary>Exports the fence as a timeline semaphore. The caller closes the file descriptor or gives it
        /// away.</summary>
        public ExternalHandle Export()
        {
            var external = ExternalHandle.Default;
            Check(Native.FenceExport(Handle, &external));
            return external;
        }
    }
}
