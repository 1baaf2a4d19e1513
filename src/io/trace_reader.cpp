#include "io/trace_reader.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "io/place_cursor.hpp"
#include "io/trace_merge.hpp"
#include "io/trace_scan.hpp"

namespace greenline::io {
namespace {

constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

struct Piece {
  std::size_t begin = 0, end = 0;
  std::size_t next = 0;                 // the event behind it; 0: none
  const TracePiece* columns = nullptr;  // nothing: it is not whole events
};

// The events of one array, from behind its `[`.
class EventsReader {
 public:
  EventsReader(std::string_view text, TraceMerge& merge) : text_(text), merge_(merge) {}

  // Behind the `]`, or the end of a text that is cut off.
  std::size_t read(std::size_t begin) {
    std::size_t at = skip_blanks(text_, begin);
    cuts_ = std::make_unique<EventCuts>(text_, at);
    while (!done_) at = read_wave(at);
    return at;
  }

 private:
  std::size_t read_wave(std::size_t at);
  std::vector<Piece> pieces_from(std::size_t at);
  bool find_end(std::size_t from, std::size_t& last_end, std::size_t& end);
  std::size_t read_one_by_one(std::size_t at, std::size_t until);
  std::size_t read_one(std::size_t at);
  std::size_t behind(std::size_t end);
  bool read_event(std::string_view event);
  std::size_t truncated() {
    merge_.dirt().truncated = true;
    done_ = true;
    return text_.size();
  }

  std::string_view text_;
  TraceMerge& merge_;
  std::unique_ptr<EventCuts> cuts_;
  std::vector<std::unique_ptr<PieceReader>> readers_;
  PieceReader single_;
  std::size_t array_end_ = 0;  // set with the last piece
  bool has_end_ = false, is_cut_off_ = false, done_ = false;
  bool is_lost_ = false;    // since the last piece that was whole, an event was broken
  std::size_t wasted_ = 0;  // bytes passed in vain by scans that did not find an end
};

// The end of the array by counting brackets: only the last piece is walked through so.
bool EventsReader::find_end(std::size_t from, std::size_t& last_end, std::size_t& end) {
  last_end = from;
  for (std::size_t at = from; at < text_.size();) {
    if (text_[at] == ']') {
      end = at + 1;
      return true;
    }
    const auto value_end = skip_value(text_, at);
    if (!value_end) return false;
    last_end = *value_end;
    at = skip_blanks(text_, *value_end);
    if (at < text_.size() && text_[at] == ',') at = skip_blanks(text_, at + 1);
  }
  return false;
}

std::vector<Piece> EventsReader::pieces_from(std::size_t at) {
  const auto most = static_cast<std::size_t>(2 * std::max(1, base::num_threads()));
  std::vector<Piece> pieces;
  has_end_ = is_cut_off_ = false;
  while (pieces.size() < most && !has_end_) {
    const auto cut = at + kPieceBytes < text_.size() ? cuts_->next(at + kPieceBytes) : std::nullopt;
    Piece piece;
    piece.begin = at;
    if (cut) {
      piece.end = cut->end;
      at = piece.next = cut->begin;
    } else {
      has_end_ = true;
      is_cut_off_ = !find_end(at, piece.end, array_end_);
      // A stray quote looks like a text that never ends: events behind it are worth a closer look.
      if (is_cut_off_ && cuts_->next(piece.end)) piece.end = piece.begin;
    }
    pieces.push_back(std::move(piece));
  }
  return pieces;
}

std::size_t EventsReader::read_wave(std::size_t at) {
  std::vector<Piece> pieces = pieces_from(at);
  while (readers_.size() < pieces.size()) readers_.push_back(std::make_unique<PieceReader>());
  base::parallel_for(pieces.size(), [&](std::size_t i) {
    Piece& piece = pieces[i];
    if (piece.end == piece.begin) return;
    piece.columns = readers_[i]->read(text_.substr(piece.begin, piece.end - piece.begin));
  });
  // A cut that was none leaves the brackets of the piece before it unbalanced: that piece is not
  // read, and its events are found one by one.
  for (std::size_t i = 0; i < pieces.size() && !done_; ++i) {
    Piece& piece = pieces[i];
    const bool is_last = i + 1 == pieces.size() && has_end_;
    if (at != piece.begin) continue;
    if (piece.columns != nullptr) {
      merge_.add(*piece.columns);
      is_lost_ = false;
      at = piece.next;
      if (is_last && is_cut_off_) return truncated();
      if (is_last) {
        done_ = true;
        return array_end_;
      }
    } else {
      at = read_one_by_one(at, i + 1 < pieces.size() ? pieces[i + 1].begin : text_.size());
    }
  }
  return at;
}

std::size_t EventsReader::read_one_by_one(std::size_t at, std::size_t until) {
  while (!done_ && at < until) at = read_one(at);
  return done_ || at < text_.size() ? at : truncated();
}

// From the `,` or `]` behind an event to the next one; `at` itself when neither stands there.
std::size_t EventsReader::behind(std::size_t end) {
  std::size_t at = skip_blanks(text_, end);
  if (at < text_.size() && text_[at] == ',') at = skip_blanks(text_, at + 1);
  return at;
}

// One element, or the `]`. What cannot be one is left out up to the next place where an event seems
// to begin.
std::size_t EventsReader::read_one(std::size_t at) {
  constexpr std::size_t kBeyondCut = std::size_t{64} << 10;
  const auto cut = cuts_->next(at + 1);
  if (at < text_.size() && text_[at] == ']') {
    // Behind a broken event it may be the end of a list in an argument.
    if (is_lost_ && cut) return cut->begin;
    done_ = true;
    return at + 1;
  }
  std::size_t limit = text_.size();
  // Texts without end must not cost the square of the size.
  if (cut) limit = wasted_ > text_.size() ? cut->end : cut->end + kBeyondCut;
  const auto end = skip_value(text_, at, limit);
  if (!end) {
    wasted_ += std::min(limit, text_.size()) - at;
    if (!cut) return truncated();
    ++merge_.dirt().broken_events;
    is_lost_ = true;
    return cut->begin;
  }
  const std::size_t next = behind(*end);
  const bool is_separated =
      next >= text_.size() || text_[next] == ']' || next > skip_blanks(text_, *end);
  const bool is_event = read_event(text_.substr(at, *end - at));
  if (!is_event) {
    ++merge_.dirt().broken_events;
    is_lost_ = true;
  }
  // A stray quote makes several events look like one.
  if (cut && (!is_separated || !is_event)) return cut->begin;
  if (!is_separated || next >= text_.size()) return truncated();
  return next;
}

bool EventsReader::read_event(std::string_view event) {
  if (const TracePiece* piece = single_.read(event)) {
    merge_.add(*piece);
    return true;
  }
  const std::string mended = mended_text(event);
  const TracePiece* piece = single_.read(mended);
  if (piece == nullptr) return false;
  merge_.add(*piece);
  merge_.dirt().mended_events += 1;
  return true;
}

// Members of the document. Those that are not events are kept as text.
class DocumentReader {
 public:
  DocumentReader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  TraceRead read() {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    std::size_t at = skip_blanks(text_, text_.starts_with(kByteOrderMark) ? 3 : 0);
    if (at < text_.size() && text_[at] == '[') {
      read_events(at + 1);
    } else if (at < text_.size() && text_[at] == '{') {
      read_members(at + 1);
    }
    if (!has_events_)
      throw base::DataError("not-a-trace", "no \"traceEvents\" in this file",
                            "expected a trace of torch.profiler (export_chrome_trace) or any other "
                            "in the format of Chrome",
                            {name_, 0, 0});
    TraceRead out = merge_.take();
    out.trace.members = std::move(members_);
    out.num_bytes = text_.size();
    return out;
  }

