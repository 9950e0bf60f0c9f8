import { systemActuators } from "../../../packages/local-chain/src/actuators/actuators.ts";
import type { Route } from "../../../packages/local-chain/src/routes/route.ts";
import { nodeEndpoints } from "../../../packages/local-chain/src/routes/route-table.ts";
import { contractTypes } from "../../../packages/tron/src/transaction/contract-types.ts";

/** The tables of the embedded chain's document that are made from the code, as lines of Markdown. */

/** Which paths there are on which side, and what they make of GET and POST. */
export function endpointTable(): string[] {
  const names = [...new Set([...nodeEndpoints.keys()].map((it) => it.replace("/walletsolidity/", "/wallet/")))];
  return [
    "| endpoint | full node | solidity node | GET | POST |",
    "| --- | --- | --- | --- | --- |",
    ...names.sort(byWord).map((path) => endpointRow(path, nodeEndpoints.get(path))),
  ];
}

function endpointRow(path: string, route: Route | undefined): string {
  if (route === undefined) throw new TypeError(`Only the solidity node has ${path}.`);
  const solidity = nodeEndpoints.has(path.replace("/wallet/", "/walletsolidity/"));
  const name = path.replace("/wallet/", "");
  return `| \`${name}\` | yes | ${solidity ? "yes" : ""} | ${shown(route.get)} | ${shown(route.post)} |`;
}

function shown(handler: Route["get"] | Route["post"]): string {
  if (handler === "refused") return "405";
  return handler === "empty" ? "empty" : "yes";
}

/** Which path builds a transaction of a type, and whether the chain executes it. */
export function contractTypeTable(): string[] {
  const builders = new Map([...nodeEndpoints.values()].map((it) => [it.builds, it.name]));
  return [
    "| contract type | built by | executed |",
    "| --- | --- | --- |",
    ...contractTypes.map(({ name }) => {
      const path = builders.get(name);
      return `| ${name} | ${path === undefined ? "" : `\`${path}\``} | ${name in systemActuators ? "yes" : ""} |`;
    }),
  ];
}

function byWord(a: string, b: string): number {
  return a.toLowerCase() < b.toLowerCase() ? -1 : 1;
}
