// SPDX-License-Identifier: Apache-2.0
// pack.mjs DIST OUT: writes the built files, each plain, gzip and brotli, into OUT/assets.bin, and
// OUT/assets.cc, which puts them into the program (src/studio/assets.h).
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { extname, join, relative, resolve } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const types = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".txt": "text/plain; charset=utf-8",
  ".woff2": "font/woff2",
};

const [dist, out] = process.argv.slice(2).map((folder) => resolve(folder));
const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(dist, join(entry.parentPath ?? entry.path, entry.name)));

let length = 0;
const blobs = [];
const place = (bytes) => {
  const view = bytes ? `At(${length}, ${bytes.length})` : "{}";
  if (bytes) {
    blobs.push(bytes);
    length += bytes.length;
  }
  return view;
};
const smaller = (bytes, plain) => (bytes.length < plain.length * 0.95 ? bytes : undefined);

const rows = files
  .map((file) => ({ file, path: file === "index.html" ? "/" : `/${file}` }))
  .sort((a, b) => (a.path < b.path ? -1 : 1))
  .map(({ file, path }) => {
    const type = types[extname(file)];
    if (!type) throw new Error(`${file}: no content type (web/pack.mjs)`);
    const plain = readFileSync(join(dist, file));
    const etag = createHash("sha256").update(plain).digest("hex").slice(0, 16);
    const brotli = brotliCompressSync(plain, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length },
    });
    const views = [plain, smaller(gzipSync(plain, { level: 9 }), plain), smaller(brotli, plain)].map(place);
    return `      {"${path}", "${type}", "\\"${etag}\\"", ${views.join(", ")}},`;
  });

writeFileSync(join(out, "assets.bin"), Buffer.concat(blobs));
writeFileSync(
  join(out, "assets.cc"),
  `// Written by web/pack.mjs.
#include "studio/assets.h"

#include <algorithm>

asm(".pushsection .rodata\\n"
    ".balign 16\\n"
    ".hidden kw_studio_assets\\n"
    ".globl kw_studio_assets\\n"
    "kw_studio_assets:\\n"
    ".incbin \\"${join(out, "assets.bin")}\\"\\n"
    ".popsection\\n");
extern "C" __attribute__((visibility("hidden"))) const char kw_studio_assets[];

namespace kw::studio {
namespace {
std::string_view At(std::size_t offset, std::size_t length) {
  return {kw_studio_assets + offset, length};
}
}  // namespace

std::span<const Asset> Assets() {
  static const Asset kAssets[] = {
${rows.join("\n")}
  };
  return kAssets;
}

const Asset* FindAsset(std::string_view path) {
  const auto assets = Assets();
  const auto found = std::ranges::lower_bound(assets, path, {}, &Asset::path);
  return found != assets.end() && found->path == path ? &*found : nullptr;
}

}  // namespace kw::studio
`,
);
