// observed_backend.cpp - see observed_backend.h.
#include "core/verify/observed_backend.h"

namespace clothc {
namespace {

class ObservedStream final : public Stream {
 public:
  ObservedStream(std::shared_ptr<Stream> below, DispatchObserver observe)
      : below_(std::move(below)), observe_(std::move(observe)) {}

  void close() override { below_->close(); }
  uint64_t submit(CommandList& list) override {
    CommandList passed;
    for (const Command& command : list.commands()) {
      if (const auto* dispatch = std::get_if<Dispatch>(&command)) {
        run_and_wait(*below_, passed);
        observe_(*dispatch, *below_);
      } else if (const auto* write = std::get_if<Write>(&command)) {
        passed.write(write->target, write->offset, list.data_of(*write), write->size);
      } else {
        passed.add(command);
      }
    }
    run_and_wait(*below_, passed);
    list.clear();
    return ++submitted_;
  }
  uint64_t completed() const override { return submitted_; }
  void check() const override { below_->check(); }
  StreamCounters counters() const override { return {}; }
  bool wait(uint64_t, uint64_t) override { return true; }

 private:
  const std::shared_ptr<Stream> below_;
  const DispatchObserver observe_;
  uint64_t submitted_ = 0;
};

}  // namespace

void run_and_wait(Stream& stream, CommandList& list) {
  if (!list.commands().empty()) stream.wait(stream.submit(list), UINT64_MAX);
}

void run_and_wait(Stream& stream, const Dispatch& dispatch) {
  CommandList list;
  list.add(dispatch);
  run_and_wait(stream, list);
}

std::shared_ptr<Stream> ObservedBackend::create_stream() {
  return std::make_shared<ObservedStream>(below_.create_stream(), observe_);
}

}  // namespace clothc
