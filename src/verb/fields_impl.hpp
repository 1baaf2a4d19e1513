// Templates of verb/fields.hpp: how vectors, optionals and nested structs are built from scalars.
#pragma once

#include "verb/fields.hpp"

namespace greenline::verb {
namespace detail {

template <class T>
struct Shape {
  static constexpr bool kOptional = false, kVector = false;
};
template <class T>
struct Shape<std::optional<T>> {
  static constexpr bool kOptional = true, kVector = false;
  using Element = T;
};
template <class T>
struct Shape<std::vector<T>> {
  static constexpr bool kOptional = false, kVector = true;
  using Element = T;
};

template <Scalar T>
T element_of(std::string_view text, const std::string& what) {
  T element{};
  access(element).from_text(text, what);
  return element;
}

template <Scalar T>
T element_of(const io::Value& value, const std::string& what) {
  T element{};
  access(element).from_value(value, what);
  return element;
}

// An accessor of a vector's element for reading; the accessors take references to mutable members.
template <class T, class F>
auto read_element(const T& element, F&& read) {
  T copy = element;
  return read(access(copy));
}

template <Scalar T>
Field::Access optional_access(std::optional<T>& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string& what) {
    m = element_of<T>(text, what);
  };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    m = element_of<T>(value, what);
  };
  a.to_texts = [&m]() -> std::vector<std::string> {
    if (!m) return {};
    return access(*m).to_texts();
  };
  a.to_value = [&m] { return m ? access(*m).to_value() : io::Value(); };
  a.to_numbers = [&m]() -> std::vector<base::AnyQuantity> {
    if (!m) return {};
    return access(*m).to_numbers();
  };
  return a;
}

template <Scalar T>
Field::Access vector_access(std::vector<T>& m) {
  Field::Access a;
  a.from_text = [&m](std::string_view text, const std::string& what) {
    m.push_back(element_of<T>(text, what));
  };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (!value.is_array()) wrong_type(value, what, "an array");
    std::vector<T> elements;
    elements.reserve(value.as_array().size());
    for (const io::Value& item : value.as_array()) elements.push_back(element_of<T>(item, what));
    m = std::move(elements);
  };
  a.to_texts = [&m] {
    std::vector<std::string> texts;
    for (const T& element : m) {
      for (std::string& text : read_element(element, [](const auto& e) { return e.to_texts(); }))
        texts.push_back(std::move(text));
    }
    return texts;
  };
  a.to_value = [&m] {
    io::Value::Array items;
    for (const T& element : m)
      items.push_back(read_element(element, [](const auto& e) { return e.to_value(); }));
    return io::Value(std::move(items));
  };
  a.to_numbers = [&m] {
    std::vector<base::AnyQuantity> numbers;
    for (const T& element : m) {
      for (base::AnyQuantity n :
           read_element(element, [](const auto& e) { return e.to_numbers(); }))
        numbers.push_back(n);
    }
    return numbers;
  };
  a.clear = [&m] { m.clear(); };
  return a;
}

// "name = wind, size = 50 MW"
std::string table_text(const Fields& fields);
io::Value table_value(const Fields& fields);
void set_table(Fields& fields, const io::Value& table);
[[noreturn]] void refuse_table_text(const std::string& what);

template <class T>
Field::Access table_vector_access(std::vector<T>& m) {
  Field::Access a;
  a.from_text = [](std::string_view, const std::string& what) { refuse_table_text(what); };
  a.from_value = [&m](const io::Value& value, const std::string& what) {
    if (!value.is_array()) wrong_type(value, what, "an array of tables");
    std::vector<T> elements;
    for (const io::Value& item : value.as_array()) {
      if (!item.is_object()) wrong_type(item, what, "a table");
      T element{};
      Fields fields;
      describe(fields, element);
      set_table(fields, item);
      elements.push_back(std::move(element));
    }
    m = std::move(elements);
  };
  a.to_texts = [&m] {
    std::vector<std::string> texts;
    for (T element : m) {
      Fields fields;
      describe(fields, element);
      texts.push_back(table_text(fields));
    }
    return texts;
  };
  a.to_value = [&m] {
    io::Value::Array items;
    for (T element : m) {
      Fields fields;
      describe(fields, element);
      items.push_back(table_value(fields));
    }
    return io::Value(std::move(items));
  };
  a.to_numbers = [] { return std::vector<base::AnyQuantity>(); };
  a.clear = [&m] { m.clear(); };
  return a;
}

template <class E>
std::vector<std::string> enum_texts() {
  std::vector<std::string> texts;
  for (const EnumName& n : enum_names(E{})) texts.emplace_back(n.name);
  return texts;
}

}  // namespace detail

template <class T>
decltype(auto) Fields::operator()(T& member, std::string_view name, std::string_view help) {
  using S = detail::Shape<T>;
  if constexpr (detail::Scalar<T>) {
    Field& field = add(name, help, detail::type_text<T>(), detail::access(member));
    field.is_switch_ = std::is_same_v<T, bool>;
    if constexpr (std::is_enum_v<T>) field.choices_ = detail::enum_texts<T>();
    return field;
  } else if constexpr (S::kOptional) {
    using E = typename S::Element;
    Field& field = add(name, help, detail::type_text<E>(), detail::optional_access(member));
    field.is_switch_ = std::is_same_v<E, bool>;
    if constexpr (std::is_enum_v<E>) field.choices_ = detail::enum_texts<E>();
    return field;
  } else if constexpr (S::kVector) {
    using E = typename S::Element;
    if constexpr (detail::Scalar<E>) {
      Field& field = add(name, help, detail::type_text<E>(), detail::vector_access(member));
      field.is_repeated_ = true;
      if constexpr (std::is_enum_v<E>) field.choices_ = detail::enum_texts<E>();
      return field;
    } else {
      Field& field = add(name, help, "tables", detail::table_vector_access(member));
      field.file_only_ = true;
      return field;
    }
  } else {
    const std::string outer = prefix_;
    prefix_ += std::string(name) + ".";
    describe(*this, member);
    prefix_ = outer;
  }
}

}  // namespace greenline::verb
