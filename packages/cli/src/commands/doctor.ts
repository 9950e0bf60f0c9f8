import { type CheckResult, checkId, createDispatcher, planConnection, testConnection } from "@finality/client/gateway";
import { SocketProbe } from "@finality/node/socket-probe";
import { systemClock as clock } from "@finality/node/system-clock";
import { counted } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { EXIT } from "../cli-error.ts";
import type { RunCommand } from "../command.ts";
import { chooseNetwork } from "../network.ts";

export const runDoctor: RunCommand = async (invocation, { terminal, progress, show }) => {
  const { profile, apiKey, jwtKey, settings } = await chooseNetwork(invocation, terminal);
  const dispatcher = createDispatcher(settings);
  const titles = new Map(planConnection(profile).map((it) => [checkId(it), it.title]));
  const titleOf = (result: CheckResult): string => titles.get(checkId(result)) ?? checkId(result);
  const found = (result: CheckResult): void =>
    progress("check", checkJson(result, titleOf(result)), `${result.status.padEnd(7)}  ${titleOf(result)}`);
  const probe = new SocketProbe(settings);
  const watch = { begun: () => undefined, found };
  show("testing the connection");
  const results = await testConnection(profile, { clock, probe, dispatcher, apiKey, jwtKey, watch });
  await dispatcher.close();
  const failed = results.filter(({ status }) => status === "failed");
  const skipped = results.filter(({ status }) => status === "skipped");
  const lines = results
    .filter((it) => !skipped.includes(it))
    .map((it) => {
      const { status, sentence, nextStep } = it;
      const line = `${status.padEnd(7)}  ${titleOf(it)}: ${visibleLine(sentence, LONGEST)}`;
      return nextStep === undefined ? line : `${line}\n         ${visibleLine(nextStep, LONGEST)}`;
    });
  if (skipped.length > 0) lines.push(`skipped  ${counted(skipped.length, "check", "checks")}; --json names them.`);
  const summary =
    failed.length === 0 ? `${profile.name} can be used.` : `${failed.length} of ${results.length} failed.`;
  return {
    result: {
      network: profile.name,
      url: profile.baseUrl,
      usable: failed.length === 0,
      checks: results.map((it) => checkJson(it, titleOf(it))),
    },
    text: `${lines.join("\n")}\n${summary}\n`,
    exitCode: failed.length === 0 ? EXIT.ok : EXIT.negative,
  };
};

const LONGEST = 1_000;

function checkJson({ check, of, status, sentence, nextStep, ms }: CheckResult, title: string) {
  const optional = {
    ...(of !== undefined && { of }),
    ...(nextStep !== undefined && { next: nextStep }),
    ...(ms !== undefined && { ms }),
  };
  return { check, title, status, message: sentence, ...optional };
}
