import type { ContractRun } from "@finality/client/gateway";
import type { NameServices } from "../../host/artifacts/traced-run.ts";
import type { RegisterCommand } from "../../host/commands/commands.ts";
import type { TracedTransactionServices } from "../../sending/traced-transaction.ts";

/** Services that the debugger needs from the rest of the extension. */
export interface DebuggerServices extends NameServices, TracedTransactionServices {
  readonly registerCommand: RegisterCommand;
  /** Returns the call of an open file at an offset. @throws {ChainError} it cannot be made, with the reason */
  readonly callOfFile: (location: { readonly uri: string; readonly offset: string }) => Promise<DebuggedCall>;
}

/** Call that is not sent, with the name of its network. */
interface DebuggedCall {
  readonly run: ContractRun;
  readonly network: string;
}

/** Debugging of calls, for other features. */
export interface CallDebugging {
  /** Starts to debug a call as a simulation. */
  debugCall(call: DebuggedCall): Promise<object | undefined>;
}
