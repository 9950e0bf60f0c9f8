import { readdirSync, readFileSync } from "node:fs";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../packages/tron/src/primitives/json.ts";
import { loadLines } from "./exchanges.ts";

const folder = new URL("../../fixtures/exchanges/", import.meta.url);

/** One JSON object of a recording and where it stands. */
export interface Found {
  /** Such as `broadcast too-big requestBody`. */
  readonly place: string;
  readonly value: JsonObject;
  /** Value of `visible` of the object or the nearest one around it. */
  readonly visible: boolean;
}

/** Its transactions have marks in place of addresses, so they are no bytes. */
const MARKED = "json-rpc.jsonl";

function exchangeFiles(): readonly string[] {
  return readdirSync(folder).filter((it) => it.endsWith(".jsonl") && it !== MARKED);
}

/** Returns the number of matches in the raw text of all recordings, independent of any parser. */
export function countInText(pattern: RegExp): number {
  return exchangeFiles()
    .map((file) => readFileSync(new URL(file, folder), "utf8").match(pattern)?.length ?? 0)
    .reduce((total, it) => total + it, 0);
}

/** Every object at any depth for which `wanted` holds, also in texts that are JSON themselves. */
export function findInRecordings(wanted: (value: JsonObject) => boolean): readonly Found[] {
  return exchangeFiles().flatMap((file) => {
    const name = file.replace(/\.jsonl$/, "");
    return loadLines(name).flatMap((line) =>
      find(line, { place: `${name} ${line.case ?? ""}`, visible: false }, wanted),
    );
  });
}

function find(value: Json | undefined, at: Omit<Found, "value">, wanted: (value: JsonObject) => boolean): Found[] {
  if (typeof value === "string") return find(parsed(value), at, wanted);
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((it, index) =>
      find(it, { ...at, place: `${at.place}[${index}]` }, wanted),
    );
  }
  if (!isJsonObject(value)) return [];
  const visible = visibleOf(value.requestBody) ?? visibleOf(value) ?? at.visible;
  const inside = Object.entries(value).flatMap(([name, it]) =>
    find(it, { place: `${at.place} ${name}`, visible }, wanted),
  );
  return wanted(value) ? [{ place: at.place, value, visible }, ...inside] : inside;
}

function visibleOf(value: Json | undefined): boolean | undefined {
  if (!isJsonObject(value) || value.visible === undefined) return undefined;
  return value.visible === true || value.visible === "true";
}

/** The recordings hold broken JSON on purpose: that is no object. */
function parsed(text: string): Json {
  if (!text.startsWith("{")) return null;
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}
