// FlagTest.cs - the example of the flag prints what the C program prints.
using System.IO;

internal static class FlagTest
{
    [Test]
    private static void Flag_equals_that_of_C()
    {
        var wanted = Setting.Output(Setting.Of("CLOTHC_FLAG"), "60");
        var folder = Path.GetDirectoryName(typeof(FlagTest).Assembly.Location);
        Expect.That(wanted.Contains("state hash "), "the C program prints a hash");
        Expect.Equal(wanted, Setting.Output("mono", $"{folder}/Flag.exe 60"), "output");
    }

    [Test]
    private static void Program_of_the_README_lets_a_sheet_fall()
    {
        var folder = Path.GetDirectoryName(typeof(FlagTest).Assembly.Location);
        var output = Setting.Output("mono", $"{folder}/Readme.exe");
        Expect.That(output.StartsWith("a free corner falls to -"), output);
    }
}
