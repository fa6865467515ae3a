// The scenes that come with the program.
#pragma once

#include <filesystem>

// $PHIFLEX_SCENES, else scenes/ beside the build folder or where the package installs it; empty when there is none.
std::filesystem::path gallery_folder();
