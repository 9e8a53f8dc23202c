// ClothcLibrary.cs - what the library says about itself, and what needs no device.
using System;
using System.Collections.Generic;

namespace Clothc
{
    public static unsafe partial class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        private const string Library = "__Internal";
#else
        private const string Library = "clothc";
#endif
    }

    /// <summary>Functions of the library that need no device.</summary>
    public static unsafe class ClothcLibrary
    {
        /// <summary>The version of the loaded library.</summary>
        public static Version Version
        {
            get
            {
                var version = Native.Version();
                return new Version((int)(version >> 16), (int)(version >> 8 & 255), (int)(version & 255));
            }
        }

        /// <summary>The message of this thread's last failing call.</summary>
        public static string LastErrorMessage => Text.From((byte*)Native.LastErrorMessage());

        /// <summary>The name of a result in C, such as "CLOTHC_ERROR_CAPACITY".</summary>
        public static string NameOf(Result result) => Text.From((byte*)Native.ResultName(result));

        /// <summary>What a channel is in every solver.</summary>
        public static ChannelInfo Describe(Channel channel)
        {
            var info = ChannelInfo.Default;
            ClothcException.Check(Native.ChannelDescribe(SolverHandle.Null, channel, &info));
            return info;
        }

        /// <summary>Describes all parameters of cloths, in the order of <see cref="ClothParameters"/>.</summary>
        public static ParameterInfo[] DescribeParameters()
        {
            var infos = new List<ParameterInfo>();
            var info = ParameterInfo.Default;
            while (Native.ParameterDescribe((uint)infos.Count, &info) == Result.Success) infos.Add(info);
            return infos.ToArray();
        }

        /// <summary>Computes the signed distance field of a mesh on the calling thread. The values are a new
        /// array.</summary>
        public static SdfDesc CookSdf(in SdfCookDesc desc)
        {
            var sdf = SdfDesc.Default;
            ulong size = 0;
            ClothcException.Check(Calls.SdfCook(desc, &sdf.Raw, null, &size));
            var values = new float[size / sizeof(float)];
            fixed (float* pointer = values) ClothcException.Check(Calls.SdfCook(desc, &sdf.Raw, pointer, &size));
            sdf.Raw.Values = null;
            sdf.Values = values;
            return sdf;
        }
    }
}
