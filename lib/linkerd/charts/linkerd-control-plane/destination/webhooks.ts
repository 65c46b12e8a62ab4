import type { RuleWithOperations, ValidatingWebhookConfiguration } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import type { RenderContext } from '../../render-context';
import type { ControlPlaneView } from '../control-plane-view';
import { type Webhook, webhookBase, webhookMetadata } from '../webhook/webhook-configuration';
import { GATEWAY_GROUP, gatewayRoutes, POLICY_GROUP, policyResources } from './policy-resources';

const WRITES = ['CREATE', 'UPDATE'] as const;

const PROFILE_RULES: readonly RuleWithOperations[] = [
  {
    operations: WRITES,
    apiGroups: ['linkerd.io'],
    apiVersions: ['v1alpha1', 'v1alpha2'],
    resources: ['serviceprofiles'],
  },
];

const POLICIES = [
  'authorizationpolicies',
  'httplocalratelimitpolicies',
  'httproutes',
  'networkauthentications',
  'meshtlsauthentications',
  'serverauthorizations',
  'servers',
  'egressnetworks',
];

function policyRules({ templates }: ControlPlaneView): readonly RuleWithOperations[] {
  const rule = (group: string, resources: readonly string[]) => ({
    operations: WRITES,
    apiGroups: [group],
    apiVersions: ['*'],
    resources,
  });
  return [
    rule(POLICY_GROUP, policyResources(templates, POLICIES)),
    ...(templates.egressAndExternalWorkloads ? [rule(GATEWAY_GROUP, gatewayRoutes(templates))] : []),
  ];
}

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
  return [configuration(profiles, PROFILE_RULES), configuration(policies, policyRules(values))];
}
