// ClothDevice.cs - the device that all components of a scene share. It exists from the first Acquire to the last
// Release, so nothing of the library is alive when Unity reloads the scripts, which disables all components before.
using System;

namespace Clothc.Unity
{
    /// <summary>The device that all cloth components share.</summary>
    public static class ClothDevice
    {
        private static readonly object guard = new object();
        private static Device device;
        private static int userCount;

        /// <summary>Returns the device, and makes it for the first user.</summary>
        public static Device Acquire()
        {
            lock (guard)
            {
                if (device == null)
                {
                    var desc = DeviceDesc.Default;
                    desc.Backend = Backend.Cpu;
                    device = Device.Create(desc);
                }
                userCount++;
                return device;
            }
        }

        /// <summary>Ends the use of the device, and destroys it after its last user.</summary>
        public static void Release()
        {
            lock (guard)
            {
                if (userCount == 0) throw new InvalidOperationException("Release was called more often than Acquire");
                if (--userCount > 0) return;
                device.Dispose();
                device = null;
            }
        }
    }
}
