export { authorityFor, permissionsThatDo, type RefusedAuthority, type Short } from "./permissions/authority.ts";
export {
  allowsOperation,
  findOperation,
  maskOf,
  operations,
  operationsIn,
  PERMISSION_UPDATE,
} from "./permissions/operations.ts";
export {
  changesBetween,
  type LockOut,
  lockOutBy,
  type PermissionChange,
  refusalsOf,
  strangersInControl,
} from "./permissions/permission-change.ts";
export {
  type AccountPermissions,
  hasPart,
  isUsual,
  OWNER_ID,
  ownKeyAlone,
  type Permission,
  type PermissionSet,
  partOf,
  permissionSetOf,
  type Quorum,
  type SignWeight,
  signersFrom,
  signingPermissions,
  sufficientSets,
  weightOf,
} from "./permissions/permissions.ts";
