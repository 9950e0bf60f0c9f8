/** Testing API of the editor, with the states that runs report. */

class FakeItems {
  readonly #items = new Map<string, FakeTestItem>();
  readonly #parent: FakeTestItem | undefined;

  constructor(parent?: FakeTestItem) {
    this.#parent = parent;
  }

  get size(): number {
    return this.#items.size;
  }

  add(item: FakeTestItem): void {
    item.parent = this.#parent;
    this.#items.set(item.id, item);
  }

  get(id: string): FakeTestItem | undefined {
    return this.#items.get(id);
  }

  delete(id: string): void {
    this.#items.delete(id);
  }

  [Symbol.iterator](): Iterator<[string, FakeTestItem]> {
    return this.#items.entries();
  }
}

export class FakeTestItem {
  readonly id: string;
  readonly label: string;
  readonly uri: unknown;
  readonly children = new FakeItems(this);
  parent: FakeTestItem | undefined;
  range: unknown;
  sortText = "";

  constructor(id: string, label: string, uri: unknown) {
    this.id = id;
    this.label = label;
    this.uri = uri;
  }
}

type Cancel = () => void;

/** Cancellation token that a test cancels. */
export class FakeToken {
  readonly #listeners = new Set<Cancel>();

  readonly onCancellationRequested = (listener: Cancel) => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  cancel(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Run that records states as `passed Label`, and messages of failures. */
export class FakeRun {
  readonly states: string[] = [];
  readonly output: string[] = [];
  readonly messages: FakeMessage[] = [];
  readonly token = new FakeToken();
  isEnded = false;

  #add(state: string, { label }: FakeTestItem, messages: FakeMessage | readonly FakeMessage[] = []): void {
    this.states.push(`${state} ${label}`);
    this.messages.push(...[messages].flat());
  }

  enqueued = (item: FakeTestItem): void => this.#add("enqueued", item);
  started = (item: FakeTestItem): void => this.#add("started", item);
  passed = (item: FakeTestItem): void => this.#add("passed", item);
  skipped = (item: FakeTestItem): void => this.#add("skipped", item);
  failed = (item: FakeTestItem, messages: readonly FakeMessage[]): void => this.#add("failed", item, messages);
  errored = (item: FakeTestItem, message: FakeMessage): void => this.#add("errored", item, message);
  appendOutput = (text: string): void => void this.output.push(text);
  end = (): void => {
    this.isEnded = true;
  };
}

export class FakeMessage {
  readonly message: string;
  expectedOutput: string | undefined;
  actualOutput: string | undefined;
  location: unknown;

  constructor(message: string) {
    this.message = message;
  }

  static diff(message: string, expected: string, actual: string): FakeMessage {
    const created = new FakeMessage(message);
    created.expectedOutput = expected;
    created.actualOutput = actual;
    return created;
  }
}

export class FakeRequest {
  readonly include: readonly FakeTestItem[] | undefined;
  readonly exclude: readonly FakeTestItem[] | undefined;
  readonly continuous: boolean;

  constructor(
    include?: readonly FakeTestItem[],
    exclude?: readonly FakeTestItem[],
    _profile?: unknown,
    continuous = false,
  ) {
    this.include = include;
    this.exclude = exclude;
    this.continuous = continuous;
  }
}

type RunHandler = (request: FakeRequest, token: FakeToken) => Promise<void> | undefined;

/** Kind of a profile with coverage. */
const COVERAGE = 3;

export class FakeController {
  readonly items = new FakeItems();
  readonly runs: FakeRun[] = [];
  refreshHandler: (() => Promise<void>) | undefined;
  handler: RunHandler = async () => undefined;
  /** Handler of the profile with coverage. */
  coverageHandler: RunHandler = async () => undefined;

  createTestItem = (id: string, label: string, uri: unknown): FakeTestItem => new FakeTestItem(id, label, uri);

  createRunProfile = (_label: string, kind: number, handler: RunHandler) => {
    if (kind === COVERAGE) this.coverageHandler = handler;
    else this.handler = handler;
    return { dispose: () => undefined };
  };

  createTestRun = (): FakeRun => {
    const run = new FakeRun();
    this.runs.push(run);
    return run;
  };

  dispose = (): void => undefined;
}

/** Controllers that were created. */
export const controllers: FakeController[] = [];

export const tests = {
  createTestController: (): FakeController => {
    const controller = new FakeController();
    controllers.push(controller);
    return controller;
  },
};
