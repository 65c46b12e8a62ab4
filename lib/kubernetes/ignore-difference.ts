import { keysOf } from './known-keys';
/** Fields of objects of one kind of which Argo CD does not say that they differ from Git. */
export interface IgnoreDifference {
  /**
   * API group without a version.
   *
   * @default - the core group
   */
  readonly group?: string;

  readonly kind: string;

  /**
   * Name of the one object that is meant.
   *
   * @default - all of the kind
   */
  readonly name?: string;

  /**
   * Namespace of the objects that are meant.
   *
   * @default - all
   */
  readonly namespace?: string;

  /**
   * The fields as JSON pointers, such as `/spec/replicas`.
   *
   * @default - none
   */
  readonly jsonPointers?: readonly string[];

  /**
   * The fields as expressions of jq, such as `.webhooks[].namespaceSelector`.
   *
   * @default - none
   */
  readonly jqPathExpressions?: readonly string[];

  /**
   * Field managers: all fields that they own are meant.
   *
   * @default - none
   */
  readonly managedFieldsManagers?: readonly string[];
}

/** The keys of IgnoreDifference. */
export const IGNORE_DIFFERENCE = keysOf<IgnoreDifference>({
  group: true,
  kind: true,
  name: true,
  namespace: true,
  jsonPointers: true,
  jqPathExpressions: true,
  managedFieldsManagers: true,
});
