-- SPDX-License-Identifier: Apache-2.0
-- Replays ready-made requests (bench/rings.py) in a ring, each thread from its own place; ends with
-- one line of figures. KW_REQUESTS names the file: for each request its length, a newline, its bytes.
local requests = {}
local at = 0

function init()
  local file = assert(io.open(os.getenv("KW_REQUESTS"), "rb"))
  local text = file:read("*a")
  file:close()
  local position = 1
  while position <= #text do
    local line_end = text:find("\n", position, true)
    local length = tonumber(text:sub(position, line_end - 1))
    requests[#requests + 1] = text:sub(line_end + 1, line_end + length)
    position = line_end + length + 1
  end
  math.randomseed(os.time() + tonumber(tostring({}):match("0x(%x+)"), 16) % 65536)
  at = math.random(0, #requests - 1)
end

function request()
  at = at % #requests + 1
  return requests[at]
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format("FIGURES %d %d %d %d %d", summary.requests, summary.duration,
    errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
