import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundledPackages } from "../../scripts/package/bundled-packages.mjs";
import { billOfMaterials } from "../../scripts/package/sbom.mjs";

const root = join(import.meta.dirname, "..", "..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Tested fields of a bill of materials. */
interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: { readonly name: string; readonly version: string } };
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly licenses: readonly { readonly expression: string }[];
  }[];
}

const one = (name: string, licence: string) => ({ name, version: "1.2.3", licence, source: "", text: "" });

describe("billOfMaterials", () => {
  it("lists exactly the bundled packages, with version and licence", () => {
    const packages = bundledPackages(root);

    const bill: Bill = JSON.parse(billOfMaterials(manifest, packages));

    assert.deepEqual([bill.bomFormat, bill.specVersion], ["CycloneDX", "1.6"]);
    assert.deepEqual([bill.metadata.component.name, bill.metadata.component.version], ["finality", manifest.version]);
    assert.ok(bill.components.length > 10);
    assert.deepEqual(
      bill.components.map(({ name, version }) => `${name} ${version}`),
      packages.map(({ name, version }) => `${name} ${version}`),
    );
    for (const { name, licenses } of bill.components)
      assert.match(licenses[0]?.expression ?? "", /^[\w.-]+( (OR|AND) [\w.-]+)*$/, name);
  });

  it("encodes a scoped name in the package URL and strips brackets from the licence", () => {
    const { components }: Bill = JSON.parse(
      billOfMaterials(manifest, [one("@noble/curves", "MIT"), one("undici", "(MIT OR Apache-2.0)")]),
    );

    assert.deepEqual(
      components.map(({ purl, licenses }) => [purl, licenses]),
      [
        ["pkg:npm/%40noble/curves@1.2.3", [{ expression: "MIT" }]],
        ["pkg:npm/undici@1.2.3", [{ expression: "MIT OR Apache-2.0" }]],
      ],
    );
  });
});
