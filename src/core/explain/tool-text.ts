import { selectorOf } from "../abi/selector.ts";
import { clip, type Finding, field, plainFinding } from "./finding.ts";
import type { ExplainContext } from "./result/explanation.ts";
import { encodeReason, explainRevertData } from "./revert-finding.ts";

/** What a tool printed of a failed call, and where. */
export interface ToolText {
  readonly start: number;
  /** The offset after it. */
  readonly end: number;
  explain(context: ExplainContext): Finding;
}

/** Explains what libraries and test runners print of a revert: its data, or a panic, an error or a reason in words. */
export function explainToolText(text: string, context: ExplainContext): Finding | undefined {
  return findToolText(text)?.explain(context);
}

/** The first of the forms in which Hardhat, Foundry, Truffle, ethers and viem tell of a revert. Takes time linear in the text. */
export function findToolText(text: string): ToolText | undefined {
  for (const [pattern, read] of forms) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [whole, ...groups] = match;
    const given = groups.filter((it) => it !== undefined);
    return { start: match.index, end: match.index + whole.length, explain: (context) => read(given, context) };
  }
  return undefined;
}

type Read = (groups: readonly string[], context: ExplainContext) => Finding;

/** Data come first, for they say most; then what was there instead of what a test expected; then words. */
const forms: readonly (readonly [pattern: RegExp, read: Read])[] = [
  [/\bcustom error (0x[0-9a-f]{8})(?:[:\s]{1,3}((?:[0-9a-f]{64}){1,64}))?\b/i, ofData],
  [/\bcustom error\b[^\n]{0,60}?\bdata[=:] ?"?0x([0-9a-f]{8,65536})\b/i, ofData],
  [/\bfollowing signature:\s{1,8}0x([0-9a-f]{8})\b/i, ofData],
  [/\bbut it reverted with (?:the )?reason (?:string )?['"]([^\n]{0,1000}?)['"](?=$|[\s.,;)\]])/, ofReason],
  [/\bbut it reverted with (?:the )?custom error ['"]([A-Za-z_$][\w$]{0,80})/, ofName],
  [/\bbut it reverted with panic code (0x[0-9a-f]{1,64})/i, ofPanic],
  [/\bto be reverted\b[^\n]{0,200}\bbut it didn't revert\b/, ofNothing],
  [/\bpanic code (0x[0-9a-f]{1,64}|\d{1,9})\b/i, ofPanic],
  [/\bpanic: [a-z][^(\n]{0,120}\((0x[0-9a-f]{2})\)/i, ofPanic],
  [
    /(?<!to be )\breverted with (?:an? )?custom error ['"]?([A-Za-z_$][\w$]{0,80})(?:\(([^\n]{0,1000}?)\))?['"]?(?=$|[\s.,;)\]])/,
    ofName,
  ],
  [/\breverted\.\s{1,8}Error: ([A-Za-z_$][\w$]{0,80})\(([^)\n]{0,500})\)(?:\s{1,80}\(([^\n]{0,1000})\))?/, ofTypes],
  [/\[FAIL(?:\. Reason)?: (?:custom error )?([A-Za-z_$][\w$]{0,80})\(([^\n\]]{0,300})\)\]/, ofName],
  [/(?<!to be )\breverted with reason string '([^\n]{0,1000}?)'(?=$|[\s.,;)\]])/i, ofReason],
  [/(?<!to be )\breverted with reason (?:string )?"([^"\n]{0,1000})"/i, ofReason],
  [/\bFail(?:ed)? with error:? '([^\n]{1,1000}?)'(?=$|[\s.,;)\]])/, ofReason],
  [/\breverted with the following reason:\s{1,8}([^\n]{1,1000})/, ofReason],
  [/\bfollowing reason given:\s{1,8}\* ([^\n]{1,300})/, ofReason],
  [/(?:← \[Revert\]|\bscript failed:) ([A-Za-z_$][\w$]{0,80})\(([^\n]{0,300})\)/, ofName],
  [/(?:← \[Revert\]|\bscript failed:) ([^\n]{1,300})/, ofReason],
  [/\bReason given: ([^\n]{1,300})/, ofReason],
  [/\bVM Exception while processing transaction: revert ([^\n]{1,1000})/, ofReason],
  [/\[FAIL(?:\. Reason)?: (?:revert|Error): ([^\n\]]{1,300})\]/, ofReason],
  [/\bexecution reverted: "([^"\n]{1,1000})"/, ofReason],
  [/\bexecution reverted: ([^"\n(]{1,500}[^"\n(\s,])/, ofReason],
  [
    /\breverted without a reason\b|\bcouldn't infer the reason\b|\bmissing revert data\b|\bno data present\b|\btransaction: revert(?=\s{0,8}$|\s{0,8}\n)/,
    ofData,
  ],
  [/\breason="([^"\\\n]{1,1000})"[^\n]{0,400}\bcode=CALL_EXCEPTION\b/, ofReason],
  [/\bThe call has been reverted or has thrown an error\b/, ofData],
];

function ofData(groups: readonly string[], context: ExplainContext): Finding {
  return explainRevertData(Buffer.from(groups.join("").replace(/^0x/i, ""), "hex"), context);
}

function ofPanic([code = "0"]: readonly string[], context: ExplainContext): Finding {
  return explainRevertData(Buffer.from(`4e487b71${word(BigInt(code))}`, "hex"), context);
}

function ofReason([reason = ""]: readonly string[], context: ExplainContext): Finding {
  return explainRevertData(encodeReason(Buffer.from(reason.trim(), "utf8")), context);
}

/** An error by its name, with the values as the tool prints them. Without values its selector is known, and with it who declares it. */
function ofName([name = "", values = ""]: readonly string[], context: ExplainContext): Finding {
  return named({ name, values, signature: values === "" ? `${name}()` : undefined }, context);
}

/** As viem prints it: `Name(address sender, uint256 needed)`, and the values in the next line. */
function ofTypes([name = "", types = "", values = ""]: readonly string[], context: ExplainContext): Finding {
  const plain = types.split(",").map((one) => one.trim().split(/\s/, 1)[0] ?? "");
  return named({ name, values, signature: `${name}(${plain.join(",")})` }, context);
}

interface NamedError {
  readonly name: string;
  readonly values: string;
  readonly signature: string | undefined;
}

function named({ name, values, signature }: NamedError, { abi }: ExplainContext): Finding {
  const known = signature === undefined ? [] : (abi?.lookup(selectorOf(signature)) ?? []);
  const origins = known.filter(({ kind }) => kind === "error").map(({ origin }) => origin);
  const words = {
    title: `Reverted: ${clip(`${name}(${values})`, 240)}`,
    cause: `The contract refused the call with its error ${clip(name, 80)}.`,
    fix: "Compare the values of the error with the arguments and the state of the contract.",
  };
  return plainFinding(signature ?? name, words, {
    ...{ category: "abi", entry: "revert-custom-error" },
    decoded: [...field("error", name), ...field("values", values)],
    sources: origins.length > 0 ? origins : ["the words of the tool"],
  });
}

function ofNothing(): Finding {
  const words = {
    title: "A revert was expected, and the call succeeded",
    cause: "The test expects that the contract refuses the call, and it did not.",
    fix: "Compare the arguments, the caller and the state with the condition in the contract.",
  };
  return plainFinding("NO_REVERT", words, {
    ...{ category: "execution", entry: "tool-no-revert", sources: ["the words of the tool"] },
  });
}

const word = (value: bigint): string => value.toString(16).padStart(64, "0");
