import { DebugSession, memoryBefore, type StackFrame, type StepKind, type Stop } from "@finality/client/debugger";
import type { DebugValue } from "@finality/client/debugger-values";
import { isChainError } from "@finality/tron/errors";
import { visibleLine, visibleText } from "@finality/tron/primitives";
import {
  InitializedEvent,
  OutputEvent,
  DebugSession as ProtocolSession,
  StoppedEvent,
  TerminatedEvent,
} from "@vscode/debugadapter";
import type { DebugProtocol } from "@vscode/debugprotocol";
import { t } from "@vscode/l10n";
import { capabilities, filtersOf } from "./capabilities.ts";
import { readAddress } from "./code-listing.ts";
import type { Debuggee } from "./debuggee.ts";
import { disassembled } from "./disassembled.ts";
import { RunSources } from "./run-sources.ts";
import { parseStart, type StartOptions } from "./start-options.ts";

const THREAD = 1;
/** Longest value in one line. */
const LONG = 10_000;
/** Most bytes of memory in one answer. */
const MOST_MEMORY = 10_000_000;

/** Loads the run that a configuration names. @throws {ChainError} with the reason why it cannot */
export type LoadDebuggee = (configuration: object) => Promise<Debuggee>;

/** State of a session whose run is loaded. */
interface Loaded {
  readonly debuggee: Debuggee;
  readonly session: DebugSession;
  readonly sources: RunSources;
  readonly options: StartOptions;
}

/** Values that the client can list by a number. */
interface ValueList {
  readonly read: () => readonly DebugValue[];
  /** Shown call that has them. */
  readonly call: number;
  /** True for values of storage. */
  readonly isState: boolean;
}

/** Answers the requests of the Debug Adapter Protocol about one recorded run. */
export class RunDebugAdapter extends ProtocolSession {
  readonly #load: LoadDebuggee;
  #loaded: Loaded | undefined;
  /** Lines of the call stack by their ID, which is valid until the run moves. */
  #frames: readonly StackFrame[] = [];
  #values: ValueList[] = [];
  #isOver = false;

  constructor(load: LoadDebuggee) {
    super();
    this.#load = load;
  }

  /** The library ends the process, which is that of all extensions. */
  override shutdown(): void {
    this.#loaded = undefined;
    this.#values = [];
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = capabilities();
    this.sendResponse(response);
  }

