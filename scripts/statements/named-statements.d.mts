import type { Node } from "typescript";

export interface Test {
  readonly titles: readonly string[];
  readonly body: Node;
}

export interface Statement {
  readonly text: string;
  readonly kind: "endpoint" | "field" | "limit" | "rule";
  readonly place: string;
  readonly evidence: readonly string[];
}

export function namedStatements(test: Test): string[];
export function namedAuditLines(test: Test): string[];
export function testsOf(source: string, path?: string): Test[];
export function onlyMentioned(test: Test, path: string, statements: Readonly<Record<string, Statement>>): string[];
