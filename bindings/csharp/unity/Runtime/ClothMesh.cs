// ClothMesh.cs - a component that deforms the mesh of its object as cloth. FixedUpdate starts an update of the cloth,
// whose frame follows the transform; the library works on it until LateUpdate copies the positions and normals to the
// mesh. A frame makes no garbage.
using System;
using System.Runtime.InteropServices;
using UnityEngine;

namespace Clothc.Unity
{
    /// <summary>Deforms the mesh of this object as cloth.</summary>
    [RequireComponent(typeof(MeshFilter))]
    public sealed class ClothMesh : MonoBehaviour
    {
        /// <summary>Vertices that keep their place in the object.</summary>
        [Tooltip("Vertices that keep their place in the object.")]
        public int[] pinnedVertices = new int[0];

        /// <summary>Whether all vertices above a height are pinned too.</summary>
        [Tooltip("Pin all vertices at or above a height, too.")]
        public bool pinByHeight;

        /// <summary>The height, in the mesh's own coordinates.</summary>
        [Tooltip("The height, in the mesh's own coordinates.")]
        public float pinHeight;

        /// <summary>Mass in kg/m2.</summary>
        [Tooltip("Mass in kg/m2. A change takes effect when the component is enabled.")]
        public float arealDensity = 0.2f;

        /// <summary>Part of the velocity lost per 0.1 s, 0 .. 1.</summary>
        [Tooltip("Part of the velocity lost per 0.1 s, 0 .. 1.")]
        public float damping = 0.1f;

        /// <summary>Iterations per second. More of them make the cloth stiffer.</summary>
        [Tooltip("Iterations per second. More of them make the cloth stiffer.")]
        public float solverFrequency = 300;

        /// <summary>Velocity of the wind in the world, m/s.</summary>
        [Tooltip("Velocity of the wind in the world, m/s.")]
        public Vector3 wind;

        /// <summary>Strength of the force along the wind, 0 .. 1.</summary>
        [Tooltip("Strength of the force along the wind, 0 .. 1.")]
        public float drag = 0.02f;

        /// <summary>Strength of the force across the wind, 0 .. 1.</summary>
        [Tooltip("Strength of the force across the wind, 0 .. 1.")]
        public float lift = 0.02f;

        private Mesh mesh;
        private Vector3[] restVertices, restNormals, vertices, normals;
        private Vector3 scale, framePosition;
        private Quaternion frameRotation;
        private ClothParameters parameters;
        private Buffer<Float3> positionBuffer, normalBuffer;
        private bool hasUpdated, isTeleporting, usesDevice;

        /// <summary>The solver of this cloth, such as for collider sets; null while the component is
        /// disabled.</summary>
        public Solver Solver { get; private set; }

        /// <summary>The cloth, which exists while the component is enabled.</summary>
        public Cloth Cloth { get; private set; }

        /// <summary>Lets the next update move the cloth to where the transform is without any force.</summary>
        public void Teleport() { isTeleporting = true; }

        private void OnEnable()
        {
            try
            {
                Begin();
            }
            catch (Exception error) when (error is ClothcException || error is ArgumentException)
            {
                Debug.LogError($"{name}: {error.Message}", this);
                End();
                enabled = false;
            }
        }

        private void OnDisable()
        {
            End();
            if (mesh == null || restVertices == null) return;
            mesh.vertices = restVertices;
            mesh.normals = restNormals;
            mesh.RecalculateBounds();
        }

        private void FixedUpdate()
        {
            if (Solver == null) return;
            ApplyParameters();
            MoveFrame();
            Solver.Update(Time.fixedDeltaTime);
            hasUpdated = true;
        }

        private void LateUpdate()
        {
            if (!hasUpdated) return;
            hasUpdated = false;
            using (var positions = positionBuffer.Map())
            using (var directions = normalBuffer.Map())
                Copy(positions.ReadOnlySpan, directions.ReadOnlySpan);
            mesh.vertices = vertices;
            mesh.normals = normals;
            mesh.RecalculateBounds();
        }

