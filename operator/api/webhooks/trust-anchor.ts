import { CONFIG_GROUP } from '../names';
import type { ValidatingWebhook } from './webhook';

/** The path at which the operator validates TrustAnchors. */
export const TRUST_ANCHOR_PATH = '/validate-trustanchor';

/** The webhook for TrustAnchors, for checks that need the cluster. The CRD checks the spec itself. */
export const TRUST_ANCHOR_WEBHOOK: ValidatingWebhook = {
  kind: 'validating',
  // In the same configuration as the webhooks for LinkerdConfigs.
  configuration: 'linkerd-reconciler',
  name: `validate.trustanchors.${CONFIG_GROUP}`,
  path: TRUST_ANCHOR_PATH,
  rules: [
    {
      apiGroups: [CONFIG_GROUP],
      apiVersions: ['v1alpha1'],
      operations: ['CREATE', 'UPDATE'],
      resources: ['trustanchors'],
      scope: 'Cluster',
    },
  ],
  // Users must be able to stop a rotation while no operator answers.
  failurePolicy: 'Ignore',
  // Changes of labels and annotations, and deletion, never wait for the operator.
  matchConditions: [
    { name: 'spec-changes', expression: "request.operation == 'CREATE' || object.spec != oldObject.spec" },
  ],
  timeoutSeconds: 10,
};
