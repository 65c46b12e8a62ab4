import { CONFIG_GROUP } from '../names';
import type { ValidatingWebhook } from './webhook';

/** The path at which the operator checks TrustAnchors. */
export const TRUST_ANCHOR_PATH = '/validate-trustanchor';

/** The webhook for TrustAnchors: what only the cluster knows. What a spec says by itself is in its definition. */
export const TRUST_ANCHOR_WEBHOOK: ValidatingWebhook = {
  kind: 'validating',
  // Beside that of LinkerdConfigs.
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
  // Whoever wants a rotation to stop must be able to say so while no operator answers.
  failurePolicy: 'Ignore',
  // Labels, annotations and deletion never wait for the operator.
  matchConditions: [
    { name: 'spec-changes', expression: "request.operation == 'CREATE' || object.spec != oldObject.spec" },
  ],
  timeoutSeconds: 10,
};
