// assimp_morphs FILE - prints how Assimp reads a file's morph targets: a line "MESH TARGET x y z" per vertex of each
// target of each mesh, and a line "key NODE SECONDS WEIGHTED_TARGET" per key of each animation (-1 = none).
#include <assimp/scene.h>

#include <assimp/Importer.hpp>
#include <cstdio>

namespace {

void print_targets(const aiScene& scene, unsigned mesh) {
  for (unsigned target = 0; target < scene.mMeshes[mesh]->mNumAnimMeshes; ++target) {
    const aiAnimMesh& moved = *scene.mMeshes[mesh]->mAnimMeshes[target];
    for (unsigned i = 0; i < moved.mNumVertices; ++i) {
      const aiVector3D& p = moved.mVertices[i];
      std::printf("%u %u %.9g %.9g %.9g\n", mesh, target, static_cast<double>(p.x), static_cast<double>(p.y),
                  static_cast<double>(p.z));
    }
  }
}

void print_keys(const aiAnimation& animation, const aiMeshMorphAnim& channel) {
  for (unsigned i = 0; i < channel.mNumKeys; ++i) {
    const aiMeshMorphKey& key = channel.mKeys[i];
    int shown = -1;
    for (unsigned k = 0; k < key.mNumValuesAndWeights; ++k) {
      if (key.mWeights[k] > 0.5) shown = static_cast<int>(key.mValues[k]);
    }
    std::printf("key %s %.9g %d\n", channel.mName.C_Str(), key.mTime / animation.mTicksPerSecond, shown);
  }
}

}  // namespace

int main(int argument_count, char** arguments) {
  Assimp::Importer importer;
  const aiScene* scene = argument_count == 2 ? importer.ReadFile(arguments[1], 0) : nullptr;
  if (!scene) {
    std::fprintf(stderr, "cannot read the file: %s\n", importer.GetErrorString());
    return 2;
  }
  for (unsigned mesh = 0; mesh < scene->mNumMeshes; ++mesh) print_targets(*scene, mesh);
  for (unsigned i = 0; i < scene->mNumAnimations; ++i) {
    const aiAnimation& animation = *scene->mAnimations[i];
    for (unsigned k = 0; k < animation.mNumMorphMeshChannels; ++k) {
      print_keys(animation, *animation.mMorphMeshChannels[k]);
    }
  }
  return 0;
}