 private:
  std::size_t read_events(std::size_t at) {
    has_events_ = true;
    return EventsReader(text_, merge_).read(at);
  }

  void read_members(std::size_t at) {
    for (at = skip_blanks(text_, at); at < text_.size() && text_[at] != '}';) {
      const auto key_end = text_[at] == '"' ? skip_value(text_, at) : std::nullopt;
      if (!key_end) return stop(at);
      const std::string key(text_.substr(at + 1, *key_end - at - 2));
      at = skip_blanks(text_, *key_end);
      if (at >= text_.size() || text_[at] != ':') return stop(at);
      at = skip_blanks(text_, at + 1);
      if (key == "traceEvents" && at < text_.size() && text_[at] == '[') {
        at = read_events(at + 1);
      } else {
        const auto end = skip_value(text_, at);
        if (!end) return stop(at);
        keep(key, text_.substr(at, *end - at));
        at = *end;
      }
      at = skip_blanks(text_, at);
      if (at < text_.size() && text_[at] == ',')
        at = skip_blanks(text_, at + 1);
      else if (at < text_.size() && text_[at] != '}')
        return stop(at);
    }
    if (at >= text_.size()) stop(at);
  }

  // Behind the events the text may end anyhow; before them there is nothing to use.
  void stop(std::size_t at) {
    if (has_events_) {
      merge_.dirt().truncated = true;
      return;
    }
    PlaceCursor cursor(text_);
    cursor.step_to(at);
    throw base::DataError("bad-json",
                          at >= text_.size() ? "the text ends before the events of a trace"
                                             : "no JSON before the events of a trace",
                          "", {name_, cursor.place().line, cursor.place().column});
  }

  void keep(const std::string& key, std::string_view value) {
    constexpr std::size_t kMostBytes = std::size_t{1} << 20;  // logs may be long
    if (kept_bytes_ + value.size() > kMostBytes) return;
    kept_bytes_ += value.size();
    members_.emplace_back(key, value);
  }

  std::string_view text_;
  const std::string& name_;
  TraceMerge merge_;
  std::vector<std::pair<std::string, std::string>> members_;
  std::size_t kept_bytes_ = 0;
  bool has_events_ = false;
};

}  // namespace

TraceRead read_trace(std::string_view text, const std::string& name) {
  return DocumentReader(text, name).read();
}

}  // namespace greenline::io