        // Makes the cloth from the mesh as it is.
        private void Begin()
        {
            mesh = GetComponent<MeshFilter>().mesh;
            restVertices = mesh.vertices;
            restNormals = mesh.normals;
            vertices = (Vector3[])restVertices.Clone();
            normals = new Vector3[vertices.Length];
            scale = transform.lossyScale;
            var device = ClothDevice.Acquire();
            usesDevice = true;
            positionBuffer = device.CreateBuffer<Float3>(vertices.Length);
            normalBuffer = device.CreateBuffer<Float3>(vertices.Length);
            using (var fabric = Cook(device))
            {
                var solverDesc = SolverDesc.Default;
                solverDesc.ParticleCapacity = fabric.Info.ParticleCount + 32;
                solverDesc.ClothCapacity = 1;
                Solver = device.CreateSolver(solverDesc);
                Cloth = Solver.AddCloth(fabric);
            }
            Cloth.Bind(Channel.Position, positionBuffer);
            Cloth.Bind(Channel.Normal, normalBuffer);
            parameters = ClothParameters.Default;
            ApplyParameters();
            PlaceFrame(FrameFlags.Start);
        }

        private void End()
        {
            hasUpdated = false;
            Solver?.Dispose();
            positionBuffer?.Dispose();
            normalBuffer?.Dispose();
            Solver = null;
            positionBuffer = normalBuffer = null;
            if (usesDevice) ClothDevice.Release();
            usesDevice = false;
        }

        private Fabric Cook(Device device)
        {
            var positions = new Float3[vertices.Length];
            var inverseMasses = new float[vertices.Length];
            for (var vertex = 0; vertex < vertices.Length; vertex++)
            {
                var place = vertices[vertex];
                positions[vertex] = new Float3(place.x * scale.x, place.y * scale.y, place.z * scale.z);
                inverseMasses[vertex] = pinByHeight && place.y >= pinHeight ? 0 : 1;
            }
            foreach (var vertex in pinnedVertices)
            {
                if ((uint)vertex >= (uint)vertices.Length)
                    throw new ArgumentException($"pinned vertex {vertex}; the mesh has {vertices.Length} vertices");
                inverseMasses[vertex] = 0;
            }
            var desc = MeshDesc.Default;
            desc.Positions = positions;
            desc.InverseMasses = inverseMasses;
            desc.Triangles = mesh.triangles;
            desc.ArealDensity = arealDensity;
            desc.Flags = CookFlags.Quadify;
            return device.Cook(desc);
        }

        // Sends the parameters that have changed; sending wakes a cloth that sleeps.
        private void ApplyParameters()
        {
            var wanted = parameters;
            wanted.Gravity = ToFloat3(Physics.gravity);
            wanted.Damping = new Float3(damping, damping, damping);
            wanted.SolverFrequency = solverFrequency;
            wanted.WindVelocity = ToFloat3(wind);
            wanted.DragCoefficient = drag;
            wanted.LiftCoefficient = lift;
            Span<ClothParameters> both = stackalloc ClothParameters[2];
            both[0] = parameters;
            both[1] = wanted;
            if (MemoryMarshal.AsBytes(both.Slice(0, 1)).SequenceEqual(MemoryMarshal.AsBytes(both.Slice(1)))) return;
            var cloth = Cloth;
            cloth.Parameters = wanted;
            parameters = wanted;
        }

        private void MoveFrame()
        {
            if (isTeleporting) PlaceFrame(FrameFlags.Teleport);
            else if (transform.position != framePosition || transform.rotation != frameRotation)
                PlaceFrame(FrameFlags.None);
            isTeleporting = false;
        }

        private void PlaceFrame(FrameFlags flags)
        {
            framePosition = transform.position;
            frameRotation = transform.rotation;
            var frame = ClothFrame.Default;
            frame.Flags = flags;
            frame.Translation = frame.StartTranslation = ToFloat3(framePosition);
            frame.Rotation = frame.StartRotation =
                new Float4(frameRotation.x, frameRotation.y, frameRotation.z, frameRotation.w);
            var cloth = Cloth;
            cloth.Frame = frame;
        }

        // The cloth has the size that the object has in the world; the mesh is scaled by the transform again.
        private void Copy(ReadOnlySpan<Float3> positions, ReadOnlySpan<Float3> directions)
        {
            for (var vertex = 0; vertex < vertices.Length; vertex++)
            {
                var place = positions[vertex];
                vertices[vertex] = new Vector3(place.X / scale.x, place.Y / scale.y, place.Z / scale.z);
                var direction = directions[vertex];
                normals[vertex] = new Vector3(direction.X * scale.x, direction.Y * scale.y,
                    direction.Z * scale.z).normalized;
            }
        }

        private static Float3 ToFloat3(Vector3 vector) => new Float3(vector.x, vector.y, vector.z);
    }
}
