// SPDX-License-Identifier: MIT
#include "gdl/hrf/dialect.h"

namespace ludens::gdl {

std::string_view name_of(Dialect dialect) {
  switch (dialect) {
    case Dialect::Prefix:
      return "prefix GDL";
    case Dialect::Hrf:
      return "HRF";
    case Dialect::Infix:
      return "infix GDL";
    case Dialect::Simultaneous:
      return "HRF with simultaneous moves";
    case Dialect::Prolog:
      break;
  }
  return "Prolog GDL";
}

}  // namespace ludens::gdl
