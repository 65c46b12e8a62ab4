import type { ConfigMap } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { isMap, type Value, type Values } from '../../../../kubernetes/values';
import { stringifyYaml } from '../../../../kubernetes/yaml';
import { createdBy } from '../../metadata/created-by';
import { component, labels } from '../../metadata/labels';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';

/** Values that have the private keys of webhooks, which everyone who may read ConfigMaps would read. */
const WEBHOOKS = ['policyValidator', 'profileValidator', 'proxyInjector'];

/**
 * The values as the injector, `linkerd check` and extensions read them from the `linkerd-config` ConfigMap: complete,
 * without private keys, and with the trust domain spelled out.
 */
export function configText(values: Values, view: ControlPlaneView): string {
  const config: Record<string, Value | undefined> = { ...values, identityTrustDomain: trustDomain(view) };
  for (const webhook of WEBHOOKS) config[webhook] = withoutKey(values[webhook]);
  if (isMap(values.identity) && isMap(values.identity.issuer)) {
    const issuer = { ...values.identity.issuer, tls: withoutKey(values.identity.issuer.tls) };
    config.identity = { ...values.identity, issuer };
  }
  return stringifyYaml(config);
}

function withoutKey(value: Value | undefined): Value | undefined {
  return isMap(value) ? { ...value, keyPEM: undefined } : value;
}

export function configMap(values: ControlPlaneView, { namespace }: RenderContext, text: string): KubernetesObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: 'linkerd-config',
      namespace,
      labels: labels(values, namespace, component('controller')),
      annotations: createdBy(values),
    },
    data: {
      // A constant of the chart, whatever the release of the CRDs.
      'linkerd-crds-chart-version': 'linkerd-crds-1.0.0-edge',
      values: text,
    },
  } satisfies ConfigMap;
}
