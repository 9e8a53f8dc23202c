// Solver.cs - particles and cloths that move together: updates, channels, and adding cloths, groups and colliders. Its
// state is in Solver.State.cs. Calls on one solver must not overlap, except Wait and Poll.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>Owns the particles of its cloths and moves all of them with one call. <see cref="Device"/> makes it.
    /// Dispose waits for its updates.</summary>
    public sealed unsafe partial class Solver : LibraryObject<SolverHandle>
    {
        /// <summary>The buffers that channels are bound to. A buffer must not be finalised while updates write
        /// it.</summary>
        private readonly Dictionary<ulong, DataBuffer> bindings = new Dictionary<ulong, DataBuffer>();

        private static readonly Channel[] bindable =
        {
            Channel.Position, Channel.PreviousPosition, Channel.StartPosition, Channel.Velocity, Channel.Normal,
            Channel.Tangent,
        };

        internal Solver(SolverHandle handle) : base(handle) { }

        // ------------------------------------------------------------------------------------------------- updates

        /// <summary>Moves every cloth by dt seconds, while the call returns. Waits only if too many updates are queued.
        /// Returns the timeline value that the end of the update reaches.</summary>
        public ulong Update(float dt = 1f / 60)
        {
            var update = Clothc.Update.Default;
            update.Dt = dt;
            Update(update, out var value);
            return value;
        }

        /// <summary>Moves every cloth as described. With NO_WAIT the result may be NOT_READY; then nothing was
        /// done.</summary>
        public Result Update(in Update update, out ulong value)
        {
            ulong reached = 0;
            var result = Check(Calls.SolverUpdate(Handle, update, &reached));
            value = reached;
            return result;
        }

        /// <summary>Waits until the timeline has reached a value, by default everything queued so far: SUCCESS, or
        /// TIMEOUT after so many nanoseconds.</summary>
        public Result Wait(ulong value = ulong.MaxValue, ulong timeoutNs = Constants.WaitForever) =>
            Check(Native.SolverWait(Handle, value, timeoutNs));

        /// <summary>Says without waiting whether the timeline has reached a value: SUCCESS or NOT_READY.</summary>
        public Result Poll(ulong value, out ulong completed)
        {
            ulong reached = 0;
            var result = Check(Native.SolverPoll(Handle, value, &reached));
            completed = reached;
            return result;
        }

        /// <summary>Adds an update to the graph that a CUDA stream is capturing.</summary>
        public void CaptureUpdate(IntPtr stream, float dt) => Check(Native.CudaCaptureUpdate(Handle, stream, dt));

        /// <summary>Queues an update and records everything that is queued into a VkCommandBuffer of the program. The
        /// program raises the VkSemaphore to the value when the commands have ended. The result may be NOT_READY; then
        /// nothing was recorded.</summary>
        public Result RecordUpdate(IntPtr commandBuffer, in Update update, out ulong semaphore, out ulong value)
        {
            ulong raised = 0, reached = 0;
            var result = Check(Calls.VulkanRecordUpdate(Handle, commandBuffer, update, &raised, &reached));
            semaphore = raised;
            value = reached;
            return result;
        }

        /// <summary>Does the same without an update.</summary>
        public Result RecordQueued(IntPtr commandBuffer, out ulong semaphore, out ulong value)
        {
            ulong raised = 0, reached = 0;
            var result = Check(Native.VulkanRecordUpdate(Handle, commandBuffer, null, &raised, &reached));
            semaphore = raised;
            value = reached;
            return result;
        }

        // ------------------------------------------------------------------------------------------------- channels

        /// <summary>Copies from a buffer to a channel, after everything queued before.</summary>
        public void Set(Channel channel, DataBuffer buffer, SetFlags flags = SetFlags.None) =>
            Set(channel, buffer, null, default(ReadOnlySpan<Region>), flags);

        /// <summary>Copies regions from a buffer to a channel, through a view if one is given.</summary>
        public void Set(Channel channel, DataBuffer buffer, View? view, ReadOnlySpan<Region> regions,
                        SetFlags flags = SetFlags.None)
        {
            var viewed = view.GetValueOrDefault();
            fixed (Region* pointer = &MemoryMarshal.GetReference(regions))
                Check(Native.SolverSet(Handle, channel, HandleOf(buffer), view.HasValue ? &viewed : null,
                                       regions.IsEmpty ? null : pointer, (uint)regions.Length, flags));
        }

        /// <summary>Copies from a channel to a buffer, after everything queued before. Map the buffer to wait for
        /// it.</summary>
        public void Get(Channel channel, DataBuffer buffer) =>
            Get(channel, buffer, null, default(ReadOnlySpan<Region>));

        /// <summary>Copies regions from a channel to a buffer, through a view if one is given.</summary>
        public void Get(Channel channel, DataBuffer buffer, View? view, ReadOnlySpan<Region> regions)
        {
            var viewed = view.GetValueOrDefault();
            fixed (Region* pointer = &MemoryMarshal.GetReference(regions))
                Check(Native.SolverGet(Handle, channel, HandleOf(buffer), view.HasValue ? &viewed : null,
                                       regions.IsEmpty ? null : pointer, (uint)regions.Length, 0));
        }

        /// <summary>What a channel is, with its number of elements in this solver.</summary>
        public ChannelInfo Describe(Channel channel)
        {
            var info = ChannelInfo.Default;
            Check(Native.ChannelDescribe(Handle, channel, &info));
            return info;
        }

        // ------------------------------------------------------------------------------------------------- contents

        /// <summary>Adds a cloth with default settings, at the fabric's positions.</summary>
        public Cloth AddCloth(Fabric fabric)
        {
            var desc = ClothDesc.Default;
            desc.Fabric = fabric;
            return AddCloth(desc);
        }

        /// <summary>Adds a cloth, at rest.</summary>
        public Cloth AddCloth(in ClothDesc desc)
        {
            if (!desc.Positions.IsEmpty && desc.Fabric != null)
                Arrays.Require(nameof(desc.Positions), desc.Positions.Length, desc.Fabric.Info.ParticleCount);
            ClothId id;
            Check(Calls.ClothAdd(Handle, desc, &id));
            return new Cloth(this, id);
        }

        /// <summary>Adds a group: particles without a fabric.</summary>
        public Group AddGroup(in GroupDesc desc)
        {
            ClothId id;
            Check(Calls.GroupAdd(Handle, desc, &id));
            return new Group(this, id);
        }

        /// <summary>The cloths and groups in the order in which they were added.</summary>
        public Cloth[] ListCloths()
        {
            uint count = 0;
            Check(Native.ClothList(Handle, null, &count));
            var ids = new ClothId[count];
            fixed (ClothId* pointer = ids) Check(Native.ClothList(Handle, pointer, &count));
            return Array.ConvertAll(ids, id => new Cloth(this, id));
        }

        /// <summary>Makes an empty collider set.</summary>
        public ColliderSet CreateColliderSet()
        {
            ColliderSetId id;
            Check(Native.ColliderSetCreate(Handle, &id));
            return new ColliderSet(this, id);
        }

        /// <summary>Makes a mesh for instances in collider sets.</summary>
        public ColliderAsset CreateColliderMesh(in ColliderMeshDesc desc)
        {
            ColliderAssetId id;
            Check(Calls.ColliderMeshCreate(Handle, desc, &id));
            return new ColliderAsset(this, id);
        }

        /// <summary>Makes a signed distance field for instances in collider sets.</summary>
        public ColliderAsset CreateColliderSdf(in SdfDesc desc)
        {
            ColliderAssetId id;
            Check(Calls.ColliderSdfCreate(Handle, desc, &id));
            return new ColliderAsset(this, id);
        }

        // ------------------------------------------------------------------------------------------------- bindings

        internal void Bind(ClothId cloth, Channel channel, DataBuffer buffer, View? view)
        {
            var viewed = view.GetValueOrDefault();
            var handle = buffer == null ? BufferHandle.Null : HandleOf(buffer);
            Check(Native.ClothBind(Handle, cloth, channel, handle, view.HasValue ? &viewed : null));
            if (buffer == null) bindings.Remove(KeyOf(cloth, channel));
            else bindings[KeyOf(cloth, channel)] = buffer;
        }

        private static ulong KeyOf(ClothId cloth, Channel channel) => (ulong)cloth.Value << 32 | (uint)channel;

        internal void ForgetBindings(ClothId cloth)
        {
            foreach (var channel in bindable) bindings.Remove(KeyOf(cloth, channel));
        }

        internal static BufferHandle HandleOf(DataBuffer buffer)
        {
            if (buffer == null) throw new ArgumentNullException(nameof(buffer));
            return buffer.Handle;
        }
    }
}
