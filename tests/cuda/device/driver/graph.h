// graph.h - graphs, their executable copies, and captures of streams into graphs.
#pragma once

#include <memory>
#include <thread>
#include <vector>

#include "cuda/device/driver/context.h"

namespace clothc::cuda_device {

struct Node {
  TaskPointer task;
  // Numbers of nodes, all smaller than that of this one.
  std::vector<size_t> dependencies;
};

// A resource of the program that graphs own. Its destructor calls the program's.
class UserObject {
 public:
  UserObject(CUhostFn destroy, void* argument) : destroy_(destroy), argument_(argument) {}
  ~UserObject();
  UserObject(const UserObject&) = delete;
  UserObject& operator=(const UserObject&) = delete;

 private:
  const CUhostFn destroy_;
  void* const argument_;
};

// What the handle of a user object stands for: the references that the program has not given away.
struct UserReferences {
  std::shared_ptr<UserObject> object;
  unsigned count = 0;
};

struct Graph {
  ContextPointer context;
  std::vector<Node> nodes;
  std::vector<std::shared_ptr<UserObject>> user_objects;
  // A handle for each node.
  std::vector<CUgraphNode> handles;
};

struct NodeObject {
  std::weak_ptr<Graph> graph;
  size_t index = 0;
};

// The nodes of an executable graph as one launch runs them. It does not change once it was launched.
struct Plan {
  std::vector<Node> nodes;
  // Those of the graph when it was instantiated.
  std::vector<std::shared_ptr<UserObject>> user_objects;
  // The lane of each node. Nodes of a lane depend on each other.
  std::vector<std::shared_ptr<const Lane>> lanes;
};

struct ExecutableGraph {
  ContextPointer context;
  std::weak_ptr<Graph> graph;
  std::shared_ptr<Plan> plan;
  // Launches of one executable graph run one after the other.
  OperationPointer last_launch;
};

// Work that streams record into a graph instead of running it.
struct Capture {
  std::shared_ptr<Graph> graph;
  // Null until the program asks for it or gets the graph.
  CUgraph handle = nullptr;
  uint64_t id = 0;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
  std::thread::id thread;
  // The stream in which it began.
  std::weak_ptr<Stream> origin;
  // All streams that take part.
  std::vector<std::weak_ptr<Stream>> streams;
  bool is_valid = true;
  bool has_ended = false;
};

// Adds a node that has not been added. Called with the state's lock held.
size_t add_node(const std::shared_ptr<Graph>& graph, TaskPointer task, std::vector<size_t> dependencies);

}  // namespace clothc::cuda_device
