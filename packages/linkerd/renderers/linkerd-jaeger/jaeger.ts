import type { Problem } from '#base/findings/problem';
import type { Values } from '#base/values';
import type { Container } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { NativeRenderer } from '../../charts/chart';
import type { RenderContext } from '../../charts/render-context';
import { withoutNulls } from '../chart-view';
import { isEmpty } from '../empty';
import { creator } from '../metadata/created-by';
import { applicationLabels, withCommonLabels } from '../metadata/labels';
import { NAMESPACE_METADATA, namespaceMetadataObjects } from '../metadata/namespace-metadata';
import { serviceAccount } from '../metadata/service-account';
import {
  checkControlPlaneNamespace,
  checkImageVersions,
  checkMissingMaps,
  checkMissingTexts,
  checkNullLabels,
} from '../missing-values';
import { scheduling } from '../pod/scheduling';
import { unprivileged } from '../pod/security-context';
import { checkPodSecurityPolicy } from '../pod-security-policy';
import { print, unquoted } from '../print';
import { checkPrivateKeys } from '../private-keys';
import { checkServingCertificate } from '../serving-certificates';
import { collector } from './collector';
import { injector } from './injector';
import { JAEGER_DIFFERENCES, JAEGER_REFUSALS } from './intended-differences';
import { type JaegerView, jaegerView } from './jaeger-view';
import { JAEGER } from './metadata';
import { tracingPolicy } from './policy';
import { confined, deployment, scrapedAt, service } from './workload';

/** The native renderer of linkerd-jaeger. */
export const JAEGER_RENDERER: NativeRenderer = deepFreeze({
  check: checkJaegerRender,
  render: renderJaeger,
  intended: { differences: JAEGER_DIFFERENCES, refusals: JAEGER_REFUSALS, fixes: [] },
});

/**
 * Renders all objects of the Jaeger extension, equal to those of the official chart of stable-2.14.10 except for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's merged over the chart's own; null removes a key. Check them with
 * `checkJaegerRender` first.
 */
function renderJaeger(values: Values, context: RenderContext): readonly KubernetesObject[] {
  const view = jaegerView(withoutNulls(values));
  return [
    ...injector(view, context),
    ...collector(view, context),
    ...allInOne(view, context),
    ...tracingPolicy(view, context),
    ...namespaceMetadata(view, context),
  ];
}

function namespaceMetadata(values: JaegerView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { imagePullPolicy, linkerdNamespace, namespaceMetadata: own } = values;
  const labels = { ...JAEGER, ...applicationLabels(NAMESPACE_METADATA, values.linkerdVersion) };
  return namespaceMetadataObjects({
    namespace,
    linkerdNamespace: linkerdNamespace ?? '',
    prefix: 'jaeger',
    annotations: creator(values),
    labels: withCommonLabels(values, JAEGER),
    jobLabels: withCommonLabels(values, labels),
    podLabels: { ...labels, ...values.podLabels },
    serviceAccount: (metadata) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata }),
    pod: scheduling(own),
    container: {
      image: print`${own.image.registry}/${own.image.name}:${own.image.tag}`,
      imagePullPolicy: own.image.pullPolicy || imagePullPolicy,
      securityContext: unprivileged(values.defaultUID, undefined),
      args: [
        '--extension',
        'jaeger',
        '--namespace',
        namespace,
        '--linkerd-namespace',
        unquoted(print`${linkerdNamespace}`),
      ],
    },
  });
}

const NAME = 'jaeger';
const METRICS_PORT = 14269;

const PORTS = [
  { name: 'collection', port: 14268 },
  { name: 'grpc', port: 14250 },
  { name: 'ui', port: 16686 },
];

/** Renders all of Jaeger in one process, which keeps spans in memory, if enabled. */
function allInOne(values: JaegerView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.jaeger.enabled) return [];
  const selector = { component: NAME };
  return [
    serviceAccount(values, { name: NAME, namespace: context.namespace, labels: withCommonLabels(values, JAEGER) }),
    service(values, context, { name: NAME, selector, ports: PORTS }),
    deployment(values, context, {
      name: NAME,
      selector,
      podAnnotations: scrapedAt(METRICS_PORT),
      placement: values.jaeger,
      pod: { containers: [container(values)], dnsPolicy: 'ClusterFirst' },
    }),
  ];
}

function container(values: JaegerView): Container {
  const { args } = values.jaeger;
  return {
    name: NAME,
    ...confined(values, values.jaeger),
    ...(isEmpty(args) ? {} : { args }),
    ports: [
      { containerPort: METRICS_PORT, name: 'admin' },
      ...PORTS.map(({ name, port }) => ({ containerPort: port, name })),
    ],
  };
}

/** Maps that the templates always read. */
const MAPS = ['collector', 'jaeger', 'namespaceMetadata', 'namespaceMetadata.image', 'webhook', 'webhook.image'];

/**
 * Checks that the Jaeger extension can be rendered: reports values that the official chart refuses, and private keys
 * that would be in Git.
 *
 * @param values - all values of the chart, as for `renderJaeger`
 */
function checkJaegerRender(values: Values): readonly Problem[] {
  const given = withoutNulls(values);
  const view = jaegerView(given);
  const parts = (['collector', 'jaeger'] as const).filter((part) => view[part].enabled);
  const structure = [
    ...checkMissingMaps(given, [...MAPS, ...parts.map((part) => `${part}.image`)]),
    ...checkControlPlaneNamespace(view),
  ];
  if (structure.length > 0) return structure;
  return [
    ...checkMissingTexts(given, parts.includes('collector') ? ['collector.config'] : []),
    ...checkImageVersions(
      given,
      [],
      ['namespaceMetadata.image.tag', 'webhook.image.version', ...parts.map((part) => `${part}.image.version`)],
    ),
    ...checkNullLabels(values),
    ...checkServingCertificate('webhook', view.webhook),
    ...checkPodSecurityPolicy(given),
    ...checkPrivateKeys(given),
  ];
}
