// Handles.cs - the SafeHandle of each kind of object. A handle keeps the handle of its device reachable, so a device is
// finalised only when nothing that was made from it can be reached any more. All of them are then finalised in any
// order, and the first one destroys the device. The library detects that the handles of the others have become invalid.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>A handle of the library.</summary>
    public abstract class ClothcHandle : SafeHandle
    {
        internal ClothcHandle(IntPtr value, DeviceHandle device) : base(IntPtr.Zero, true)
        {
            Device = device;
            SetHandle(value);
        }

        /// <inheritdoc/>
        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>The handle of the device that the object was made from; null for devices themselves.</summary>
        public DeviceHandle Device { get; }

        /// <summary>Destroys what the handle names.</summary>
        protected abstract Result Destroy();

        /// <summary>Destroys what the handle names. A finaliser destroys the device first if that cannot be reached
        /// either: unlike a single object, a device never waits for a fence that nobody will signal.</summary>
        protected override void Dispose(bool disposing)
        {
            if (!disposing && Device != null && Device.IsLost) Device.Dispose();
            base.Dispose(disposing);
        }

        /// <summary>What goes when the object is gone.</summary>
        internal virtual void Release() { }

        /// <inheritdoc/>
        protected override bool ReleaseHandle()
        {
            var device = Device ?? (DeviceHandle)this;
            // Nobody runs tasks or locks queues any more, so destroying could wait for ever. The process or the domain
            // ends.
            if (device.IsAbandoned) return true;
            var result = Destroy();
            // An object goes with its device, after which its handle is invalid.
            if (result != Result.Success && result != Result.ErrorInvalidHandle) return false;
            Release();
            return true;
        }
    }

    /// <summary>The handle of a device.</summary>
    public sealed class DeviceHandle : ClothcHandle
    {
        private readonly Callbacks callbacks;
        private readonly WeakReference self;

        internal DeviceHandle(IntPtr value, Callbacks callbacks) : base(value, null)
        {
            this.callbacks = callbacks;
            self = new WeakReference(this);
        }

        /// <summary>Whether the device waits for its finaliser, as an object that is finalised wants to know.</summary>
        internal bool IsLost => !self.IsAlive || Environment.HasShutdownStarted || IsUnloading;

        internal bool IsAbandoned => callbacks.ServeThreads && (Environment.HasShutdownStarted || IsUnloading);

#if ENABLE_IL2CPP
        private static bool IsUnloading => false; // There is only one domain.
#else
        private static bool IsUnloading => AppDomain.CurrentDomain.IsFinalizingForUnload();
#endif

        /// <inheritdoc/>
        protected override Result Destroy() => Native.DeviceDestroy(handle);

        internal override void Release() => callbacks.Release();
    }

    /// <summary>The handle of a buffer.</summary>
    public sealed class BufferHandle : ClothcHandle
    {
        /// <summary>Stands for NULL.</summary>
        public static readonly BufferHandle Null = new BufferHandle(IntPtr.Zero, null);

        internal BufferHandle(IntPtr value, DeviceHandle device) : base(value, device) { }

        /// <summary>Memory of the program that the buffer wraps, held in place.</summary>
        internal GCHandle Pin;

        /// <inheritdoc/>
        protected override Result Destroy() => Native.BufferDestroy(handle);

        internal override void Release() { if (Pin.IsAllocated) Pin.Free(); }
    }

    /// <summary>The handle of a fabric.</summary>
    public sealed class FabricHandle : ClothcHandle
    {
        internal FabricHandle(IntPtr value, DeviceHandle device) : base(value, device) { }

        /// <inheritdoc/>
        protected override Result Destroy() => Native.FabricDestroy(handle);
    }

    /// <summary>The handle of a solver.</summary>
    public sealed class SolverHandle : ClothcHandle
    {
        /// <summary>Stands for NULL.</summary>
        public static readonly SolverHandle Null = new SolverHandle(IntPtr.Zero, null);

        internal SolverHandle(IntPtr value, DeviceHandle device) : base(value, device) { }

        /// <inheritdoc/>
        protected override Result Destroy() => Native.SolverDestroy(handle);
    }

    /// <summary>The handle of a fence.</summary>
    public sealed class FenceHandle : ClothcHandle
    {
        internal FenceHandle(IntPtr value, DeviceHandle device) : base(value, device) { }

        /// <inheritdoc/>
        protected override Result Destroy() => Native.FenceDestroy(handle);
    }
}
