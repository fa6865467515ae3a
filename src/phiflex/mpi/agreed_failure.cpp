#include "phiflex/mpi/agreed_failure.h"

#include <new>
#include <optional>
#include <system_error>

#include "phiflex/base/errors.h"
#include "phiflex/record/run_folder.h"

namespace phiflex {
namespace {

// The command's exit codes (docs/command.md).
RankFailure failure_of_current_exception() {
  try {
    throw;
  } catch (const RankFailed& error) {
    return {error.exit_code, error.what()};
  } catch (const InputError& error) {
    return {65, error.what()};
  } catch (const FolderNotEmpty& error) {
    return {2, error.what()};
  } catch (const FileError& error) {
    return {74, error.what()};
  } catch (const std::system_error& error) {
    return {74, std::string("cannot read or write: ") + error.what()};
  } catch (const std::bad_alloc&) {
    return {70, "out of memory"};
  } catch (const std::exception& error) {
    return {70, std::string("internal error: ") + error.what()};
  }
}

}  // namespace

void on_all(const MpiTeam& team, const std::function<void()>& function) {
  std::optional<RankFailure> mine;
  try {
    function();
  } catch (...) {
    mine = failure_of_current_exception();
  }
  if (const auto failure = team.agree(mine)) throw RankFailed(*failure);
}

void on_root(const MpiTeam& team, const std::function<void()>& function) {
  on_all(team, [&] {
    if (team.rank() == 0) function();
  });
}

}  // namespace phiflex
