import * as vscode from "vscode";
import { lazily } from "../../host/lazily.ts";

/** What is used of the public interface of the Git extension. */
interface GitRepository {
  readonly state: { readonly HEAD: { readonly commit?: string } | undefined; readonly onDidChange: vscode.Event<void> };
  show(ref: string, path: string): Promise<string>;
}
interface GitApi {
  readonly onDidOpenRepository: vscode.Event<GitRepository>;
  readonly repositories: readonly GitRepository[];
  getRepository(uri: vscode.Uri): GitRepository | null;
}
interface GitExtension {
  readonly enabled: boolean;
  getAPI(version: 1): GitApi;
}

/** Files as the last commit has them. Without Git, or in a folder that Git does not know, there are none. */
export class CommittedFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscriptions: vscode.Disposable[] = [this.#changed];
  readonly #heads = new Map<GitRepository, string | undefined>();
  readonly #api = lazily(() => this.#open());

  /** There is another commit than before. */
  readonly onDidChange = this.#changed.event;

  async read(file: vscode.Uri): Promise<string | undefined> {
    const repository = (await this.#api())?.getRepository(file);
    // A commit that does not have the file is an ordinary one.
    return await repository?.show("HEAD", file.fsPath).catch(() => undefined);
  }

  dispose(): void {
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  async #open(): Promise<GitApi | undefined> {
    const extension = vscode.extensions.getExtension<GitExtension>("vscode.git");
    const git = await extension?.activate();
    if (git?.enabled !== true) return undefined;
    const api = git.getAPI(1);
    const follow = (repository: GitRepository): void => this.#follow(repository);
    api.repositories.forEach(follow);
    this.#subscriptions.push(
      api.onDidOpenRepository((repository) => {
        follow(repository);
        this.#changed.fire();
      }),
    );
    return api;
  }

  #follow(repository: GitRepository): void {
    const { state } = repository;
    this.#heads.set(repository, state.HEAD?.commit);
    const look = (): void => {
      if (state.HEAD?.commit === this.#heads.get(repository)) return;
      this.#heads.set(repository, state.HEAD?.commit);
      this.#changed.fire();
    };
    this.#subscriptions.push(state.onDidChange(look));
  }
}
