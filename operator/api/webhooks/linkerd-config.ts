import { CONFIG_GROUP } from '../names';
import type { MutatingWebhook, ValidatingWebhook } from './webhook';

/** The path at which the operator defaults LinkerdConfigs. */
export const DEFAULTING_PATH = '/default-linkerdconfig';

/** The path at which the operator validates LinkerdConfigs. */
export const VALIDATING_PATH = '/validate-linkerdconfig';

/** The fields of both webhooks, which match only the operator's own objects and may therefore fail closed. */
const ENTRY = {
  configuration: 'linkerd-reconciler',
  rules: [
    {
      apiGroups: [CONFIG_GROUP],
      apiVersions: ['v1alpha1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['linkerdconfigs'],
      scope: 'Cluster',
    },
  ],
  failurePolicy: 'Fail',
  // Changes of labels and finalizers, and deletion, never wait for the operator.
  matchConditions: [
    { name: 'spec-changes', expression: "request.operation == 'CREATE' || object.spec != oldObject.spec" },
  ],
  timeoutSeconds: 10,
} as const;

/** The webhooks for LinkerdConfigs. */
export const LINKERD_CONFIG_WEBHOOKS: readonly [MutatingWebhook, ValidatingWebhook] = [
  { ...ENTRY, kind: 'mutating', name: `default.linkerdconfigs.${CONFIG_GROUP}`, path: DEFAULTING_PATH },
  { ...ENTRY, kind: 'validating', name: `validate.linkerdconfigs.${CONFIG_GROUP}`, path: VALIDATING_PATH },
];
