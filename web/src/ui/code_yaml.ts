// SPDX-License-Identifier: Apache-2.0
// Enough of YAML to colour it, with the attributes of a key's text: "PLAYER#{playerId}".
import { StreamLanguage } from "@codemirror/language";

export const yaml = StreamLanguage.define<{ quoted: boolean }>({
  name: "yaml",
  startState: () => ({ quoted: false }),
  token: (stream, state) => {
    if (stream.sol()) state.quoted = false; // a quote left open while typing spoils its line only
    if (state.quoted) {
      if (stream.match(/^\{[^{}"]*\}/)) return "string.special";
      if (stream.eat('"')) state.quoted = false;
      else if (!stream.match(/^(?:[^"\\{]|\\.)+/)) stream.next();
      return "string";
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/^#.*/)) return "comment";
    if (stream.match(/^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[A-Za-z_][\w.-]*)(?=\s*:(?:\s|$))/)) return "propertyName";
    if (stream.eat('"')) {
      state.quoted = true;
      return "string";
    }
    if (stream.match(/^'(?:[^']|'')*'?/)) return "string";
    if (stream.match(/^[-+]?\d+(?:\.\d+)?(?=[\s,\]}]|$)/)) return "number";
    if (stream.match(/^(?:true|false|null)(?=[\s,\]}]|$)/)) return "bool";
    if (!stream.match(/^[^\s,[\]{}]+/)) stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
});
