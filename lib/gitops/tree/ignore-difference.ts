import { keysOf, LIST } from '#kubernetes/options/known-keys';
/** Fields of objects of one kind whose differences from Git Argo CD ignores. */
export interface IgnoreDifference {
  /**
   * API group without a version.
   *
   * @default - the core group
   */
  readonly group?: string;

  readonly kind: string;

  /**
   * Name of a single object.
   *
   * @default - all of the kind
   */
  readonly name?: string;

  /**
   * Namespace of the objects.
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
   * The fields as jq expressions, such as `.webhooks[].namespaceSelector`.
   *
   * @default - none
   */
  readonly jqPathExpressions?: readonly string[];

  /**
   * Field managers, all of whose fields are ignored.
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
  jsonPointers: LIST,
  jqPathExpressions: LIST,
  managedFieldsManagers: LIST,
});
