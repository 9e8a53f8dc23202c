// CoverageTest.cs - the binding has the whole interface: every function of the description is in Native, and the
// classes use each of them.
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;
using Clothc;

internal static class CoverageTest
{
    // Functions that no class calls, with the reason. There are none.
    private static readonly Dictionary<string, string> unused = new Dictionary<string, string>();

    private static string[] Functions()
    {
        var description = File.ReadAllText("../clothc.json");
        var functions = description.Substring(description.IndexOf("\"functions\": ["));
        return Regex.Matches(functions, "\"name\": \"(clothc_\\w+)\",\\s+\"header\"").Cast<Match>()
            .Select(match => match.Groups[1].Value).ToArray();
    }

    [Test]
    private static void Every_function_is_in_Native()
    {
        var declared = typeof(Native).GetMethods(BindingFlags.Static | BindingFlags.Public)
            .Select(method => method.GetCustomAttribute<DllImportAttribute>()).Where(import => import != null)
            .Select(import => import.EntryPoint).OrderBy(name => name).ToArray();
        var wanted = Functions().OrderBy(name => name).ToArray();
        Expect.That(wanted.Length > 60, "the description has functions");
        Expect.Equal(string.Join("\n", wanted), string.Join("\n", declared), "functions in Native");
    }

    [Test]
    private static void Every_function_is_used_by_a_class()
    {
        var generated = new[] { "src/generated/Inputs.cs", "src/generated/Structs.cs" };
        var sources = Directory.GetFiles("src", "*.cs").Concat(generated);
        var text = string.Concat(sources.Select(File.ReadAllText));
        foreach (var method in typeof(Native).GetMethods(BindingFlags.Static | BindingFlags.Public))
        {
            var import = method.GetCustomAttribute<DllImportAttribute>();
            if (import == null) continue;
            var isUsed = Regex.IsMatch(text, $"\\bNative\\.{method.Name}\\(");
            var isListed = unused.ContainsKey(import.EntryPoint);
            Expect.That(isUsed != isListed, $"{import.EntryPoint} is used, or listed as unused");
        }
        // Calls of the generated wrappers come from the classes.
        var wrappers = typeof(Calls).GetMethods(BindingFlags.Static | BindingFlags.NonPublic);
        foreach (var wrapper in wrappers.Where(method => method.IsAssembly))
            Expect.That(text.Contains($"Calls.{wrapper.Name}("), $"Calls.{wrapper.Name} is used");
    }
}