  protected override launchRequest(
    response: DebugProtocol.LaunchResponse,
    configuration: DebugProtocol.LaunchRequestArguments = {},
  ): void {
    this.#loadRun(configuration).then(
      (loaded) => {
        this.#loaded = loaded;
        this.sendResponse(response);
        for (const note of loaded.debuggee.notes) this.#print(note);
        this.sendEvent(new InitializedEvent());
      },
      (error: unknown) => this.#refuse(response, error),
    );
  }

  async #loadRun(configuration: object): Promise<Loaded> {
    const options = parseStart(configuration);
    const debuggee = await this.#load(configuration);
    const session = new DebugSession(debuggee.run, {
      contractName: (frame) => debuggee.contractName(frame),
      evaluate: (expression, frame) => debuggee.evaluate(expression, frame),
      print: (text, frame) => this.#print(text, frame),
    });
    return { debuggee, session, options, sources: new RunSources(debuggee) };
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#answer(response, ({ session, options }) => {
      setImmediate(() => this.#stopped(session.start(options.stopOnEntry)));
    });
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    this.sendResponse(response);
    this.shutdown();
  }

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    this.#answer(response, ({ debuggee }) => {
      response.body = { threads: [{ id: THREAD, name: visibleLine(debuggee.title, 100) }] };
    });
  }

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    { source, breakpoints = [] }: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#answer(response, ({ session, sources }) => {
      response.body = { breakpoints: sources.setBreakpoints(session.breakpoints, source, breakpoints) };
    });
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    this.#answer(response, ({ session, sources }) => {
      const resolved = session.breakpoints.setFunctions(breakpoints);
      response.body = { breakpoints: resolved.map((it) => sources.breakpointOf(it)) };
    });
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    args: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    this.#answer(response, ({ session }) => session.breakpoints.setFilters(filtersOf(args)));
  }

  protected override setInstructionBreakpointsRequest(
    response: DebugProtocol.SetInstructionBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetInstructionBreakpointsArguments,
  ): void {
    this.#answer(response, ({ session, sources }) => {
      const addresses = breakpoints.map(({ instructionReference, offset = 0 }) => {
        const found = readAddress(instructionReference);
        return found === undefined ? "" : `${found.code}:${found.pc + offset}`;
      });
      const resolved = session.breakpoints.setInstructions(addresses);
      response.body = { breakpoints: resolved.map((it) => sources.breakpointOf(it)) };
    });
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    { variablesReference, name, frameId }: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    this.#answer(response, ({ session, debuggee }) => {
      const list = variablesReference === undefined ? undefined : this.#values[variablesReference - 1];
      const call = list?.call ?? (frameId === undefined ? session.stack()[0] : this.#frameOf(frameId))?.call;
      const frame = debuggee.run.calls[call ?? -1]?.frame ?? -1;
      const { evaluateName = list === undefined ? name : "" } = list?.read().find((it) => it.name === name) ?? {};
      const isState = list?.isState ?? true;
      const key = isState ? session.variables.keyOf(frame, evaluateName) : undefined;
      response.body =
        key === undefined
          ? { dataId: null, description: t`Only variables of storage can be watched.` }
          : { dataId: key, description: evaluateName, accessTypes: ["write"], canPersist: true };
    });
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    { breakpoints }: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    this.#answer(response, ({ session, sources }) => {
      const keys = breakpoints.map(({ dataId: key, condition, hitCondition }) => ({
        key,
        ...(condition !== undefined && { condition }),
        ...(hitCondition !== undefined && { hitCondition }),
      }));
      response.body = {
        breakpoints: session.breakpoints.setVariables(keys).map((it) => sources.breakpointOf(it)),
      };
    });
  }

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    response.body = { allThreadsContinued: true };
    this.#move(response, (session) => session.continue());
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.#move(response, (session) => session.reverseContinue());
  }

  protected override nextRequest(response: DebugProtocol.NextResponse, args: DebugProtocol.NextArguments): void {
    this.#step(response, "over", args.granularity);
  }

  protected override stepInRequest(response: DebugProtocol.StepInResponse, args: DebugProtocol.StepInArguments): void {
    this.#step(response, "in", args.granularity);
  }

  protected override stepOutRequest(
    response: DebugProtocol.StepOutResponse,
    args: DebugProtocol.StepOutArguments,
  ): void {
    this.#step(response, "out", args.granularity);
  }

  protected override stepBackRequest(
    response: DebugProtocol.StepBackResponse,
    args: DebugProtocol.StepBackArguments,
  ): void {
    this.#step(response, "back", args.granularity);
  }

  protected override restartFrameRequest(
    response: DebugProtocol.RestartFrameResponse,
    { frameId }: DebugProtocol.RestartFrameArguments,
  ): void {
    const frame = this.#frameOf(frameId);
    this.#move(response, (session) => session.restartFrame(frame));
  }

  protected override gotoTargetsRequest(
    response: DebugProtocol.GotoTargetsResponse,
    { source, line }: DebugProtocol.GotoTargetsArguments,
  ): void {
    this.#answer(response, ({ session, sources }) => {
      const statement = sources.statementAt(source, line - 1);
      const step = statement && session.stepOf(statement);
      const targets =
        statement === undefined || step === undefined
          ? []
          : [{ id: step, label: t`Line ${statement.first.line + 1}`, line: statement.first.line + 1 }];
      response.body = { targets };
    });
  }

  protected override gotoRequest(
    response: DebugProtocol.GotoResponse,
    { targetId }: DebugProtocol.GotoArguments,
  ): void {
    this.#move(response, (session) => session.goTo(targetId));
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    { startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments,
  ): void {
    this.#answer(response, ({ session, sources }) => {
      if (this.#frames.length === 0) this.#frames = session.stack();
      const end = levels > 0 ? startFrame + levels : undefined;
      const stackFrames = this.#frames
        .slice(startFrame, end)
        .map((frame, index) => sources.stackFrameOf(frame, startFrame + index + 1));
      response.body = { stackFrames, totalFrames: this.#frames.length };
    });
  }

  protected override sourceRequest(
    response: DebugProtocol.SourceResponse,
    { source, sourceReference }: DebugProtocol.SourceArguments,
  ): void {
    this.#answer(response, ({ sources }) => {
      response.body = { content: sources.contentOf(source?.sourceReference ?? sourceReference) };
    });
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.#answer(response, ({ debuggee }) => {
      const frame = this.#frameOf(frameId);
      const scopes = debuggee.scopes(frame).map((scope, index) => {
        const list = { read: () => scope.variables(), call: frame.call, isState: scope.kind === "state" };
        return { name: scope.name, variablesReference: this.#values.push(list), expensive: index > 1 };
      });
      response.body = { scopes };
    });
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference, start = 0, count = 0 }: DebugProtocol.VariablesArguments,
  ): void {
    this.#answer(response, () => {
      const list = this.#values[variablesReference - 1];
      const values = list?.read() ?? [];
      const shown = count > 0 ? values.slice(start, start + count) : values;
      response.body = { variables: list === undefined ? [] : shown.map((it) => this.#variableOf(it, list)) };
    });
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression, frameId }: DebugProtocol.EvaluateArguments,
  ): void {
    this.#answer(response, ({ debuggee, session }) => {
      const frame = frameId === undefined ? session.stack()[0] : this.#frameOf(frameId);
      if (frame === undefined) throw new Error(t`The run has no frame.`);
      const result = debuggee.evaluate(expression, frame);
      if ("error" in result) throw new Error(result.error);
      const list = { read: () => [], call: frame.call, isState: false };
      response.body = {
        result: visibleLine(result.text, LONG),
        type: visibleLine(result.type, 200),
        variablesReference: this.#childrenOf(result, list),
        ...(result.memory !== undefined && { memoryReference: this.#memoryOf(frame.call, result.memory) }),
      };
    });
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    this.#answer(response, ({ session, debuggee }) => {
      const { stop } = session;
      const frame = stop.kind === "failure" ? debuggee.run.trace.frames[stop.failure.frame] : undefined;
      if (stop.kind !== "failure" || frame === undefined) throw new Error(t`The run is not stopped at a failure.`);
      const { names, isCaught } = stop.failure;
      response.body = {
        exceptionId: names[0] ?? frame.result ?? "REVERT",
        description: visibleLine(debuggee.failureText(frame), LONG),
        breakMode: isCaught ? "always" : "unhandled",
      };
    });
  }

  protected override disassembleRequest(
    response: DebugProtocol.DisassembleResponse,
    args: DebugProtocol.DisassembleArguments,
  ): void {
    this.#answer(response, ({ debuggee, sources }) => {
      response.body = { instructions: disassembled(debuggee.run, args, sources) };
    });
  }

  protected override readMemoryRequest(
    response: DebugProtocol.ReadMemoryResponse,
    { memoryReference, offset = 0, count }: DebugProtocol.ReadMemoryArguments,
  ): void {
    this.#answer(response, ({ debuggee }) => {
      const [, frame, step, base] = /^memory:(\d+):(\d+):(\d{1,9})$/.exec(memoryReference) ?? [];
      if (base === undefined) throw new Error(t`The run has no such memory.`);
      const start = Math.max(Number(base) + offset, 0);
      const range = { offset: start, length: Math.min(Math.max(count, 0), MOST_MEMORY) };
      const bytes = memoryBefore(debuggee.run, Number(frame), Number(step), range);
      response.body = {
        address: `0x${start.toString(16)}`,
        data: Buffer.from(bytes).toString("base64"),
        unreadableBytes: Math.max(count - bytes.length, 0),
      };
    });
  }

  #variableOf(value: DebugValue, list: ValueList): DebugProtocol.Variable {
    return {
      name: visibleLine(value.name, 200),
      value: visibleLine(value.text, LONG),
      type: visibleLine(value.type, 200),
      variablesReference: this.#childrenOf(value, list),
      ...(value.evaluateName !== undefined && { evaluateName: value.evaluateName }),
      ...(value.memory !== undefined && { memoryReference: this.#memoryOf(list.call, value.memory) }),
    };
  }

  #childrenOf(value: DebugValue, list: ValueList): number {
    const { children } = value;
    return children === undefined ? 0 : this.#values.push({ ...list, read: () => children.call(value) });
  }

  /** Returns the name of an offset in the memory of the frame of a call, as it is now. */
  #memoryOf(call: number, offset: number): string {
    const { session, debuggee } = this.#loaded ?? {};
    return `memory:${debuggee?.run.calls[call]?.frame ?? -1}:${session?.position ?? 0}:${offset}`;
  }

  /** @throws {Error} the run has moved since */
  #frameOf(id: number): StackFrame {
    const frame = this.#frames[id - 1];
    if (frame === undefined) throw new Error(t`The run has moved: this frame is no longer there.`);
    return frame;
  }

  #step(
    response: DebugProtocol.Response,
    kind: StepKind,
    granularity: DebugProtocol.SteppingGranularity | undefined,
  ): void {
    const unit = granularity === "instruction" ? "instruction" : "statement";
    this.#move(response, (session) => session.step(kind, unit));
  }

  /** Answers a request that moves the run, then moves it. */
  #move(response: DebugProtocol.Response, move: (session: DebugSession) => Stop): void {
    this.#answer(response, ({ session }) => {
      setImmediate(() => {
        if (this.#loaded !== undefined) this.#stopped(move(session));
      });
    });
  }

  #stopped(stop: Stop): void {
    const loaded = this.#loaded;
    if (loaded === undefined || this.#isOver) return;
    this.#frames = [];
    this.#values = [];
    if (stop.kind === "end" && !loaded.options.stopAtEnd) {
      this.#isOver = true;
      this.sendEvent(new TerminatedEvent());
      return;
    }
    this.sendEvent(stoppedEvent(stop, loaded));
  }

  #print(text: string, frame?: StackFrame): void {
    const event: DebugProtocol.OutputEvent = new OutputEvent(`${visibleText(text, LONG)}\n`, "console");
    const line = frame && this.#loaded?.sources.stackFrameOf(frame, 0);
    if (line?.source !== undefined) Object.assign(event.body, { source: line.source, line: line.line });
    this.sendEvent(event);
  }

  /** Answers a request about the loaded run, or says why it cannot. */
  #answer(response: DebugProtocol.Response, answer: (loaded: Loaded) => void): void {
    try {
      if (this.#loaded === undefined) throw new Error(t`No run is loaded.`);
      answer(this.#loaded);
      this.sendResponse(response);
    } catch (error) {
      this.#refuse(response, error);
    }
  }

  #refuse(response: DebugProtocol.Response, error: unknown): void {
    const format = isChainError(error) || error instanceof Error ? error.message : String(error);
    this.sendErrorResponse(response, {
      id: 1,
      format: format.replaceAll("{", "(").replaceAll("}", ")"),
      showUser: true,
    });
  }
}

