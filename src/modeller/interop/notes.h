// SPDX-License-Identifier: Apache-2.0
// What an import or export could not carry, and what it guessed on the way.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kw::modeller {

struct Note {
  enum class Kind : std::uint8_t { kLost, kGuessed };
  Kind kind = Kind::kLost;
  std::string where;  // a path in the file read, or a name in the model
  std::string what;   // a sentence
  friend bool operator==(const Note&, const Note&) = default;
};

class Notes {
 public:
  void Lost(std::string_view where, std::string what) {
    Add({Note::Kind::kLost, std::string(where), std::move(what)});
  }
  void Guessed(std::string_view where, std::string what) {
    Add({Note::Kind::kGuessed, std::string(where), std::move(what)});
  }
  [[nodiscard]] const std::vector<Note>& all() const { return notes_; }

 private:
  static constexpr std::size_t kNotesMax = 1'000;
  void Add(Note note) {
    if (notes_.size() == kNotesMax) return;
    if (notes_.size() + 1 == kNotesMax) note = {Note::Kind::kLost, "", "There is more like this."};
    notes_.push_back(std::move(note));
  }
  std::vector<Note> notes_;
};

}  // namespace kw::modeller
