// Callbacks.cs - calls from the library into the program. The functions are static and marked for ahead-of-time
// compilers such as IL2CPP; what a device's callbacks are is found through a GCHandle. That one is weak, so a callback
// that refers to the object that owns the device does not keep both alive.
using System;
using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using System.Threading;

namespace Clothc
{
    /// <summary>Marks a static method that native code calls, as IL2CPP wants it.</summary>
    [AttributeUsage(AttributeTargets.Method)]
    internal sealed class MonoPInvokeCallbackAttribute : Attribute
    {
        public MonoPInvokeCallbackAttribute(Type type) { Type = type; }

        public Type Type { get; }
    }

    /// <summary>A task of the library, which the program's scheduler runs once, soon, on any thread.</summary>
    public readonly struct ClothTask
    {
        private static readonly ConcurrentDictionary<IntPtr, Native.Task> functions =
            new ConcurrentDictionary<IntPtr, Native.Task>();
        private static readonly Func<IntPtr, Native.Task> toDelegate =
            function => Marshal.GetDelegateForFunctionPointer<Native.Task>(function);

        private readonly IntPtr function, argument;

        internal ClothTask(IntPtr function, IntPtr argument) { this.function = function; this.argument = argument; }

        /// <summary>Runs the task to its end. It waits for no other task and uses at most 64 KiB of stack.</summary>
        public void Run() => functions.GetOrAdd(function, toDelegate)(argument);
    }

    /// <summary>The callbacks of one device.</summary>
    internal sealed unsafe class Callbacks
    {
        private static readonly Native.MessageCallback messageFunction = OnMessage;
        private static readonly Native.SubmitCallback submitFunction = OnSubmit;
        private static readonly Native.VulkanQueueCallback lockFunction = OnLock;
        private static readonly Native.VulkanQueueCallback unlockFunction = OnUnlock;
        [ThreadStatic] private static Exception exception;
        [ThreadStatic] private static int depth;

        private readonly Action<Result, string> message;
        private readonly Action<ClothTask> submit;
        private Action lockQueue, unlockQueue;
        private GCHandle self;

        /// <summary>Takes the callbacks of a description and puts their functions into it.</summary>
        internal Callbacks(in DeviceDesc desc, ref Native.DeviceDesc raw)
        {
            message = desc.Message;
            submit = desc.Submit;
            if (message == null && submit == null) return;
            Reach();
            raw.MessageUser = raw.SubmitUser = GCHandle.ToIntPtr(self);
            if (message != null) raw.Message = Marshal.GetFunctionPointerForDelegate(messageFunction);
            if (submit != null) raw.Submit = Marshal.GetFunctionPointerForDelegate(submitFunction);
        }

        /// <summary>Takes the callbacks of what describes the program's Vulkan device, and puts their functions into
        /// it.</summary>
        internal void Add(in VulkanDeviceDesc vulkan, ref Native.VulkanDeviceDesc raw)
        {
            lockQueue = vulkan.LockQueue;
            unlockQueue = vulkan.UnlockQueue;
            if (lockQueue == null && unlockQueue == null) return;
            Reach();
            raw.QueueUser = GCHandle.ToIntPtr(self);
            if (lockQueue != null) raw.LockQueue = Marshal.GetFunctionPointerForDelegate(lockFunction);
            if (unlockQueue != null) raw.UnlockQueue = Marshal.GetFunctionPointerForDelegate(unlockFunction);
        }

        private void Reach()
        {
            if (!self.IsAllocated) self = GCHandle.Alloc(this, GCHandleType.WeakTrackResurrection);
        }

        /// <summary>Whether threads of the library or of a scheduler need callbacks to end the device's
        /// work.</summary>
        internal bool ServeThreads => submit != null || lockQueue != null;

        /// <summary>Whether this thread is inside a callback.</summary>
        internal static bool AreRunning => depth > 0;

        internal void Release() { if (self.IsAllocated) self.Free(); }

        /// <summary>The exception that a message callback of this thread has thrown since the last call, or
        /// null.</summary>
        internal static Exception TakeException()
        {
            var taken = exception;
            exception = null;
            return taken;
        }

        [MonoPInvokeCallback(typeof(Native.MessageCallback))]
        private static void OnMessage(Result result, byte* text, IntPtr user)
        {
            depth++;
            exception = null;
            try
            {
                (GCHandle.FromIntPtr(user).Target as Callbacks)?.message(result, Text.From(text));
            }
            catch (Exception thrown)
            {
                exception = thrown; // An exception must not cross native frames. The call in question throws soon.
            }
            depth--;
        }

        [MonoPInvokeCallback(typeof(Native.SubmitCallback))]
        private static void OnSubmit(IntPtr function, IntPtr argument, IntPtr user)
        {
            var task = new ClothTask(function, argument);
            depth++;
            try
            {
                ((Callbacks)GCHandle.FromIntPtr(user).Target).submit(task);
            }
            catch (Exception)
            {
                // A task that never runs would be waited for in vain, so one that the scheduler refuses runs elsewhere.
                ThreadPool.UnsafeQueueUserWorkItem(state => ((ClothTask)state).Run(), task);
            }
            depth--;
        }

        [MonoPInvokeCallback(typeof(Native.VulkanQueueCallback))]
        private static void OnLock(IntPtr user) => Run(((Callbacks)GCHandle.FromIntPtr(user).Target).lockQueue);

        [MonoPInvokeCallback(typeof(Native.VulkanQueueCallback))]
        private static void OnUnlock(IntPtr user) => Run(((Callbacks)GCHandle.FromIntPtr(user).Target).unlockQueue);

        private static void Run(Action action)
        {
            depth++;
            try
            {
                action();
            }
            catch (Exception)
            {
                // An exception must not cross native frames, and a thread of the library has nobody to tell it to.
            }
            depth--;
        }
    }
}
