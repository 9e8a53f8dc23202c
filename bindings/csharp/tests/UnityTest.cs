// UnityTest.cs - the component of the Unity package, compiled from the packed package, against stand-ins for Unity's
// types.
using System;
using System.IO;
using System.Linq;
using Clothc.Unity;
using UnityEngine;

internal static class UnityTest
{
    private const int Side = 10;

    private sealed class Scene
    {
        internal readonly GameObject Object = new GameObject();
        internal readonly Mesh Mesh = new Mesh();
        internal readonly ClothMesh Cloth;
        internal readonly Action Enable, Disable, FixedUpdate, LateUpdate;

        // An upright sheet of 1 m in the plane z = 0, two triangles per square.
        internal Scene()
        {
            Mesh.vertices = Enumerable.Range(0, Side * Side)
                .Select(v => new Vector3(v % Side / (Side - 1f), v / Side / (Side - 1f), 0)).ToArray();
            Mesh.normals = Enumerable.Repeat(new Vector3(0, 0, -1), Side * Side).ToArray();
            Mesh.triangles = Enumerable.Range(0, (Side - 1) * (Side - 1)).SelectMany(q =>
            {
                var first = q / (Side - 1) * Side + q % (Side - 1);
                return new[] { first, first + Side, first + Side + 1, first, first + Side + 1, first + 1 };
            }).ToArray();
            Object.Add<MeshFilter>().mesh = Mesh;
            Cloth = Object.Add<ClothMesh>();
            Enable = GameObject.MessageOf(Cloth, "OnEnable");
            Disable = GameObject.MessageOf(Cloth, "OnDisable");
            FixedUpdate = GameObject.MessageOf(Cloth, "FixedUpdate");
            LateUpdate = GameObject.MessageOf(Cloth, "LateUpdate");
        }

        internal void Step(int count)
        {
            for (var frame = 0; frame < count; frame++)
            {
                FixedUpdate();
                LateUpdate();
            }
        }
    }

    [Test]
    private static void A_mesh_falls_by_gravity_and_comes_back()
    {
        var scene = new Scene();
        scene.Cloth.pinnedVertices = new[] { Side * (Side - 1) };
        scene.Enable();
        scene.Step(50);
        var vertices = scene.Mesh.vertices;
        Expect.Equal(new Vector3(0, 1, 0), vertices[Side * (Side - 1)], "pinned vertex");
        Expect.That(vertices[Side - 1].y < -0.2f, $"a free corner falls to {vertices[Side - 1].y}");
        Expect.Equal(50, scene.Mesh.BoundsCount, "number of new bounds");
        Expect.That(Math.Abs(Length(scene.Mesh.normals[55]) - 1) < 1e-3f, "normals have length 1");
        scene.Disable();
        Expect.Equal(new Vector3(1, 0, 0), scene.Mesh.vertices[Side - 1], "vertex after OnDisable");
        scene.Disable();
        scene.Step(1);
        scene.Enable();
        scene.Step(1);
        Expect.That(scene.Mesh.vertices[Side - 1].y > -0.01f, "the cloth begins anew");
        scene.Disable();
    }

    [Test]
    private static void Winding_gives_the_normals_that_Unity_has()
    {
        var scene = new Scene();
        scene.Cloth.pinByHeight = true;
        scene.Enable();
        scene.Step(1);
        // In Unity the normal of the first triangle, 0 10 11, points to -z: cross(up, up and right).
        Expect.That(scene.Mesh.normals[55].z < -0.99f, $"the normal's z is {scene.Mesh.normals[55].z}");
        scene.Disable();
    }

    [Test]
    private static void A_cloth_follows_its_transform_and_scale()
    {
        var scene = new Scene();
        scene.Cloth.pinByHeight = true;
        scene.Cloth.pinHeight = 0.99f;
        scene.Object.transform.lossyScale = new Vector3(2, 2, 2);
        scene.Enable();
        scene.Step(20);
        Expect.That(Math.Abs(scene.Cloth.Cloth.Status.BoundsMaximum.X - 2) < 1e-6,
            "the cloth has the size in the world");
        var rest = scene.Mesh.vertices;
        Expect.That(Math.Abs(rest[Side * Side - 1].x - 1) < 1e-6f, "the mesh keeps its size");
        // A step to +x leaves the free vertices behind; a teleport does not.
        scene.Object.transform.position = new Vector3(0.5f, 0, 0);
        scene.Step(1);
        Expect.That(scene.Mesh.vertices[0].x < rest[0].x - 0.05f, "the cloth stays behind");
        scene.Disable();
        scene.Enable();
        scene.Step(20);
        scene.Object.transform.position = new Vector3(9, 0, 0);
        scene.Cloth.Teleport();
        scene.Step(1);
        Expect.That(Math.Abs(scene.Mesh.vertices[0].x - rest[0].x) < 1e-3f, "the cloth comes along");
        scene.Disable();
    }

    [Test]
    private static void A_frame_of_the_component_makes_no_garbage()
    {
        var scene = new Scene();
        scene.Enable();
        var turn = 0f;
        Expect.Equal(0L, GarbageTest.BytesOf(() =>
        {
            turn += 0.01f;
            scene.Object.transform.position = new Vector3(turn, 0, 0);
            scene.Cloth.wind = new Vector3(turn, 0, 1);
            scene.FixedUpdate();
            scene.FixedUpdate();
            scene.LateUpdate();
        }), "bytes of garbage");
        scene.Disable();
    }

    [Test]
    private static void Components_share_a_device_and_the_last_one_destroys_it()
    {
        World.Collect();
        var before = LifetimeTest.ThreadCount;
        var first = new Scene();
        var second = new Scene();
        first.Enable();
        second.Enable();
        second.Step(3);
        first.Disable();
        second.Step(3);
        Expect.That(second.Mesh.vertices[0].y < 0, "the second one goes on");
        second.Disable();
        LifetimeTest.ExpectThreads(before, "after the last component");
        Expect.Throws<InvalidOperationException>(ClothDevice.Release);
    }

    [Test]
    private static void A_wrong_pin_is_logged_and_disables_the_component()
    {
        var scene = new Scene();
        scene.Cloth.pinnedVertices = new[] { 5000 };
        scene.Enable();
        Expect.That(Debug.LastError.Contains("pinned vertex 5000"), Debug.LastError);
        Expect.That(!scene.Cloth.enabled, "the component is disabled");
        scene.Disable();
        scene.Step(1);
    }

    [Test]
    private static void The_package_has_all_files_with_ids()
    {
        var package = Path.Combine(Setting.Of("CLOTHC_BUILD_DIR"), "csharp/unity");
        var files = Directory.GetFiles(package, "*", SearchOption.AllDirectories);
        var contents = files.Where(file => !file.EndsWith(".meta")).ToArray();
        foreach (var file in contents) Expect.That(files.Contains(file + ".meta"), $"{file} has an id");
        Expect.That(contents.Any(file => file.Contains("Runtime/Plugins/Linux/x86_64/libclothc.so")),
            "the library is there");
        var ids = files.Where(file => file.EndsWith(".meta")).Select(file => File.ReadAllLines(file)[1]).ToArray();
        Expect.Equal(ids.Length, ids.Distinct().Count(), "number of different ids");
    }

    private static float Length(Vector3 vector) =>
        (float)Math.Sqrt(vector.x * vector.x + vector.y * vector.y + vector.z * vector.z);
}
