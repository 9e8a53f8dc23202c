// Unity.cs - stands in for the few types of Unity that the component uses, so that it can be compiled and run in tests.
using System;
using System.Collections.Generic;
using System.Reflection;

namespace UnityEngine
{
    [AttributeUsage(AttributeTargets.Class)]
    public sealed class RequireComponent : Attribute
    {
        public RequireComponent(Type type) { Required = type; }

        public Type Required { get; }
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string text) { Text = text; }

        public string Text { get; }
    }

    public struct Vector3 : IEquatable<Vector3>
    {
        public float x, y, z;

        public Vector3(float x, float y, float z) { this.x = x; this.y = y; this.z = z; }

        public Vector3 normalized
        {
            get
            {
                var length = (float)Math.Sqrt(x * x + y * y + z * z);
                return length > 1e-5f ? new Vector3(x / length, y / length, z / length) : new Vector3();
            }
        }

        public bool Equals(Vector3 other) => x == other.x && y == other.y && z == other.z;

        public override bool Equals(object other) => other is Vector3 vector && Equals(vector);

        public override int GetHashCode() => x.GetHashCode() ^ y.GetHashCode() << 2 ^ z.GetHashCode() >> 2;

        public static bool operator ==(Vector3 a, Vector3 b) => a.Equals(b);

        public static bool operator !=(Vector3 a, Vector3 b) => !a.Equals(b);
    }

    public struct Quaternion : IEquatable<Quaternion>
    {
        public float x, y, z, w;

        public Quaternion(float x, float y, float z, float w) { this.x = x; this.y = y; this.z = z; this.w = w; }

        public bool Equals(Quaternion other) => x == other.x && y == other.y && z == other.z && w == other.w;

        public override bool Equals(object other) => other is Quaternion rotation && Equals(rotation);

        public override int GetHashCode() => x.GetHashCode() ^ w.GetHashCode();

        public static bool operator ==(Quaternion a, Quaternion b) => a.Equals(b);

        public static bool operator !=(Quaternion a, Quaternion b) => !a.Equals(b);
    }

    public class Object
    {
        public string name = "object";
    }

    public class Component : Object
    {
        internal GameObject owner;

        public Transform transform => owner.transform;

        public T GetComponent<T>() where T : Component => owner.Get<T>();
    }

    public class Behaviour : Component
    {
        public bool enabled { get; set; } = true;
    }

    public class MonoBehaviour : Behaviour
    {
    }

    public sealed class Transform : Component
    {
        public Vector3 position, lossyScale = new Vector3(1, 1, 1);
        public Quaternion rotation = new Quaternion(0, 0, 0, 1);
    }

    // Unity has a type of this name, with which scripts see that of the binding clash.
    public sealed class Cloth : Component
    {
    }

    public sealed class Mesh : Object
    {
        private Vector3[] positions = new Vector3[0], directions = new Vector3[0];

        // Unity copies arrays in both directions.
        public Vector3[] vertices { get => (Vector3[])positions.Clone(); set => Copy(value, ref positions); }

        public Vector3[] normals { get => (Vector3[])directions.Clone(); set => Copy(value, ref directions); }

        public int[] triangles { get; set; }

        public int BoundsCount { get; private set; }

        public void RecalculateBounds() => BoundsCount++;

        private static void Copy(Vector3[] source, ref Vector3[] target)
        {
            if (target.Length != source.Length) target = new Vector3[source.Length];
            Array.Copy(source, target, source.Length);
        }
    }

    public sealed class MeshFilter : Component
    {
        public Mesh mesh { get; set; }
    }

    public static class Time
    {
        public static float fixedDeltaTime = 0.02f;
    }

    public static class Physics
    {
        public static Vector3 gravity = new Vector3(0, -9.81f, 0);
    }

    public static class Debug
    {
        public static string LastError = "";

        public static void LogError(object message, Object context) => LastError = message.ToString();
    }

    // An object with its components. Send calls a component's private method, as Unity does.
    public sealed class GameObject : Object
    {
        private readonly List<Component> components = new List<Component>();

        public GameObject() { transform = Add<Transform>(); }

        public Transform transform { get; }

        public T Add<T>() where T : Component, new()
        {
            var component = new T { owner = this };
            components.Add(component);
            return component;
        }

        public T Get<T>() where T : Component
        {
            foreach (var component in components)
                if (component is T found)
                    return found;
            return null;
        }

        public static Action MessageOf(MonoBehaviour component, string name)
        {
            var method = component.GetType().GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic);
            return (Action)Delegate.CreateDelegate(typeof(Action), component, method);
        }
    }
}
