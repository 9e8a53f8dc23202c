// Runner.cs - runs the tests: all static methods with the attribute Test. A name on the command line chooses those
// whose name contains it. A failing test makes the exit code 1.
using System;
using System.Diagnostics;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;

[AttributeUsage(AttributeTargets.Method)]
internal sealed class TestAttribute : Attribute { }

internal static class Runner
{
    private static int Main(string[] arguments)
    {
        if (arguments.SequenceEqual(new[] { DomainTest.LeaveArgument })) return DomainTest.LeaveAll();
        var methods = Assembly.GetExecutingAssembly().GetTypes().OrderBy(type => type.Name)
            .SelectMany(type => type.GetMethods(BindingFlags.Static | BindingFlags.NonPublic | BindingFlags.Public))
            .Where(method => method.GetCustomAttribute<TestAttribute>() != null)
            .Where(method => arguments.All(($"{method.DeclaringType.Name}.{method.Name}").Contains)).ToArray();
        var failed = methods.Count(method => !Passes(method));
        Console.WriteLine($"{methods.Length - failed} of {methods.Length} tests pass");
        if (failed == 0 && methods.Length > 0) return 0;
        Console.Out.Flush();
        ExitAtOnce(1); // Finalisers may wait for what a failed test has left.
        return 1;
    }

    [DllImport("libc.so.6", EntryPoint = "_exit")]
    private static extern void ExitAtOnce(int code);

    private static bool Passes(MethodInfo method)
    {
        var name = $"{method.DeclaringType.Name}.{method.Name}";
        try
        {
            method.Invoke(null, null);
            Console.WriteLine($"ok     {name}");
            return true;
        }
        catch (TargetInvocationException error)
        {
            Console.WriteLine($"FAILED {name}: {error.InnerException}");
            return false;
        }
    }
}

internal static class Expect
{
    internal static void That(bool condition, string what)
    {
        if (!condition) throw new Exception($"not so: {what}");
    }

    internal static void Equal<T>(T wanted, T found, string what = "value")
    {
        if (!Equals(wanted, found)) throw new Exception($"{what} is {found}; want {wanted}");
    }

    internal static T Throws<T>(Action action) where T : Exception
    {
        try
        {
            action();
        }
        catch (T error)
        {
            return error;
        }
        throw new Exception($"no {typeof(T).Name} was thrown");
    }
}

internal static class Setting
{
    // A variable that ctest sets.
    internal static string Of(string name) =>
        Environment.GetEnvironmentVariable(name) ?? throw new Exception($"the environment lacks {name}");

    // Runs a program and returns what it prints.
    internal static string Output(string program, string arguments)
    {
        var start = new ProcessStartInfo(program, arguments) { UseShellExecute = false, RedirectStandardOutput = true };
        using (var process = Process.Start(start))
        {
            var output = process.StandardOutput.ReadToEnd();
            process.WaitForExit();
            Expect.Equal(0, process.ExitCode, $"exit code of {program}");
            return output;
        }
    }
}
