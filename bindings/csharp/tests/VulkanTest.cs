// VulkanTest.cs - what programs that use Vulkan get where there is no Vulkan: refusals with a reason.
using System;
using Clothc;

internal static class VulkanTest
{
    [Test]
    private static void A_device_without_an_instance_is_refused()
    {
        Expect.Equal(0x401000u, VulkanDeviceDesc.Default.ApiVersion);
        Expect.Equal(Constants.VulkanNoQueueFamily, VulkanBufferDesc.Default.QueueFamily);
        Refuse("instance is null", () => Device.GetVulkanRequirements(VulkanDeviceDesc.Default));
        Refuse("instance is null", () => Create(Backend.Auto, null));
        Refuse("instance is null", () => Create(Backend.Vulkan, "VK_KHR_swapchain"));
        Refuse("device_desc.backend", () => Create(Backend.Cpu, ""));
    }

    [Test]
    private static void A_failing_creation_forgets_its_callbacks()
    {
        var owner = Forgotten();
        GC.Collect();
        GC.WaitForPendingFinalizers();
        GC.Collect();
        Expect.That(!owner.IsAlive, "nothing refers to the owner of the callbacks");
    }

    // A method of its own, so that no reference stays on the stack.
    [System.Runtime.CompilerServices.MethodImpl(System.Runtime.CompilerServices.MethodImplOptions.NoInlining)]
    private static WeakReference Forgotten()
    {
        WeakReference reference = null;
        var thread = new System.Threading.Thread(() =>
        {
            var owner = new object();
            reference = new WeakReference(owner);
            Expect.Throws<ClothcException>(() =>
            {
                var vulkan = VulkanDeviceDesc.Default;
                vulkan.LockQueue = () => owner.ToString();
                vulkan.UnlockQueue = () => owner.GetHashCode();
                Device.CreateVulkan(DeviceDesc.Default, vulkan).Dispose();
            });
        });
        thread.Start();
        thread.Join();
        return reference;
    }

    [Test]
    private static void A_processor_has_nothing_of_Vulkan()
    {
        using (var world = new World())
        using (var buffer = world.Device.CreateBuffer<Float4>(4))
        {
            var vulkan = VulkanBufferDesc.Default;
            vulkan.Buffer = 1;
            vulkan.Size = 64;
            Unsupported(() => world.Device.CreateVulkanBuffer<Float4>(4, vulkan).Dispose());
            Unsupported(() => buffer.GetVulkanHandle(out _));
            Unsupported(() => world.Solver.RecordUpdate((IntPtr)4096, Update.Default, out _, out _));
            Unsupported(() => world.Solver.RecordQueued((IntPtr)4096, out _, out _));
            Refuse("command_buffer", () => world.Solver.RecordUpdate(IntPtr.Zero, Update.Default, out _, out _));
        }
    }

    private static void Create(Backend backend, string extensions)
    {
        var desc = DeviceDesc.Default;
        desc.Backend = backend;
        var vulkan = VulkanDeviceDesc.Default;
        vulkan.Extensions = extensions;
        Device.CreateVulkan(desc, vulkan).Dispose();
    }

    private static void Refuse(string part, Action call)
    {
        var error = Expect.Throws<ClothcException>(call);
        Expect.Equal(Result.ErrorInvalidArgument, error.Result);
        Expect.That(error.Message.Contains(part), error.Message);
    }

    private static void Unsupported(Action call) =>
        Expect.Equal(Result.ErrorUnsupported, Expect.Throws<ClothcException>(call).Result);
}
