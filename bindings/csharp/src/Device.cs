// Device.cs - a device, and everything that is made from one. Device.Preparation.cs has what it compiles beforehand.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>Does the work of everything made from it. Dispose waits for all work of the device and destroys
    /// everything that was made from it.</summary>
    /// <remarks>A message callback is called on the thread of the failing call, before that throws. A submit callback
    /// is called from any thread, and must queue the task and return. Dispose the device before its scheduler ends, for
    /// a task that never runs is waited for in vain. Callbacks that lock and unlock a queue of Vulkan are called from
    /// any thread, also from the library's own.</remarks>
    public sealed unsafe partial class Device : LibraryObject<DeviceHandle>
    {
        private Device(DeviceHandle handle) : base(handle) { }

        /// <summary>Makes the best device of this machine.</summary>
        public static Device Create() => Create(DeviceDesc.Default);

        /// <summary>Makes a device.</summary>
        public static Device Create(in DeviceDesc desc)
        {
            var raw = desc.Raw;
            var callbacks = new Callbacks(desc, ref raw);
            return Made(Native.DeviceCreate(&raw, out var handle), handle, callbacks);
        }

        /// <summary>Makes a device of CUDA that works in the program's context and stream. Null makes the device that
        /// Create makes.</summary>
        public static Device CreateCuda(in DeviceDesc desc, CudaDeviceDesc? cuda)
        {
            var raw = desc.Raw;
            var callbacks = new Callbacks(desc, ref raw);
            var value = cuda.GetValueOrDefault();
            var result = Native.CudaDeviceCreate(&raw, cuda.HasValue ? &value : null, out var handle);
            return Made(result, handle, callbacks);
        }

        /// <summary>Makes a device that works on the program's VkDevice.</summary>
        public static Device CreateVulkan(in DeviceDesc desc, in VulkanDeviceDesc vulkan)
        {
            var raw = desc.Raw;
            var adopted = vulkan.Raw;
            fixed (byte* extensions = Text.ToBytes(vulkan.Extensions))
            {
                adopted.Extensions = extensions;
                var callbacks = new Callbacks(desc, ref raw);
                callbacks.Add(vulkan, ref adopted);
                return Made(Native.VulkanDeviceCreate(&raw, &adopted, out var handle), handle, callbacks);
            }
        }

        /// <summary>Tells what a VkDevice must be created with so that CreateVulkan can adopt it. Of the fields only
        /// ApiVersion, GetInstanceProcAddr, Instance and PhysicalDevice count.</summary>
        public static VulkanRequirements GetVulkanRequirements(in VulkanDeviceDesc vulkan)
        {
            var adopted = vulkan.Raw;
            var requirements = VulkanRequirements.Default;
            ClothcException.Check(Native.VulkanGetRequirements(&adopted, &requirements));
            return requirements;
        }

        private static Device Made(Result result, IntPtr handle, Callbacks callbacks)
        {
            if (result == Result.Success) return new Device(new DeviceHandle(handle, callbacks));
            callbacks.Release();
            ClothcException.Check(result);
            return null;
        }

        /// <summary>Lists all devices of this machine, also absent ones with their reason.</summary>
        public static DeviceInfo[] Enumerate()
        {
            uint count = 0;
            ClothcException.Check(Native.DeviceEnumerate(null, &count));
            var infos = new DeviceInfo[count];
            if (count == 0) return infos;
            infos[0] = DeviceInfo.Default;
            fixed (DeviceInfo* pointer = infos) ClothcException.Check(Native.DeviceEnumerate(pointer, &count));
            return infos;
        }

        /// <summary>Waits for all work of the device, and destroys it and everything that was made from it. Callbacks
        /// and tasks must not call this.</summary>
        public override void Dispose()
        {
            if (Callbacks.AreRunning) throw new InvalidOperationException("a callback must not dispose a device");
            base.Dispose();
        }

        /// <summary>What the device is.</summary>
        public DeviceInfo Info
        {
            get
            {
                var info = DeviceInfo.Default;
                Check(Native.DeviceGetInfo(Handle, &info));
                return info;
            }
        }

        /// <summary>Makes a buffer of so many elements. The format is that of the type: FLOAT, UINT, FLOAT3 for 12
        /// bytes, FLOAT4 for 16 bytes, and RECORD for all other structs.</summary>
        public Buffer<T> CreateBuffer<T>(long count, BufferKind kind = BufferKind.Host,
            BufferFlags flags = BufferFlags.None) where T : struct
        {
            var desc = BufferDesc.Default;
            desc.Kind = kind;
            desc.Count = (ulong)count;
            desc.Flags = flags;
            return CreateBuffer<T>(desc);
        }

        /// <summary>Makes a buffer as described, whose format and stride are those of the type. If its kind is then
        /// IMPORTED, it owns the file descriptor from now on.</summary>
        public Buffer<T> CreateBuffer<T>(in BufferDesc desc) where T : struct
        {
            var complete = desc;
            complete.Format = Buffer<T>.ElementFormat;
            complete.Stride = (uint)Buffer<T>.ElementSize;
            Check(Calls.BufferCreate(Handle, complete, out var handle));
            return new Buffer<T>(new BufferHandle(handle, Handle), (long)desc.Count);
        }

        /// <summary>Makes a buffer whose memory is the program's, which must stay until the buffer is disposed. With
        /// WRAPPED_DEVICE the memory is on the device.</summary>
        public Buffer<T> WrapMemory<T>(IntPtr memory, long count,
            BufferKind kind = BufferKind.WrappedHost) where T : struct
        {
            var desc = BufferDesc.Default;
            desc.Kind = kind;
            desc.Count = (ulong)count;
            desc.Memory = memory;
            return CreateBuffer<T>(desc);
        }

        /// <summary>Makes a buffer on a VkBuffer of the program, which must stay until the buffer is
        /// disposed.</summary>
        public Buffer<T> CreateVulkanBuffer<T>(long count, in VulkanBufferDesc vulkan) where T : struct
        {
            var desc = BufferDesc.Default;
            desc.Kind = BufferKind.WrappedDevice;
            desc.Count = (ulong)count;
            desc.Format = Buffer<T>.ElementFormat;
            desc.Stride = (uint)Buffer<T>.ElementSize;
            var place = vulkan;
            Check(Calls.VulkanBufferCreate(Handle, desc, &place, out var handle));
            return new Buffer<T>(new BufferHandle(handle, Handle), count);
        }

        /// <summary>Makes a buffer whose memory is an array, which is held in place until the buffer is
        /// disposed.</summary>
        public Buffer<T> WrapArray<T>(T[] array) where T : struct
        {
            var pin = GCHandle.Alloc(array, GCHandleType.Pinned);
            try
            {
                var buffer = WrapMemory<T>(pin.AddrOfPinnedObject(), array.LongLength);
                buffer.Handle.Pin = pin;
                return buffer;
            }
            catch
            {
                pin.Free();
                throw;
            }
        }

        /// <summary>Cooks a mesh into a fabric: welds vertices, makes constraints and tethers, and colours
        /// them.</summary>
        public Fabric Cook(in MeshDesc mesh)
        {
            Check(Calls.FabricCook(Handle, mesh, out var handle));
            return new Fabric(new FabricHandle(handle, Handle));
        }

        /// <summary>Makes a fabric from flat arrays and keeps the order of the constraints.</summary>
        public Fabric CreateFabric(in FabricDesc desc)
        {
            Check(Calls.FabricCreate(Handle, desc, out var handle));
            return new Fabric(new FabricHandle(handle, Handle));
        }

        /// <summary>Makes a fabric from the bytes that <see cref="Fabric.Save"/> has written.</summary>
        public Fabric LoadFabric(ReadOnlySpan<byte> blob)
        {
            fixed (byte* data = &MemoryMarshal.GetReference(blob))
            {
                Check(Native.FabricLoad(Handle, data, (ulong)blob.Length, out var handle));
                return new Fabric(new FabricHandle(handle, Handle));
            }
        }

        /// <summary>Makes a solver with the default capacities.</summary>
        public Solver CreateSolver() => CreateSolver(SolverDesc.Default);

        /// <summary>Makes a solver.</summary>
        public Solver CreateSolver(in SolverDesc desc)
        {
            var raw = desc;
            Check(Native.SolverCreate(Handle, &raw, out var handle));
            return new Solver(new SolverHandle(handle, Handle));
        }

        /// <summary>Makes a fence with a value at first.</summary>
        public Fence CreateFence(ulong value = 0)
        {
            Check(Native.FenceCreate(Handle, value, out var handle));
            return new Fence(new FenceHandle(handle, Handle));
        }

        /// <summary>Makes a fence from an exported timeline semaphore. It owns the file descriptor from now
        /// on.</summary>
        public Fence ImportFence(in ExternalHandle external)
        {
            var raw = external;
            Check(Native.FenceImport(Handle, &raw, out var handle));
            return new Fence(new FenceHandle(handle, Handle));
        }
    }
}
