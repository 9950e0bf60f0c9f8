import type { RunCommand } from "../command.ts";
import { exitCodeOf, isFinal, openTracked, pollUntil, stateJson, stateText, timeoutMs } from "../tracking.ts";

/** Queries a transaction once. */
export const runTrack: RunCommand = async (invocation, context) => {
  const here = await openTracked(invocation, context);
  try {
    context.show("querying the state");
    await here.tracker.refresh(here.txId);
    const { abi, current } = here;
    return {
      result: stateJson(current(), abi),
      text: `${stateText(current(), abi)}\n`,
      exitCode: exitCodeOf(current()),
    };
  } finally {
    await here.close();
  }
};

/** Polls a transaction until its state is final. */
export const runWait: RunCommand = async (invocation, context) => {
  const limit = timeoutMs(invocation);
  const here = await openTracked(invocation, context);
  const { abi, current } = here;
  let last = "";
  try {
    context.show(stateText(current(), abi));
    await pollUntil(here, isFinal, {
      timeoutMs: limit,
      changed: (tracked) => {
        const text = stateText(tracked, abi);
        if (text !== last) context.progress("state", stateJson(tracked, abi), text);
        last = text;
      },
    });
    const isLate = !isFinal(current());
    const note = isLate ? `Not final after ${limit / 1_000} s. Send nothing new; run the command again.\n` : "";
    return {
      result: { ...stateJson(current(), abi), timedOut: isLate },
      text: `${stateText(current(), abi)}\n${note}`,
      exitCode: exitCodeOf(current()),
    };
  } finally {
    await here.close();
  }
};
