import type { RunCommand } from "../command.ts";
import { readConfiguration } from "../configuration.ts";
import { networkJson } from "../network.ts";

export const runNetworks: RunCommand = async (invocation, { terminal }) => {
  const configuration = await readConfiguration(invocation, terminal);
  const networks = configuration.networks.map((it) => networkJson({ configuration }, it));
  const lines = networks.map(({ name, url, testNetwork, realMoney }) => {
    const marks = [
      ...(name === configuration.network ? ["default"] : []),
      ...(testNetwork ? ["test network"] : []),
      ...(realMoney ? ["real money"] : []),
    ];
    return `${name}  ${url}${marks.length === 0 ? "" : `  (${marks.join(", ")})`}\n`;
  });
  const none = "No networks. Use --network URL, or add networks to finality.config.json (finality networks --help).\n";
  return {
    result: { networks, ...(configuration.network !== undefined && { default: configuration.network }) },
    text: lines.length === 0 ? none : lines.join(""),
  };
};
