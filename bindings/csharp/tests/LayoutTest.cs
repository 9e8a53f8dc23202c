// LayoutTest.cs - sizes, offsets and constants are those of the C compiler, and every type can be reached.
using System;
using System.Collections.Generic;
using System.Linq;
using System.Reflection;
using Clothc;

namespace Clothc
{
    internal sealed class LayoutPrinter
    {
        internal readonly List<string> Lines = new List<string>();

        internal void Struct(string name, int size) => Lines.Add($"struct {name} {size}");

        internal void Field(string name, long offset, int size) => Lines.Add($"field {name} {offset} {size}");

        internal void Constant(string name, long value) => Lines.Add($"constant {name} {value}");
    }
}

internal static class LayoutTest
{
    [Test]
    private static void Layout_and_constants_are_those_of_C()
    {
        var wanted = Setting.Output(Setting.Of("CLOTHC_LAYOUT"), "").Trim().Split('\n');
        var printer = new LayoutPrinter();
        Layout.Print(printer);
        for (var line = 0; line < Math.Min(wanted.Length, printer.Lines.Count); line++)
            Expect.Equal(wanted[line], printer.Lines[line], $"line {line + 1}");
        Expect.Equal(wanted.Length, printer.Lines.Count, "number of lines");
    }

    [Test]
    private static void Defaults_are_those_of_the_library()
    {
        foreach (var parameter in ClothcLibrary.DescribeParameters())
        {
            if (parameter.Type != ParameterType.Float) continue;
            var field = typeof(ClothParameters).GetFields().Single(
                f => (int)System.Runtime.InteropServices.Marshal.OffsetOf<ClothParameters>(f.Name) == parameter.Offset);
            Expect.Equal(field.Name.ToLowerInvariant(), parameter.Name.Replace("_", ""), "name at the offset");
            Expect.Equal((float)parameter.Initial.X, (float)field.GetValue(ClothParameters.Default), field.Name);
        }
        Expect.That(ClothParameters.Default.Gravity.Y < -9, "gravity points down");
        Expect.Equal(0.1f, ColliderShapes.Default.TriangleReach);
        Expect.Equal(1u, MeshDesc.Default.TethersPerParticle);
    }

    // Each public type is what some member of another one takes, gives or holds.
    [Test]
    private static void Every_type_is_used_by_a_class()
    {
        var exceptions = new HashSet<string>
        {
            "StructKind", // Default of each struct uses it.
            "ParticlePhase", "PhaseType", "Contact", // Elements of channels and of flat arrays.
            "Device", "ClothcLibrary", "Constants", "Native", // They are where a program begins.
            "ClothcException", // It is thrown.
        };
        var types = typeof(Device).Assembly.GetTypes().Where(t => t.IsPublic && t.Namespace == "Clothc").ToArray();
        var used = new HashSet<string>(types.Where(t => t.Name != "Native").SelectMany(NamesOf));
        var left = types.Select(t => t.Name).Where(n => !used.Contains(n) && !exceptions.Contains(n)).ToArray();
        Expect.Equal("", string.Join(" ", left), "types that nothing uses");
    }

    private static IEnumerable<string> NamesOf(Type type)
    {
        const BindingFlags All =
            BindingFlags.Public | BindingFlags.Instance | BindingFlags.Static | BindingFlags.DeclaredOnly;
        var members = type.GetMethods(All).Select(m => m.ReturnType)
            .Concat(type.GetMethods(All).SelectMany(m => m.GetParameters().Select(p => p.ParameterType)))
            .Concat(type.GetConstructors().SelectMany(c => c.GetParameters().Select(p => p.ParameterType)))
            .Concat(type.GetFields(All).Where(f => !f.IsLiteral || f.DeclaringType != type).Select(f => f.FieldType));
        var all = members.SelectMany(Parts).Where(t => t != type).Select(t => t.Name);
        return type.BaseType == null ? all : all.Concat(Parts(type.BaseType).Select(t => t.Name));
    }

    // A type without references, pointers and arrays, and its arguments.
    private static IEnumerable<Type> Parts(Type type)
    {
        if (type.HasElementType) return Parts(type.GetElementType());
        if (!type.IsGenericType) return new[] { type };
        return type.GetGenericArguments().SelectMany(Parts).Append(type.GetGenericTypeDefinition());
    }
}
