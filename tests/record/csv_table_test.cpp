#include "phiflex/record/csv_table.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "phiflex/base/errors.h"
#include "phiflex/base/files.h"
#include "phiflex/record/energy_csv.h"
#include "phiflex/record/named_tables.h"
#include "tests/record/fake_run.h"

namespace phiflex {
namespace {

void write_energies(EnergyCsv& table, int first, int last) {
  for (int step = first; step <= last; ++step) table.write(fake_energy(step, step * 0.02));
}

TEST(Record, EnergyTableHasTheFixedHeaderAndOneRowPerStep) {
  const ScratchFolder scratch;
  {
    EnergyCsv table(scratch.path() / "energy.csv");
    table.write({.step = 0, .time = 0, .kinetic = 0.5, .total = 0.5});
    table.write({.step = 1,
                 .time = 0.1,
                 .kinetic = 0.25,
                 .elastic = 1e-300,
                 .total = 0.25,
                 .numerical_loss = 0.25,
                 .contact_work = -0.5,
                 .friction = 0.125,
                 .modified = 0.3,
                 .momentum = {1, 2, 3},
                 .angular_momentum = {4, 5, 6}});
  }
  EXPECT_EQ(read_file(scratch.path() / "energy.csv"),
            "step,time,kinetic,elastic,gravity,contact,total,external_work,dissipated,numerical_loss,"
            "contact_work,friction,modified_energy,momentum_x,momentum_y,momentum_z,angular_momentum_x,"
            "angular_momentum_y,"
            "angular_momentum_z\n"
            "0,0,0.5,0,0,0,0.5,0,0,0,0,0,0,0,0,0,0,0,0\n"
            "1,0.1,0.25,1e-300,0,0,0.25,0,0,0.25,-0.5,0.125,0.3,1,2,3,4,5,6\n");
}

TEST(Record, EveryFiniteNumberReadsBackAsTheSameBits) {
  const ScratchFolder scratch;
  std::mt19937_64 random(7);
  std::vector<double> numbers{0.0,
                              -0.0,
                              std::numeric_limits<double>::denorm_min(),
                              std::numeric_limits<double>::min(),
                              std::numeric_limits<double>::max(),
                              std::nextafter(1.0, 2.0)};
  while (numbers.size() < 5000) {
    const double number = std::bit_cast<double>(random());
    if (std::isfinite(number)) numbers.push_back(number);
  }
  {
    CsvWriter table(scratch.path() / "table.csv", "step,number");
    for (std::size_t i = 0; i < numbers.size(); ++i)
      table.write_row(static_cast<std::int64_t>(i), std::array{numbers[i]});
  }
  const CsvTable table = read_csv(scratch.path() / "table.csv");
  ASSERT_EQ(table.rows(), numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(table.columns[1][i]), std::bit_cast<std::uint64_t>(numbers[i]));
}

TEST(Record, NumbersThatAreNotFiniteAreWrittenAndReadAsWords) {
  const ScratchFolder scratch;
  {
    CsvWriter table(scratch.path() / "table.csv", "step,a,b");
    table.write_row(0, std::array{std::nan(""), -std::numeric_limits<double>::infinity()});
  }
  EXPECT_EQ(read_file(scratch.path() / "table.csv"), "step,a,b\n0,nan,-inf\n");
  const CsvTable table = read_csv(scratch.path() / "table.csv");
  EXPECT_TRUE(std::isnan(table.columns[1][0]));
  EXPECT_EQ(table.columns[2][0], -std::numeric_limits<double>::infinity());
}

TEST(Record, AResumedTableHasTheBytesOfAnUninterruptedOne) {
  const ScratchFolder scratch;
  {
    EnergyCsv whole(scratch.path() / "whole.csv");
    write_energies(whole, 0, 120);
  }
  // Killed in the middle of row 57; the checkpoint is of step 40. Rows 4 and 400
  // must not be taken for row 40.
  {
    EnergyCsv first(scratch.path() / "resumed.csv");
    write_energies(first, 0, 57);
  }
  std::filesystem::resize_file(scratch.path() / "resumed.csv",
                               std::filesystem::file_size(scratch.path() / "resumed.csv") - 7);
  {
    EnergyCsv second(scratch.path() / "resumed.csv", 40);
    write_energies(second, 41, 120);
  }
  EXPECT_EQ(read_file(scratch.path() / "resumed.csv"), read_file(scratch.path() / "whole.csv"));
}

TEST(Record, ResumingFromARowThatIsNotThereIsAnErrorThatChangesNothing) {
  const ScratchFolder scratch;
  {
    EnergyCsv table(scratch.path() / "energy.csv");
    write_energies(table, 0, 10);
  }
  const std::string before = read_file(scratch.path() / "energy.csv");
  EXPECT_THROW(EnergyCsv(scratch.path() / "energy.csv", 11), InputError);
  EXPECT_THROW(ProbesCsv(scratch.path() / "energy.csv", {"tip"}, 5), InputError);
  EXPECT_EQ(read_file(scratch.path() / "energy.csv"), before);
}

TEST(Record, ARowThatWasCutByAKillIsLeftOutWhenReading) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "table.csv", "step,a\n0,1.5\n1,2.");
  EXPECT_EQ(read_csv(scratch.path() / "table.csv").rows(), 1u);
}

