// Text.cs - the library's text, which is UTF-8 with a zero at its end, and small arrays within structs.
using System;
using System.Text;

namespace Clothc
{
    internal static unsafe class Text
    {
        internal static string From(byte* text)
        {
            if (text == null) return "";
            var length = 0;
            while (text[length] != 0) length++;
            return length == 0 ? "" : Encoding.UTF8.GetString(text, length);
        }

        /// <summary>The text as the library takes it, or null.</summary>
        internal static byte[] ToBytes(string text) => text == null ? null : Encoding.UTF8.GetBytes(text + "\0");

        internal static byte[] Bytes(byte* bytes, int count)
        {
            var copy = new byte[count];
            new ReadOnlySpan<byte>(bytes, count).CopyTo(copy);
            return copy;
        }

        internal static void SetBytes(byte[] values, byte* bytes, int count)
        {
            if (values == null || values.Length != count)
                throw new ArgumentException($"the array must have {count} bytes");
            values.CopyTo(new Span<byte>(bytes, count));
        }
    }
}
