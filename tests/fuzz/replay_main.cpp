// Runs a fuzz target once over every file of the corpus folders given as arguments: libFuzzer's
// regression mode for compilers without libFuzzer. A crash or an escaped exception is the failure.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

std::vector<std::filesystem::path> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::uint8_t> bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t num_inputs = 0;
  for (int i = 1; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) {
      std::fprintf(stderr, "%s is not a folder of inputs\n", argv[i]);
      return 2;
    }
    for (const auto& file : files_of(argv[i])) {
      std::printf("%s\n", file.c_str());
      std::fflush(stdout);  // so that the last line names the input that crashes
      const auto bytes = bytes_of(file);
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
      ++num_inputs;
    }
  }
  std::printf("%zu inputs replayed\n", num_inputs);
  return num_inputs > 0 ? 0 : 1;  // a corpus without inputs tests nothing
}
