// Device.Preparation.cs - compiling what a device runs before it is needed, verifying it, and keeping that for the next
// run.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>How many kernels and programs a device has been asked to compile, and how many of them it has
    /// compiled.</summary>
    public readonly struct PreparationProgress
    {
        internal PreparationProgress(uint done, uint total)
        {
            Done = done;
            Total = total;
        }

        /// <summary>Number of kernels and programs that are compiled.</summary>
        public uint Done { get; }

        /// <summary>Number of kernels and programs that were asked for since the device was made.</summary>
        public uint Total { get; }
    }

    public sealed unsafe partial class Device
    {
        /// <summary>Begins to compile what updates with these stages need, in a thread of the library. No stage stands
        /// for all that updates may have.</summary>
        public void Prepare(params Stage[] stages)
        {
            uint bits = 0;
            foreach (var stage in stages)
            {
                if ((uint)stage > 31)
                    throw new ArgumentOutOfRangeException(nameof(stages), $"{stage} is no stage; want one of Stage");
                bits |= 1u << (int)stage;
            }
            Check(Native.DevicePrepare(Handle, bits));
        }

        /// <summary>Waits until everything that Prepare began is compiled and what Verify began has ended: SUCCESS, or
        /// TIMEOUT after so many nanoseconds.</summary>
        public Result WaitPrepared(ulong timeoutNs = Constants.WaitForever) =>
            Check(Native.DeviceWait(Handle, timeoutNs, null, null));

        /// <summary>How far that has come, without waiting.</summary>
        public PreparationProgress PreparationProgress
        {
            get
            {
                uint done, total;
                Check(Native.DeviceWait(Handle, 0, &done, &total));
                return new PreparationProgress(done, total);
            }
        }

        /// <summary>Returns what the driver has compiled so far, for LoadCache in the next run of the
        /// program.</summary>
        public byte[] SaveCache()
        {
            while (true)
            {
                ulong size = 0;
                Check(Native.DeviceSaveCache(Handle, null, &size));
                var cache = new byte[size];
                try
                {
                    fixed (byte* data = cache) Check(Native.DeviceSaveCache(Handle, data, &size));
                }
                catch (ClothcException error) when (error.Result == Result.ErrorInvalidArgument)
                {
                    continue; // Another thread has had more compiled meanwhile, for which the array is too short.
                }
                Array.Resize(ref cache, (int)size);
                return cache;
            }
        }

        /// <summary>Gives what SaveCache has returned to the driver. An exception says why the cache is of no use here;
        /// everything works without it.</summary>
        public void LoadCache(ReadOnlySpan<byte> cache)
        {
            fixed (byte* data = &MemoryMarshal.GetReference(cache))
                Check(Native.DeviceLoadCache(Handle, data, (ulong)cache.Length));
        }

        /// <summary>Finds out whether the device gives the bits of all others, which Verification tells. In the
        /// background, WaitPrepared waits for the end.</summary>
        public void Verify(VerifyFlags flags = VerifyFlags.None) => Check(Native.DeviceVerify(Handle, flags));

        /// <summary>What is known of the bits that the device gives.</summary>
        public Verification Verification
        {
            get
            {
                var known = Clothc.Verification.Default;
                Check(Native.DeviceGetVerification(Handle, &known, null, null));
                return known;
            }
        }

        /// <summary>The results by kernel and form; none unless the device was verified here.</summary>
        public VerificationRow[] VerificationRows
        {
            get
            {
                uint count = 0;
                Check(Native.DeviceGetVerification(Handle, null, null, &count));
                if (count == 0) return Array.Empty<VerificationRow>();
                var rows = new VerificationRow[count];
                rows[0] = VerificationRow.Default;
                fixed (VerificationRow* first = rows)
                    Check(Native.DeviceGetVerification(Handle, null, first, &count));
                Array.Resize(ref rows, (int)count);
                return rows;
            }
        }
    }
}
