/**
 * What the package is made of, in the form of CycloneDX 1.6: itself and what of others is in its bundles.
 *
 * @param {{ name: string, version: string, license: string }} manifest
 * @param {readonly import("./bundled-packages.mjs").BundledPackage[]} packages
 */
export function billOfMaterials({ name, version, license }, packages) {
  const own = { type: "application", name, version, licenses: [{ license: { id: license } }] };
  const components = packages.map((one) => ({
    type: "library",
    name: one.name,
    version: one.version,
    purl: `pkg:npm/${one.name.replace("@", "%40")}@${one.version}`,
    licenses: [{ expression: one.licence.replace(/^\((.*)\)$/, "$1") }],
  }));
  const document = { bomFormat: "CycloneDX", specVersion: "1.6", version: 1, metadata: { component: own }, components };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}
