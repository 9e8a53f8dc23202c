// AssemblyInfo.cs - what the assembly is, and who may see its internals.
using System.Runtime.CompilerServices;

[assembly: InternalsVisibleTo("clothc_tests")]
