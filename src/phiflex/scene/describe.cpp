// scene_shape(): the fields() of every struct of the scene, collected into one tree of data.
#include <map>
#include <mutex>
#include <string>

#include "phiflex/scene/shape.h"
#include "phiflex/scene/written.h"

namespace phiflex {
namespace {

template <class T>
Shape shape_of(const Field& field, T& value);

// The default that the file's reader would see; an empty text means that there is none.
template <class T>
std::optional<Json> fallback_of(T& member) {
  if constexpr (is_optional<T>) {
    return std::nullopt;
  } else {
    if constexpr (std::same_as<T, std::string>) {
      if (member.empty()) return std::nullopt;
    }
    return written(member);
  }
}

struct Describer {
  Shape& object;

  template <class T>
  void operator()(const Field& field, T& member) {
    Key key{field.key, shape_of(field, member), field.need, field.doc, std::nullopt};
    if (field.need == Need::optional && object.kind != Shape::Kind::tuple) key.fallback = fallback_of(member);
    if (field.fallback) key.fallback = *field.fallback;
    object.keys.push_back(std::move(key));
  }
  void exactly_one(std::initializer_list<const char*> group) {
    object.exactly_one.emplace_back(group.begin(), group.end());
  }
  void needs(const char* key, const char* other) { object.needs.emplace_back(key, other); }
  void needed_for(const char* key, const char* word, const char* other) {
    object.needed_for.push_back({key, word, other});
  }
};

template <class Alternative>
void add_alternatives(const Field& field, std::vector<Shape>& shapes) {
  if constexpr (HasKinds<Alternative>) {
    for (const std::string& kind : Alternative::kinds()) {
      Alternative alternative{};
      alternative.kind = kind;
      shapes.push_back(shape_of(field, alternative));
    }
  } else {
    Alternative alternative{};
    shapes.push_back(shape_of(field, alternative));
  }
}

template <class... Alternatives>
std::vector<Shape> alternatives_of(const Field& field, const std::variant<Alternatives...>&) {
  std::vector<Shape> shapes;
  (add_alternatives<Alternatives>(field, shapes), ...);
  return shapes;
}

Shape word_shape(std::vector<std::string> words) {
  Shape shape;
  shape.kind = Shape::Kind::word;
  shape.words = std::move(words);
  return shape;
}

template <class T>
Shape shape_of(const Field& field, T& value) {
  using Kind = Shape::Kind;
  Shape shape;
  shape.title = title_of<T>.name;
  shape.title_doc = title_of<T>.doc;
  if constexpr (is_optional<T>) {
    typename T::value_type held{};
    return shape_of(field, held);
  } else if constexpr (std::is_arithmetic_v<T>) {
    shape.kind = std::integral<T> ? Kind::integer : Kind::number;
    shape.range = field.range;
    shape.unit = field.unit;
  } else if constexpr (std::same_as<T, std::string>) {
    shape.kind = Kind::text;
    shape.text_rule = field.text_rule;
  } else if constexpr (std::same_as<T, std::filesystem::path>) {
    shape.kind = Kind::file;
  } else if constexpr (std::same_as<T, Switch>) {
    shape.kind = Kind::flag;
  } else if constexpr (HasWords<T>) {
    std::vector<std::string> words;
    for (const auto& entry : Words<T>::all) words.emplace_back(entry.second);
    shape = word_shape(std::move(words));
  } else if constexpr (HasNames<T>) {
    shape = word_shape(value.names());
  } else if constexpr (is_array<T> || is_vector<T>) {
    typename T::value_type item{};
    shape.kind = Kind::list;
    shape.parts.push_back(shape_of(field, item));
    if constexpr (is_array<T>) shape.items = value.size();
    shape.min_items = field.min_items;
  } else if constexpr (is_variant<T>) {
    shape.kind = Kind::choice;
    shape.parts = alternatives_of(field, value);
  } else {
    shape.kind = written_as_list<T> ? Kind::tuple : Kind::object;
    if constexpr (HasSignature<T>) {
      shape.signature_key = T::signature.key;
      if (T::signature.word) shape.signature_word = T::signature.word;
      if constexpr (HasKinds<T>) shape.signature_word = value.kind;
      if (!shape.signature_word.empty())
        shape.keys.push_back({shape.signature_key, word_shape({shape.signature_word}), Need::required,
                              "names the alternative", std::nullopt});
    }
    Describer describer{shape};
    fields(describer, value);
  }
  return shape;
}

}  // namespace

const Shape& scene_shape() {
  // By the keys of methods: one that is registered may have others.
  static std::map<std::string, const Shape> shapes;
  static std::mutex mutex;
  std::string keys;
  for (const Option& option : integrator_options()) keys += std::string(option.key) + " ";
  const std::lock_guard lock(mutex);
  const auto known = shapes.find(keys);
  if (known != shapes.end()) return known->second;
  Scene scene;
  return shapes.emplace(keys, shape_of({.key = "", .doc = ""}, scene)).first->second;
}

}  // namespace phiflex
