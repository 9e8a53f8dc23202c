// LibraryObject.cs - what all objects with a handle share: they are disposed, and errors become exceptions.
using System;

namespace Clothc
{
    /// <summary>An object of the library. Dispose destroys it; a finaliser does so for one that was
    /// forgotten.</summary>
    public abstract class LibraryObject<THandle> : IDisposable where THandle : ClothcHandle
    {
        internal LibraryObject(THandle handle) { Handle = handle; }

        /// <summary>The handle, for calls of <see cref="Native"/>.</summary>
        public THandle Handle { get; }

        /// <summary>Whether the object, or the device that it was made from, has been disposed.</summary>
        public bool IsDisposed => Handle.IsClosed || Handle.Device != null && Handle.Device.IsClosed;

        /// <summary>Destroys the object. Doing so again, or after its device was disposed, has no effect.</summary>
        public virtual void Dispose() => Handle.Dispose();

        /// <summary>Throws the exception of an error and returns every other result.</summary>
        internal Result Check(Result result)
        {
            if (result == Result.ErrorInvalidHandle) ThrowIfDisposed();
            return ClothcException.Check(result);
        }

        internal void ThrowIfDisposed()
        {
            if (IsDisposed) throw new ObjectDisposedException(GetType().Name);
        }

        /// <summary>The address within a struct of C: zero for null.</summary>
        internal static IntPtr AddressOf(LibraryObject<THandle> value)
        {
            if (value == null) return IntPtr.Zero;
            value.ThrowIfDisposed();
            return value.Handle.DangerousGetHandle();
        }
    }
}
