// Reader of a piece of the events of a trace: what the threads of read_trace work on.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/trace_reader.hpp"

namespace greenline::io {

// Columns whose indices are those of the piece; texts and lanes in order of first use.
struct TracePiece {
  TraceRead read;
  // Names of lanes, which may have no event here.
  struct Named {
    std::string pid, tid, what, text;  // what: "thread_name"; text: without escapes, or a number
  };
  std::vector<Named> metadata;
};

class PieceReader {
 public:
  PieceReader();
  PieceReader(const PieceReader&) = delete;
  PieceReader& operator=(const PieceReader&) = delete;
  ~PieceReader();
  // Whole events separated by commas, without the brackets around. Nothing when the text is
  // anything else. Valid until the next call.
  const TracePiece* read(std::string_view events);

 private:
  class Walk;
  std::unique_ptr<Walk> walk_;
};

}  // namespace greenline::io
