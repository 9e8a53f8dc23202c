// DomainTest.cs - what a reload of scripts does: a domain that holds devices is unloaded, and the library is unloaded
// and loaded again.
using System;
using System.IO;
using System.Runtime.InteropServices;
using System.Threading;
using Clothc;

internal static class DomainTest
{
    // Runs in the other domain and forgets a device that has work, callbacks and a mapped buffer.
    private static void LeaveDevices()
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.WorkerCount = 3;
        desc.Message = (result, message) => { };
        desc.Allocate = (IntPtr)AppDomain.CurrentDomain.GetData("allocate");
        desc.Free = (IntPtr)AppDomain.CurrentDomain.GetData("free");
        var device = Device.Create(desc);
        var solver = device.CreateSolver();
        solver.AddCloth(World.CookSheet(device));
        for (var frame = 0; frame < 3; frame++) solver.Update();
        var buffer = device.CreateBuffer<Float4>(World.VertexCount);
        solver.Get(Channel.Position, buffer);
        buffer.Map();
        AppDomain.CurrentDomain.SetData("hash", solver.ComputeStateHash());
        alive = device;
    }

    private static Device alive;

    // The same with a scheduler whose threads end with the domain, and with tasks that nobody will run.
    private static void LeaveScheduler()
    {
        var desc = DeviceDesc.Default;
        desc.Backend = Backend.Cpu;
        desc.WorkerCount = 2;
        desc.Flags = DeviceFlags.TasksOnly;
        desc.Submit = task => { };
        alive = Device.Create(desc);
        var solver = alive.CreateSolver();
        solver.AddCloth(World.CookSheet(alive));
        solver.Update();
        // The tasks themselves are lost, so that a wait would never end.
        Expect.Equal(Result.Timeout, solver.Wait(timeoutNs: 1000000));
    }

    internal const string LeaveArgument = "--leave";

    // What a process does that ends with devices, of which one has work that nobody will do.
    internal static int LeaveAll()
    {
        AppDomain.CurrentDomain.SetData("allocate", IntPtr.Zero);
        AppDomain.CurrentDomain.SetData("free", IntPtr.Zero);
        LeaveDevices();
        LeaveScheduler();
        return 0;
    }

    [Test]
    private static void A_process_ends_with_devices() =>
        Setting.Output("mono", $"{typeof(DomainTest).Assembly.Location} {LeaveArgument}");

    [Test]
    private static void Devices_of_an_unloaded_domain_are_destroyed()
    {
        World.Collect();
        CallbackTest.AllocationCount = CallbackTest.FreeCount = 0;
        ulong hash = 0;
        for (var round = 0; round < 3; round++)
        {
            var domain = AppDomain.CreateDomain("scripts");
            domain.SetData("allocate", CallbackTest.AllocateFunction);
            domain.SetData("free", CallbackTest.ReleaseFunction);
            domain.DoCallBack(LeaveDevices);
            var found = (ulong)domain.GetData("hash");
            Expect.That(round == 0 || found == hash, "each domain computes the same");
            hash = found;
            Expect.That(CallbackTest.AllocationCount > CallbackTest.FreeCount, "the device is alive");
            AppDomain.Unload(domain);
            Expect.Equal(CallbackTest.AllocationCount, CallbackTest.FreeCount, "number of freed blocks");
        }
    }

    [Test]
    private static void A_lost_scheduler_does_not_stop_the_unloading()
    {
        var domain = AppDomain.CreateDomain("scheduler");
        domain.DoCallBack(LeaveScheduler);
        var unloading = new Thread(() => AppDomain.Unload(domain)) { IsBackground = true };
        unloading.Start();
        Expect.That(unloading.Join(10000), "the domain was unloaded");
    }

    [DllImport("libdl.so.2", EntryPoint = "dlopen")]
    private static extern IntPtr Open(string path, int flags);

    [DllImport("libdl.so.2", EntryPoint = "dlsym")]
    private static extern IntPtr Find(IntPtr library, string name);

    [DllImport("libdl.so.2", EntryPoint = "dlclose")]
    private static extern int Close(IntPtr library);

    private delegate Result Create(IntPtr desc, out IntPtr device);

    private delegate Result Destroy(IntPtr device);

    private static T FunctionOf<T>(IntPtr library, string name) =>
        Marshal.GetDelegateForFunctionPointer<T>(Find(library, name));

    // Mono keeps what DllImport has loaded until the process ends, so this loads a copy of the library itself.
    [Test]
    private static unsafe void The_library_is_unloaded_and_loaded_again()
    {
        var copy = Path.Combine(Setting.Of("CLOTHC_BUILD_DIR"), "libclothc_copy.so");
        File.Copy(Setting.Of("CLOTHC_LIBRARY"), copy, true);
        for (var round = 0; round < 3; round++)
        {
            var library = Open(copy, 2);
            Expect.That(library != IntPtr.Zero, "the copy was loaded");
            var desc = DeviceDesc.Default;
            desc.Backend = Backend.Cpu;
            desc.WorkerCount = 3;
            var create = FunctionOf<Create>(library, "clothc_device_create");
            var destroy = FunctionOf<Destroy>(library, "clothc_device_destroy");
            Expect.Equal(Result.Success, create((IntPtr)(&desc.Raw), out var device));
            Expect.Equal(Result.Success, destroy(device));
            Expect.Equal(0, Close(library), "result of dlclose");
            Expect.That(!File.ReadAllText("/proc/self/maps").Contains("libclothc_copy"), "the copy was unloaded");
        }
        File.Delete(copy);
    }
}
