// Fabric.cs - the immutable constraints of a piece of cloth, shared by any number of cloths.
using System;
using System.Runtime.InteropServices;

namespace Clothc
{
    /// <summary>The constraints of a piece of cloth, which <see cref="Device"/> makes. Cloths that use it keep what
    /// they need when it is disposed.</summary>
    public sealed unsafe class Fabric : LibraryObject<FabricHandle>
    {
        internal Fabric(FabricHandle handle) : base(handle) { }

        /// <summary>What the fabric holds, and what the cooker found in its mesh.</summary>
        public FabricInfo Info
        {
            get
            {
                var info = FabricInfo.Default;
                Check(Native.FabricGetInfo(Handle, &info));
                return info;
            }
        }

        /// <summary>What the cooker found in the mesh, such as faces that it left out.</summary>
        public Diagnostic[] GetDiagnostics()
        {
            var diagnostics = new Diagnostic[Info.DiagnosticCount];
            for (uint index = 0; index < diagnostics.Length; index++)
            {
                var diagnostic = Diagnostic.Default;
                Check(Native.FabricGetDiagnostic(Handle, index, &diagnostic));
                diagnostics[index] = diagnostic;
            }
            return diagnostics;
        }

        /// <summary>Copies one array of the fabric. The type is that of its elements or of their components, such as
        /// uint or <see cref="Float4"/>.</summary>
        public T[] Read<T>(FabricArray array) where T : struct
        {
            ulong size = 0;
            Check(Native.FabricRead(Handle, array, null, &size));
            if (size % (ulong)Buffer<T>.ElementSize != 0)
                throw new ArgumentException($"{array} has {size} bytes, which {typeof(T).Name} does not divide");
            var elements = new T[size / (ulong)Buffer<T>.ElementSize];
            fixed (byte* data = &MemoryMarshal.GetReference(MemoryMarshal.AsBytes(new Span<T>(elements))))
                Check(Native.FabricRead(Handle, array, data, &size));
            return elements;
        }

        /// <summary>Writes the fabric as bytes that <see cref="Device.LoadFabric"/> reads on any machine.</summary>
        public byte[] Save()
        {
            ulong size = 0;
            Check(Native.FabricSave(Handle, null, &size));
            var blob = new byte[size];
            fixed (byte* data = blob) Check(Native.FabricSave(Handle, data, &size));
            return blob;
        }
    }
}
