import assert from "node:assert/strict";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { isLibrary, linkCode, readUnlinked } from "../../../src/abi/artifacts/artifact.ts";
import { isCreatedFrom } from "../../../src/abi/artifacts/artifact-index.ts";
import { parseAddress } from "../../../src/primitives/address.ts";

const hashOf = (name: string): string =>
  Buffer.from(keccak_256(Buffer.from(name)))
    .toString("hex")
    .slice(0, 34);
const LIB = { name: "Lib", source: "contracts/Lib.sol" };
const HASHED = `__$${hashOf("contracts/Lib.sol:Lib")}$__`;

describe("libraries of unlinked code", () => {
  it("F4: match by the hash of their name, by their references, and by their names", () => {
    const [hashed] = readUnlinked(`6080${HASHED}`)?.libraries ?? [];
    const [old] = readUnlinked(`6080${"__contracts/Lib.sol:Lib".padEnd(40, "_")}`)?.libraries ?? [];
    const [short] = readUnlinked(`6080${"__Lib".padEnd(40, "_")}`)?.libraries ?? [];

    for (const library of [hashed, old, short]) {
      assert.ok(library !== undefined && isLibrary(library, LIB));
      assert.ok(!isLibrary(library, { ...LIB, name: "Other" }));
    }
    assert.ok(old !== undefined && isLibrary(old, { ...LIB, source: "/home/me/project/contracts/Lib.sol" }));
    assert.ok(old !== undefined && !isLibrary(old, { ...LIB, source: "contracts/Other.sol" }));
  });

  it("F4: match by a name that an old compiler truncated", () => {
    const library = { name: "LibraryOfSorts", source: "contracts/utilities/collections.sol" };
    const placeholder = `__${`${library.source}:${library.name}`.slice(0, 36)}__`;
    const [found] = readUnlinked(`6080${placeholder}`)?.libraries ?? [];

    assert.ok(found !== undefined && isLibrary(found, library));
  });

  it("F4: are replaced by their addresses", () => {
    const address = parseAddress(`41${"ab".repeat(20)}`);
    const other = "__Other".padEnd(40, "_");

    const linked = linkCode(`6080${HASHED}6001${HASHED}${other}`, new Map([[HASHED, address]]));

    assert.equal(linked, `6080${"ab".repeat(20)}6001${"ab".repeat(20)}${other}`);
  });

  it("match any address when chain code is compared with an artifact", () => {
    const created = `6080${"ab".repeat(20)}6001`;

    assert.equal(isCreatedFrom(created, `6080${HASHED}6001`), true);
    assert.equal(isCreatedFrom(created.replace("6001", "6002"), `6080${HASHED}6001`), false);
  });
});
