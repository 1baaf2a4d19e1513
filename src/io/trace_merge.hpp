// Pieces of a trace joined into one table, in the order they are given.
#pragma once

#include <map>
#include <string>

#include "io/text_pool.hpp"
#include "io/trace_piece.hpp"

namespace greenline::io {

class TraceMerge {
 public:
  void add(const TracePiece& piece);
  TraceDirt& dirt() { return read_.dirt; }
  // The lanes have the names that the metadata gave them.
  TraceRead take();

 private:
  void add_lanes(const TraceColumns& from, std::vector<int>& lanes);
  void name_lanes();
  void order_columns();

  TraceRead read_;
  TextPool names_, categories_, lanes_, launches_;
  std::vector<TracePiece::Named> metadata_;  // the last of each kind and lane
  std::map<std::string, std::size_t> metadata_at_;
};

}  // namespace greenline::io