function stoppedEvent(stop: Stop, { debuggee, session }: Loaded): DebugProtocol.StoppedEvent {
  const event: DebugProtocol.StoppedEvent = new StoppedEvent(REASONS[stop.kind], THREAD);
  event.body.allThreadsStopped = true;
  if ("ids" in stop) event.body.hitBreakpointIds = [...stop.ids];
  const text = stopText(stop, debuggee, session);
  if (text !== undefined) Object.assign(event.body, text);
  return event;
}

const REASONS: { readonly [K in Stop["kind"]]: string } = {
  entry: "entry",
  step: "step",
  goto: "goto",
  start: "entry",
  end: "pause",
  breakpoint: "breakpoint",
  function: "function breakpoint",
  instruction: "instruction breakpoint",
  data: "data breakpoint",
  failure: "exception",
};

function stopText(
  stop: Stop,
  { run, failureText }: Debuggee,
  { position, variables }: DebugSession,
): { readonly description: string; readonly text?: string } | undefined {
  switch (stop.kind) {
    case "start":
      return { description: t`Start of the run` };
    case "end":
      return { description: run.isCut ? t`End of the record` : t`End of the run` };
    case "data":
      return { description: t`Variable changed`, text: variables.textOf(position - 1) };
    case "failure": {
      const frame = run.trace.frames[stop.failure.frame];
      return {
        description: t`Paused on failure`,
        text: frame === undefined ? "" : visibleLine(failureText(frame), LONG),
      };
    }
    default:
      return undefined;
  }
}
