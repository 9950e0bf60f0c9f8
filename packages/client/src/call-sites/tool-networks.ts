import { isToken, KIND, type SourceTokens, tokenize, tokenText } from "./source-tokens.ts";
import { partsOf, readExpression } from "./source-value.ts";

/** Network in the configuration of another tool. */
export interface ToolNetwork {
  readonly name: string;
  /** URL as written, unchecked. */
  readonly url: string;
  /** URL of solidified data, if it differs. */
  readonly solidityUrl?: string;
}

/** Literal content of a tool's configuration. */
export interface ToolConfiguration {
  readonly networks: readonly ToolNetwork[];
  /** Literal private keys, each once. Never show, store or log them. */
  readonly privateKeys: readonly string[];
  /** Networks with a computed URL, which only running the file would give. */
  readonly computed: readonly string[];
}

/** Upper bound: a longer list is not hand-written, and each network may cause a prompt. */
const MOST = 100;
const PRIVATE_KEY = /^(?:0x)?[0-9a-f]{64}$/i;
const WEB = /^https?:\/\//i;

/**
 * Parses the configuration of TronBox, Truffle, Hardhat or Foundry, or a `.env`, as text. Nothing of it runs, so
 * computed values are unknown.
 *
 * @param name - File name, which tells the format.
 */
export function readToolConfiguration(name: string, text: string): ToolConfiguration {
  if (/\.toml$/i.test(name)) return fromLines(text, /^\s*\[(?<section>[^\]]*)\]/);
  return /^\.env/i.test(name) ? fromLines(text) : fromScript(text);
}

/**
 * Parses lines of `NAME = value`.
 *
 * @param sections - If the file has sections, networks are those of `rpc_endpoints`.
 */
function fromLines(text: string, sections?: RegExp): ToolConfiguration {
  const networks: ToolNetwork[] = [];
  const keys = new Set<string>();
  let isOfNetworks = sections === undefined;
  for (const line of text.split(/\r?\n/)) {
    const section = sections?.exec(line)?.groups?.section;
    if (section !== undefined) isOfNetworks = section.trim().endsWith("rpc_endpoints");
    const [, name, value = ""] = /^\s*(?:export\s+)?([\w-]+)\s*=\s*(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    const bare = (/^(["'])(.*?)\1/.exec(value)?.[2] ?? value.replace(/\s+#.*$/, "")).trim();
    if (isOfNetworks && WEB.test(bare)) networks.push({ name, url: bare });
    if (/key|secret/i.test(name) && PRIVATE_KEY.test(bare)) keys.add(bare);
  }
  return { networks: networks.slice(0, MOST), privateKeys: [...keys].slice(0, MOST), computed: [] };
}

function fromScript(text: string): ToolConfiguration {
  const tokens = tokenize(text, "script");
  const networks = new Map<string, ToolNetwork>();
  const computed = new Set<string>();
  for (let at = 0; at < tokens.count; at++) {
    const opener = objectOf(tokens, at, "networks");
    if (opener === undefined) continue;
    for (const { name, value } of fieldsOf(tokens, opener)) {
      if (tokens.kinds[value] !== KIND.open || !isToken(tokens, value, "{")) continue;
      const network = networkIn(tokens, value, name);
      if (network !== undefined) networks.set(name, network);
      else if (fieldsOf(tokens, value).some((it) => ADDRESSES.includes(it.name))) computed.add(name);
    }
  }
  const privateKeys = keysIn(tokens);
  return { networks: [...networks.values()].slice(0, MOST), privateKeys, computed: [...computed].slice(0, MOST) };
}

const ADDRESSES: readonly string[] = ["fullHost", "fullNode", "url", "host"];

/** @returns the opening bracket of the object in `wanted: {` or `wanted = {`, if it is at this token */
function objectOf(tokens: SourceTokens, at: number, name: string): number | undefined {
  if (unquoted(tokens, at) !== name) return undefined;
  const isNamed = isToken(tokens, at + 1, ":") || isToken(tokens, at + 1, "=");
  return isNamed && isToken(tokens, at + 2, "{") ? at + 2 : undefined;
}

interface Field {
  readonly name: string;
  /** Returns the first token of the value. */
  readonly value: number;
}

function fieldsOf(tokens: SourceTokens, opener: number): readonly Field[] {
  return partsOf(tokens, opener).flatMap(([from]) => {
    const name = unquoted(tokens, from);
    return name !== undefined && isToken(tokens, from + 1, ":") ? [{ name, value: from + 2 }] : [];
  });
}

function unquoted(tokens: SourceTokens, at: number): string | undefined {
  if (at >= tokens.count) return undefined;
  if (tokens.kinds[at] === KIND.word) return tokenText(tokens, at);
  return tokens.kinds[at] === KIND.text ? tokenText(tokens, at).slice(1, -1) : undefined;
}

function networkIn(tokens: SourceTokens, opener: number, name: string): ToolNetwork | undefined {
  const texts = new Map(fieldsOf(tokens, opener).map((it) => [it.name, literalAt(tokens, it.value)]));
  const [host, port] = [texts.get("host"), texts.get("port")];
  const atPort = host === undefined ? undefined : `http://${host}${port === undefined ? "" : `:${port}`}`;
  const whole = (text: string | undefined): text is string => text !== undefined && WEB.test(text);
  const url = [texts.get("fullHost"), texts.get("fullNode"), texts.get("url"), host, atPort].find(whole);
  if (url === undefined) return undefined;
  const solidityUrl = texts.get("solidityNode");
  return { name, url, ...(whole(solidityUrl) && solidityUrl !== url ? { solidityUrl } : {}) };
}

/** Returns a literal; undefined for a computed value. */
function literalAt(tokens: SourceTokens, at: number): string | undefined {
  const read = readExpression(tokens, at, new Map());
  if (read === undefined || !(isToken(tokens, read.next, ",") || isToken(tokens, read.next, "}"))) return undefined;
  return typeof read.value === "object" ? undefined : String(read.value);
}

/** Strings of 64 hex digits. Other values of that length in network configurations are not keys by their name. */
function keysIn(tokens: SourceTokens): readonly string[] {
  const keys = new Set<string>();
  for (let at = 0; at < tokens.count; at++) {
    const text = tokens.kinds[at] === KIND.text ? tokenText(tokens, at).slice(1, -1) : "";
    if (PRIVATE_KEY.test(text)) keys.add(text);
  }
  return [...keys].slice(0, MOST);
}
