// SPDX-License-Identifier: Apache-2.0
// How an error looks on the wire.
#pragma once

#include <string_view>

#include "data/error.h"

namespace kw::api {

struct WireError {
  std::string_view type;  // __type
  int status = 400;
  std::string_view message_member = "message";  // the framework and the transactions differ
};

// Of every code but kWouldBlock, which never leaves the server.
WireError WireErrorOf(ErrorCode code);

}  // namespace kw::api
