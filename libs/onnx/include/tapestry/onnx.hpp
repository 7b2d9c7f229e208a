// Includes the headers that write and read networks in ONNX's format.
#pragma once

#include "tapestry/onnx/export_onnx.hpp"
#include "tapestry/onnx/import_onnx.hpp"
#include "tapestry/onnx/onnx_choice.hpp"
