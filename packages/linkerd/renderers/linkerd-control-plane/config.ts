import { isMap, type Value, type Values } from '#base/values';
import { stringifyYaml } from '#base/yaml-writer';
import type { ConfigMap, ObjectMeta } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { createdBy } from '../metadata/created-by';
import { component, labels, PART_OF_LINKERD } from '../metadata/labels';
import { account, role, roleBinding } from '../metadata/rbac';
import { trustDomain } from '../trust-domain';
import type { ControlPlaneView } from './control-plane-view';

/** Values that may contain private keys of webhooks, which every reader of ConfigMaps could read. */
const WEBHOOKS = ['policyValidator', 'profileValidator', 'proxyInjector'];

/**
 * Returns the values that the injector, `linkerd check` and extensions read from the `linkerd-config` ConfigMap:
 * complete, without private keys, and with an explicit trust domain.
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
      // A constant of the chart, for every release of the CRDs.
      'linkerd-crds-chart-version': 'linkerd-crds-1.0.0-edge',
      values: text,
    },
  } satisfies ConfigMap;
}

const ROLE = 'ext-namespace-metadata-linkerd-config';

/**
 * Renders the permission to read the `linkerd-config` ConfigMap: extensions bind their own accounts, and values name
 * additional ones.
 */
export function configRbac(values: ControlPlaneView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const readers = values.configReaders ?? [];
  return [
    role({ name: ROLE, namespace, ...roleLabels(values, namespace), annotations: createdBy(values) }, [
      { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['linkerd-config'] },
    ]),
    ...(readers.length === 0
      ? []
      : [
          roleBinding(
            { name: 'linkerd-config-reader', namespace, labels: labels(values, namespace, PART_OF_LINKERD) },
            ['Role', ROLE],
            readers.map((reader) => account(reader.name ?? '', reader.namespace)),
          ),
        ]),
  ];
}

function roleLabels(values: ControlPlaneView, namespace: string): Pick<ObjectMeta, 'labels'> {
  if (values.templates.labelledConfigRole) return { labels: labels(values, namespace) };
  return isEmpty(values.commonLabels) ? {} : { labels: values.commonLabels };
}
