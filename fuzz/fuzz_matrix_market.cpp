// libFuzzer target: any bytes are either a matrix, the same read densely and sparsely and the same again after
// writing and reading, or an InputError.
#include <cstdint>
#include <cstdlib>

#include "phiflex/base/errors.h"
#include "phiflex/linalg/matrix_market.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace phiflex;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const GeneralMatrix sparse = parse_sparse_matrix_market(bytes, "fuzz.mtx");
    const GeneralMatrix back = parse_sparse_matrix_market(format_matrix_market(sparse), "back.mtx");
    if (sparse.nonZeros() != back.nonZeros()) std::abort();
    for (Index k = 0; k < sparse.nonZeros(); ++k)
      if (sparse.valuePtr()[k] != back.valuePtr()[k]) std::abort();
    const Matrix dense = parse_dense_matrix_market(bytes, "fuzz.mtx");
    if (dense != Matrix(sparse)) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
