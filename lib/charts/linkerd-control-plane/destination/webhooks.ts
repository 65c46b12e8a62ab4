import type { RuleWithOperations, ValidatingWebhookConfiguration } from '../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { type Webhook, webhookBase, webhookMetadata } from '../webhook/webhook-configuration';
import { GATEWAY_GROUP, GATEWAY_ROUTES, POLICY_GROUP } from './policy-resources';

const WRITES = ['CREATE', 'UPDATE'] as const;

const PROFILE_RULES: readonly RuleWithOperations[] = [
  {
    operations: WRITES,
    apiGroups: ['linkerd.io'],
    apiVersions: ['v1alpha1', 'v1alpha2'],
    resources: ['serviceprofiles'],
  },
];

const POLICY_RULES: readonly RuleWithOperations[] = [
  {
    operations: WRITES,
    apiGroups: [POLICY_GROUP],
    apiVersions: ['*'],
    resources: [
      'authorizationpolicies',
      'httplocalratelimitpolicies',
      'httproutes',
      'networkauthentications',
      'meshtlsauthentications',
      'serverauthorizations',
      'servers',
      'egressnetworks',
    ],
  },
  { operations: WRITES, apiGroups: [GATEWAY_GROUP], apiVersions: ['*'], resources: GATEWAY_ROUTES },
];

/** The webhooks that validate ServiceProfiles, policies and routes. */
export function validatingWebhooks(values: ControlPlaneView, context: RenderContext): readonly KubernetesObject[] {
  const component = 'destination';
  const profiles: Webhook = { service: 'linkerd-sp-validator', component, values: values.profileValidator };
  const policies: Webhook = { service: 'linkerd-policy-validator', component, values: values.policyValidator };
  const configuration = (webhook: Webhook, rules: readonly RuleWithOperations[]) =>
    ({
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: webhookMetadata(values, context, webhook),
      webhooks: [{ ...webhookBase(values, context, webhook), rules }],
    }) satisfies ValidatingWebhookConfiguration;
  return [configuration(profiles, PROFILE_RULES), configuration(policies, POLICY_RULES)];
}
