// CallbackTest.cs - the library calls the program: messages, the program's scheduler, and its allocator.
using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Threading;
using Clothc;

internal static class CallbackTest
{
    [Test]
    private static void Messages_arrive_before_the_call_throws()
    {
        var messages = new List<string>();
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.Message = (result, message) => messages.Add($"{result}: {message}");
        using (var device = Device.Create(desc))
        {
            var solverDesc = SolverDesc.Default;
            solverDesc.UpdatesInFlight = 99;
            var error = Expect.Throws<ClothcException>(() => device.CreateSolver(solverDesc));
            Expect.Equal($"{error.Result}: {error.Message}", string.Join("|", messages));
        }
    }

    [Test]
    private static void An_exception_of_a_callback_becomes_the_inner_one()
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.Message = (result, message) => throw new TimeoutException("from the callback");
        using (var device = Device.Create(desc))
        {
            var error = Expect.Throws<ClothcException>(() => device.CreateBuffer<Float4>(0));
            Expect.Equal("from the callback", error.InnerException?.Message, "inner message");
            error = Expect.Throws<ClothcException>(() => Device.Create(new DeviceDesc()));
            Expect.That(error.InnerException == null, "it is gone");
        }
    }

    [Test]
    private static void A_callback_cannot_dispose_its_device()
    {
        Device device = null;
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.Message = (result, message) => device.Dispose();
        using (device = Device.Create(desc))
        {
            var error = Expect.Throws<ClothcException>(() => device.CreateBuffer<Float4>(0));
            Expect.That(error.InnerException is InvalidOperationException, "the callback failed");
            Expect.That(!device.IsDisposed, "the device exists");
        }
        Expect.That(device.IsDisposed, "the device is disposed");
    }

    // IL2CPP compiles only static methods with this attribute for native callers.
    [Test]
    private static void Native_code_calls_static_methods_with_the_attribute()
    {
        var fields = typeof(Callbacks).GetFields(BindingFlags.Static | BindingFlags.NonPublic)
            .Where(field => field.FieldType.DeclaringType == typeof(Native)).ToArray();
        Expect.Equal(3, fields.Select(field => field.FieldType).Distinct().Count(), "number of kinds of functions");
        foreach (var field in fields)
        {
            var method = ((Delegate)field.GetValue(null)).Method;
            Expect.That(method.IsStatic, $"{method.Name} is static");
            Expect.Equal(field.FieldType, method.GetCustomAttribute<MonoPInvokeCallbackAttribute>()?.Type, method.Name);
        }
    }

    // Refers to the device that refers to it.
    private sealed class Owner
    {
        private readonly Device device;

        internal Owner()
        {
            var desc = DeviceDesc.Default;
            desc.Backend = Backend.Cpu;
            desc.WorkerCount = 3;
            desc.Message = OnMessage;
            device = Device.Create(desc);
            Expect.Throws<ClothcException>(() => device.CreateBuffer<Float4>(0));
            Expect.Equal(1, MessageCount, "number of messages");
        }

        private int MessageCount { get; set; }

        private void OnMessage(Result result, string message) => MessageCount++;
    }

    [Test]
    private static void A_callback_does_not_keep_its_owner_alive()
    {
        World.Collect();
        var before = LifetimeTest.ThreadCount;
        World.OnOtherThread(() => new Owner());
        World.Collect();
        LifetimeTest.ExpectThreads(before, "after the finalisers");
    }

    // A scheduler of two threads that run tasks in the order in which they come.
    private sealed class Scheduler : IDisposable
    {
        private readonly BlockingCollection<ClothTask> tasks = new BlockingCollection<ClothTask>();
        private readonly Thread[] threads = new Thread[2];

        internal Scheduler()
        {
            for (var index = 0; index < threads.Length; index++)
            {
                threads[index] = new Thread(Run);
                threads[index].Start();
            }
        }

        internal int TaskCount;

        internal void Submit(ClothTask task)
        {
            Interlocked.Increment(ref TaskCount);
            tasks.Add(task);
        }

        private void Run()
        {
            foreach (var task in tasks.GetConsumingEnumerable()) task.Run();
        }

        public void Dispose()
        {
            tasks.CompleteAdding();
            foreach (var thread in threads) thread.Join();
        }
    }

    private static ulong HashWith(Action<ClothTask> submit)
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.WorkerCount = 2;
        desc.Flags = DeviceFlags.TasksOnly;
        desc.Submit = submit;
        using (var device = Device.Create(desc))
        using (var solver = device.CreateSolver())
        using (var fabric = World.CookSheet(device))
        {
            solver.AddCloth(fabric);
            for (var frame = 0; frame < 30; frame++) solver.Update();
            return solver.ComputeStateHash();
        }
    }

    [Test]
    private static void A_scheduler_of_the_program_runs_the_tasks()
    {
        var wanted = HashWith(null);
        using (var scheduler = new Scheduler())
        {
            Expect.Equal(wanted, HashWith(scheduler.Submit), "state hash");
            Expect.That(scheduler.TaskCount > 0, "tasks have run");
        }
        Expect.Equal(wanted, HashWith(task => ThreadPool.QueueUserWorkItem(state => task.Run())), "state hash");
        // A scheduler that refuses tasks does not stop the device.
        Expect.Equal(wanted, HashWith(task => throw new InvalidOperationException("no")), "state hash");
    }

    private static readonly Native.AllocateCallback allocate = Allocate;
    private static readonly Native.FreeCallback release = Release;
    internal static int AllocationCount, FreeCount;

    [MonoPInvokeCallback(typeof(Native.AllocateCallback))]
    private static IntPtr Allocate(UIntPtr size, UIntPtr alignment, IntPtr user)
    {
        // Keeps what HGlobal returned in front of the block.
        var start = Marshal.AllocHGlobal(new IntPtr((long)size + (long)alignment + IntPtr.Size));
        var mask = (long)alignment - 1;
        var block = new IntPtr(((long)start + IntPtr.Size + mask) & ~mask);
        Marshal.WriteIntPtr(block, -IntPtr.Size, start);
        Interlocked.Increment(ref AllocationCount);
        return block;
    }

    [MonoPInvokeCallback(typeof(Native.FreeCallback))]
    private static void Release(IntPtr pointer, IntPtr user)
    {
        Marshal.FreeHGlobal(Marshal.ReadIntPtr(pointer, -IntPtr.Size));
        Interlocked.Increment(ref FreeCount);
    }

    // The functions as pointers, which another domain may use too.
    internal static IntPtr AllocateFunction => Marshal.GetFunctionPointerForDelegate(allocate);

    internal static IntPtr ReleaseFunction => Marshal.GetFunctionPointerForDelegate(release);

    [Test]
    private static void Every_block_that_was_allocated_is_freed()
    {
        AllocationCount = FreeCount = 0;
        World.OnOtherThread(() =>
        {
            for (var round = 0; round < 20; round++)
            {
                var desc = DeviceDesc.Default;
                desc.Backend = Backend.Cpu;
                desc.WorkerCount = 2;
                desc.Allocate = AllocateFunction;
                desc.Free = ReleaseFunction;
                var device = Device.Create(desc);
                var solver = device.CreateSolver();
                var buffer = device.CreateBuffer<Float4>(World.VertexCount);
                solver.AddCloth(World.CookSheet(device));
                solver.Update();
                solver.Get(Channel.Position, buffer);
                if (round % 2 == 0) device.Dispose();
            }
        });
        World.Collect();
        Expect.That(AllocationCount > 40, $"{AllocationCount} blocks were allocated");
        Expect.Equal(AllocationCount, FreeCount, "number of freed blocks");
    }
}
