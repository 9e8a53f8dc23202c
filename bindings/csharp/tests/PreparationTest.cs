// PreparationTest.cs - devices compile before it is needed, and caches are saved and loaded. The processor compiles
// nothing, so there is nothing to wait for.
using System;
using Clothc;

internal static class PreparationTest
{
    [Test]
    private static void A_processor_is_prepared_at_once()
    {
        using (var world = new World())
        {
            world.Device.Prepare();
            world.Device.Prepare(Stage.Begin, Stage.Integration, Stage.Phases, Stage.End);
            Expect.Equal(Result.Success, world.Device.WaitPrepared());
            Expect.Equal(Result.Success, world.Device.WaitPrepared(0));
            var progress = world.Device.PreparationProgress;
            Expect.Equal(0u, progress.Total, "number of kernels to compile");
            Expect.Equal(progress.Total, progress.Done, "number of compiled kernels");
        }
    }

    [Test]
    private static void What_is_no_stage_is_refused()
    {
        using (var world = new World())
        {
            Refuse("stages is 0x20001", () => world.Device.Prepare(Stage.Begin, Stage.Count));
            Expect.Throws<ArgumentOutOfRangeException>(() => world.Device.Prepare((Stage)32));
        }
    }

    [Test]
    private static void A_cache_is_saved_and_loaded()
    {
        using (var world = new World())
        {
            var cache = world.Device.SaveCache();
            Expect.That(cache.Length > 0, "the cache names the device");
            world.Device.LoadCache(cache);
            using (var other = new World(2)) other.Device.LoadCache(cache);
            cache[cache.Length - 1] ^= 1;
            Refuse("damaged", () => world.Device.LoadCache(cache));
            Refuse("does not begin with", () => world.Device.LoadCache(new byte[100]));
            Refuse("data is null", () => world.Device.LoadCache(ReadOnlySpan<byte>.Empty));
        }
    }

    [Test]
    private static void A_disposed_device_is_not_prepared()
    {
        var world = new World();
        world.Dispose();
        Expect.Throws<ObjectDisposedException>(() => world.Device.Prepare());
        Expect.Throws<ObjectDisposedException>(() => world.Device.WaitPrepared());
        Expect.Throws<ObjectDisposedException>(() => world.Device.SaveCache());
        Expect.Throws<ObjectDisposedException>(() => world.Device.LoadCache(new byte[100]));
    }

    private static void Refuse(string part, Action call)
    {
        var error = Expect.Throws<ClothcException>(call);
        Expect.Equal(Result.ErrorInvalidArgument, error.Result);
        Expect.That(error.Message.Contains(part), error.Message);
    }
}
