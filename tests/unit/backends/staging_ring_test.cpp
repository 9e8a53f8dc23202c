// staging_ring_test.cpp - which pieces a ring of staging memory makes, uses again and frees.
#include "backend_gpu/staging_ring.h"

#include <gtest/gtest.h>

namespace clothc::staging_ring_test {
namespace {

class Piece {
 public:
  explicit Piece(uint64_t size) : size_(size) {}
  uint64_t size() const { return size_; }

 private:
  uint64_t size_;
};

constexpr uint64_t kibibyte = 1024, mebibyte = 1024 * kibibyte;

// A ring of a stream whose lists end when so many others have been submitted.
struct Lists {
  uint64_t lag = 0;
  uint64_t value = 0;
  uint64_t made = 0;
  bool refuses = false;
  gpu::StagingRing<Piece> ring;

  uint64_t completed() const { return value > lag ? value - 1 - lag : 0; }
  void begin() {
    ++value;
    ring.release_idle(value, completed());
  }
  gpu::StagingRing<Piece>::Slice take(uint64_t size) {
    return ring.allocate(size, value, completed(), [this](uint64_t room) {
      if (!refuses) ++made;
      return refuses ? nullptr : std::make_unique<Piece>(room);
    });
  }
};

TEST(StagingRing, slices_that_are_in_use_do_not_overlap) {
  Lists lists;
  lists.lag = 3;
  struct Taken {
    const Piece* piece;
    uint64_t begin, end, value;
  };
  std::vector<Taken> taken;
  uint64_t size = 1;
  for (int k = 0; k < 500; ++k) {
    lists.begin();
    for (int n = 0; n < 3; ++n) {
      size = size * 1103515245 % 2147483647;
      const uint64_t bytes = 1 + size % (k % 5 == 0 ? 2 * mebibyte : 64 * kibibyte);
      const auto slice = lists.take(bytes);
      ASSERT_NE(slice.piece, nullptr);
      EXPECT_EQ(slice.offset % 16, 0u);
      EXPECT_LE(slice.offset + bytes, slice.piece->size());
      for (const Taken& other : taken) {
        const bool overlaps =
            other.piece == slice.piece && other.begin < slice.offset + bytes && slice.offset < other.end;
        EXPECT_FALSE(overlaps && other.value > lists.completed()) << "list " << k;
      }
      taken.push_back({slice.piece, slice.offset, slice.offset + bytes, lists.value});
    }
  }
}

TEST(StagingRing, makes_nothing_in_a_steady_state_of_several_sizes) {
  Lists lists;
  const auto frame = [&] {
    for (const uint64_t size : {16 * mebibyte, 300 * kibibyte, 100 * kibibyte, mebibyte}) {
      lists.begin();
      lists.take(size);
    }
  };
  // The device is behind by more and less.
  for (int k = 0; k < 200; ++k) {
    lists.lag = static_cast<uint64_t>(k * 7 % 12);
    frame();
  }
  const uint64_t made = lists.made;
  EXPECT_LT(made, 20u);
  for (int k = 0; k < 2000; ++k) {
    lists.lag = static_cast<uint64_t>(k * 7 % 12);
    frame();
  }
  EXPECT_EQ(lists.made, made);
}

TEST(StagingRing, frees_what_a_large_slice_took_though_small_ones_follow) {
  Lists lists;
  lists.begin();
  lists.take(100 * mebibyte);
  EXPECT_EQ(lists.ring.size(), 100 * mebibyte);
  for (uint64_t k = 0; k <= lists.ring.idle_lists; ++k) {
    EXPECT_GE(lists.ring.size(), 100 * mebibyte) << k;
    lists.begin();
    lists.take(64 * kibibyte);
    lists.take(2 * mebibyte);
  }
  EXPECT_LT(lists.ring.size(), 8 * mebibyte);
}

TEST(StagingRing, keeps_what_is_in_use_however_long) {
  Lists lists;
  lists.lag = 2000;
  lists.begin();
  lists.take(mebibyte);
  for (int k = 0; k < 1999; ++k) lists.begin();
  EXPECT_EQ(lists.ring.size(), mebibyte);
  for (int k = 0; k < 3; ++k) lists.begin();
  EXPECT_EQ(lists.ring.size(), 0u);
}

TEST(StagingRing, keeps_a_few_small_pieces_of_many) {
  Lists lists;
  lists.begin();
  for (int k = 0; k < 100; ++k) lists.take(200 * kibibyte);
  EXPECT_GT(lists.ring.size(), 20 * mebibyte);
  for (int k = 0; k < 1001; ++k) lists.begin();
  EXPECT_GT(lists.ring.size(), 0u);
  EXPECT_LE(lists.ring.size(), mebibyte);
}

TEST(StagingRing, gives_no_piece_where_none_can_be_made) {
  Lists lists;
  lists.begin();
  const auto first = lists.take(mebibyte);
  lists.refuses = true;
  EXPECT_EQ(lists.take(mebibyte).piece, nullptr);
  EXPECT_EQ(lists.ring.size(), mebibyte);
  lists.begin();
  EXPECT_EQ(lists.take(mebibyte).piece, first.piece);
}

}  // namespace
}  // namespace clothc::staging_ring_test
