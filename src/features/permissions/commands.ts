import type { Commands } from "../../host/commands/commands.ts";
import { editPermissions } from "./edit-permissions.ts";
import type { PermissionServices } from "./services.ts";
import { showPermissions, showSignatures } from "./show-permissions.ts";

/** Implements the commands of this feature. Loaded with the first of them. */
export function createPermissions(services: PermissionServices): { readonly commands: Commands<"permissions"> } {
  return {
    commands: {
      "finality.showPermissions": (argument, raw) => showPermissions(services, argument, raw),
      "finality.editPermissions": (argument) => editPermissions(services, argument),
      "finality.showSignatures": (argument, raw) => showSignatures(services, argument, raw),
    },
  };
}