// What spreadsheets and people write: a byte order mark, blanks around commas, carriage returns, blank lines at the
// end.
TEST(Record, ATableOfAUserIsReadWithItsBlanks) {
  const ScratchFolder scratch;
  write_file_atomically(scratch.path() / "table.csv",
                        "\xEF\xBB\xBFtime , 0_x,\"0_y\"\r\n 0, 1.5 ,2\r\n0.1,\t-3e2,4\r\n\r\n \r\n");
  const CsvTable table = read_csv(scratch.path() / "table.csv", UnendedLine::read);
  EXPECT_EQ(table.names, (std::vector<std::string>{"time", "0_x", "0_y"}));
  EXPECT_EQ(table.columns, (std::vector<std::vector<double>>{{0, 0.1}, {1.5, -300}, {2, 4}}));
}

TEST(Record, ATableWithAWordInPlaceOfANumberNamesTheLine) {
  const ScratchFolder scratch;
  for (const char* row : {"1,zwei\n", "1\n", "1,2,3\n", "1,2x\n"}) {
    write_file_atomically(scratch.path() / "table.csv", std::string("step,a\n0,1\n") + row);
    try {
      read_csv(scratch.path() / "table.csv");
      ADD_FAILURE() << row;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("line 3"), std::string::npos) << error.what();
    }
  }
}

TEST(Record, ProbesHaveThreeColumnsEachNamedAfterThem) {
  const ScratchFolder scratch;
  {
    ProbesCsv table(scratch.path() / "probes.csv", {"tip", "a,\"b\""});
    table.write(3, 0.5, std::array<Point3, 2>{{{1, 2, 3}, {-1, 0.1, 1e-9}}});
  }
  EXPECT_EQ(read_file(scratch.path() / "probes.csv"),
            "step,time,tip_x,tip_y,tip_z,\"a,\"\"b\"\"_x\",\"a,\"\"b\"\"_y\",\"a,\"\"b\"\"_z\"\n"
            "3,0.5,1,2,3,-1,0.1,1e-09\n");
  const CsvTable table = read_csv(scratch.path() / "probes.csv");
  ASSERT_NE(table.column("a,\"b\"_y"), nullptr);
  EXPECT_EQ(table.column("a,\"b\"_y")->at(0), 0.1);
}

TEST(Record, RowsReachTheDiskWhenFlushed) {
  const ScratchFolder scratch;
  EnergyCsv table(scratch.path() / "energy.csv");
  write_energies(table, 0, 3);
  table.flush();
  EXPECT_EQ(read_csv(scratch.path() / "energy.csv").rows(), 4u);
}

TEST(Record, ATableThatWasRemovedOrReplacedIsAFileErrorAtItsNextSync) {
  const ScratchFolder scratch;
  const std::filesystem::path path = scratch.path() / "table.csv";
  CsvWriter table(path, "step,a");
  table.write_row(0, std::vector<double>{1});
  table.sync();
  std::filesystem::remove(path);
  table.write_row(1, std::vector<double>{2});
  EXPECT_THROW(table.sync(), FileError);
  scratch.write("table.csv", "another one");
  EXPECT_THROW(table.sync(), FileError);
}

TEST(Record, ADiskThatIsFullIsAFileErrorInTheSystemsWords) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  try {
    AppendingFile file("/dev/full");
    file.append("x");
    file.flush();
    ADD_FAILURE();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("No space left"), std::string::npos) << error.what();
  }
}

TEST(Record, ATableWithLabelsGivesThemBesideItsNumbers) {
  const ScratchFolder scratch;
  const LabeledCsvTable table = read_labeled_csv(scratch.write(
      "errors.csv", "run,time,error\nsi@0.01,0.5,1e-3\n\"odd, \"\"name\"\"\",1,nan\ncut off,2"));
  EXPECT_EQ(table.labels, (std::vector<std::string>{"si@0.01", "odd, \"name\""}));
  EXPECT_EQ(table.numbers.names, (std::vector<std::string>{"time", "error"}));
  EXPECT_EQ(*table.numbers.column("time"), (std::vector<double>{0.5, 1}));
  EXPECT_THROW(read_labeled_csv(scratch.write("bad.csv", "run,time\nsi,much\n")), InputError);
}

TEST(Record, TheLargestRelativeChangeIsTheLossOverTheEnergyExchanged) {
  EnergySummary summary;
  EXPECT_EQ(summary.largest_relative_change(), 0);
  summary.add({.step = 0, .elastic = 2, .total = 2});
  summary.add({.step = 1, .kinetic = 1.5, .total = 1.5, .numerical_loss = 0.5});
  summary.add({.step = 2, .kinetic = 1, .total = 2.25, .numerical_loss = -0.25});
  EXPECT_EQ(summary.first(), 2);
  EXPECT_EQ(summary.last(), 2.25);
  EXPECT_EQ(summary.largest_relative_change(), 0.25);  // 0.5 J of the 2 J released

  ArchiveWriter archive;
  summary.save(archive);
  ArchiveReader reader(archive.bytes());
  EnergySummary again;
  again.load(reader);
  again.add({.step = 3, .kinetic = 4, .total = 1, .numerical_loss = 1});
  summary.add({.step = 3, .kinetic = 4, .total = 1, .numerical_loss = 1});
  EXPECT_EQ(again.first(), summary.first());
  EXPECT_EQ(again.last(), summary.last());
  EXPECT_EQ(again.largest_relative_change(), summary.largest_relative_change());
}

TEST(Record, AMotionThatDivergesIsMeasuredByWhatThereWasAndCameIn) {
  EnergySummary summary;
  summary.add({.step = 0, .elastic = 2, .total = 2, .available = 2});
  summary.add({.step = 1, .kinetic = 1e9, .total = 1e9, .numerical_loss = 3 - 1e9, .available = 3});
  EXPECT_EQ(summary.available(), 3);
  EXPECT_EQ(summary.largest_relative_change(), (1e9 - 3) / 3);
}

}  // namespace
}  // namespace phiflex
