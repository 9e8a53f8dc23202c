// ClothcException.cs - errors of the library as exceptions. Statuses, the positive results, are return values.
using System;

namespace Clothc
{
    /// <summary>A call of the library failed and changed nothing. The message says what was wrong and what to do about
    /// it.</summary>
    public sealed class ClothcException : Exception
    {
        /// <summary>Makes an exception.</summary>
        public ClothcException(Result result, string message, Exception inner = null) : base(message, inner)
        {
            Result = result;
        }

        /// <summary>What kind of error it was.</summary>
        public Result Result { get; }

        /// <summary>Throws the exception of an error with the message of this thread's last failing call. Returns every
        /// other result. An exception that a message callback has thrown becomes the inner one.</summary>
        public static Result Check(Result result)
        {
            if (result < 0)
                throw new ClothcException(result, ClothcLibrary.LastErrorMessage, Callbacks.TakeException());
            return result;
        }
    }
}
