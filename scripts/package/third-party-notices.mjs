/**
 * The notices that go along with the bundles: what of others is in them, and each licence in full.
 *
 * @param {readonly import("./bundled-packages.mjs").BundledPackage[]} packages
 */
export function thirdPartyNotices(packages) {
  const rows = packages.map(
    ({ name, version, licence, source }) => `| ${name} | ${version} | ${licence} | ${source} |`,
  );
  /** @type {Map<string, string[]>} */
  const byText = new Map();
  for (const { name, text } of packages) byText.set(text, [...(byText.get(text) ?? []), name]);
  const texts = [...byText].map(([text, names]) => `## ${names.join(", ")}\n\n${quoted(text)}`);
  return `${[HEAD, `${COLUMNS}\n${rows.join("\n")}`, BY_OTHERS, ...texts].join("\n\n")}\n`;
}

const HEAD = `# Third-party notices

The bundles in \`dist/\` contain the packages below, each under its own licence. None of them was changed; the source of each is at the
address given, in the version given. The packages under MPL-2.0 are only in the bundle of the local chain; their source form is available
there under the terms of the Mozilla Public License 2.0 (https://mozilla.org/MPL/2.0/).`;

const COLUMNS = "| package | version | licence | source |\n| --- | --- | --- | --- |";

const BY_OTHERS = `The power function of \`packages/local-chain/src/chain/strict-power.ts\`, in the bundle of the local chain, follows fdlibm's e_pow.c, and was rewritten in
TypeScript:

> Copyright (C) 2004 by Sun Microsystems, Inc. All rights reserved. Permission to use, copy, modify, and distribute this software is freely granted, provided that this notice is preserved.`;

/** @param {string} text */
function quoted(text) {
  const fence = "`".repeat(Math.max(3, ...(text.match(/`+/g) ?? []).map(({ length }) => length + 1)));
  return `${fence}text\n${text}\n${fence}`;
}
