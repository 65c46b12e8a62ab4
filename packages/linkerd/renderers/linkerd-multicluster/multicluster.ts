import type { Values } from '#base/values';
import type { PolicyRule, Secret } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import type { NativeRenderer } from '../../charts/chart';
import type { RenderContext } from '../../charts/render-context';
import type { MulticlusterTemplates } from '../../releases/groups/multicluster';
import { creator } from '../metadata/created-by';
import { applicationLabels } from '../metadata/labels';
import { NAMESPACE_METADATA, namespaceMetadataObjects } from '../metadata/namespace-metadata';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes, tokenAutomount } from '../pod/kube-api-access';
import { unprivileged } from '../pod/security-context';
import { print, unquoted } from '../print';
import { adminPolicy } from './admin-policy';
import { gateway, gatewayPolicy, placement } from './gateway';
import { MULTICLUSTER_DIFFERENCES, MULTICLUSTER_REFUSALS } from './intended-differences';
import { labels, MULTICLUSTER } from './metadata';
import { linkController } from './mirror/link-controller';
import { controllerRole } from './mirror/link-rbac';
import { localMirror } from './mirror/local-mirror';
import { controllersOf, type MulticlusterView, multiclusterView } from './multicluster-view';
import { remoteAccounts } from './named-values';
import { checkMulticlusterRender } from './render-rules';

/** Returns the native renderer of linkerd-multicluster. */
export function multiclusterRenderer(templates: MulticlusterTemplates): NativeRenderer {
  return deepFreeze({
    check: checkMulticlusterRender,
    render: (values, context) => renderMulticluster(values, context, templates),
    intended: { differences: MULTICLUSTER_DIFFERENCES, refusals: MULTICLUSTER_REFUSALS, fixes: [] },
  });
}

/**
 * Renders all objects of the multi-cluster extension, equal to those of the official chart of a release except for
 * `intended-differences.ts`.
 *
 * @param values - all values of the chart: the user's merged over the chart's own; null removes a key. Check them with
 * `checkMulticlusterRender` first.
 */
function renderMulticluster(
  values: Values,
  context: RenderContext,
  templates: MulticlusterTemplates,
): readonly KubernetesObject[] {
  const view = multiclusterView(values, templates);
  return [
    controllerRole(view),
    ...controllersOf(view).flatMap((controller) => linkController(view, context, controller)),
    ...(view.gateway.enabled ? [...gateway(view, context), ...gatewayPolicy(view, context)] : []),
    ...localMirror(view, context),
    ...adminPolicy(view, context),
    ...remoteAccess(view, context),
    ...(view.createNamespaceMetadataJob ? namespaceMetadata(view, context) : []),
  ];
}

function namespaceMetadata(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { namespaceMetadata: own, gateway, linkerdNamespace = '' } = values;
  const application = { ...MULTICLUSTER, ...applicationLabels(NAMESPACE_METADATA, values.linkerdVersion) };
  return namespaceMetadataObjects({
    namespace,
    linkerdNamespace,
    prefix: 'mc',
    annotations: creator(values),
    labels: labels(values),
    jobLabels: labels(values, application),
    podLabels: { ...application, ...values.podLabels },
    serviceAccount: (metadata) => serviceAccount(values, metadata),
    pod: { ...placement(own), ...tokenAutomount(values), volumes: apiAccessVolumes(values) },
    container: {
      image: print`${own.image.registry}/${own.image.name}:${own.image.tag}`,
      imagePullPolicy: own.image.pullPolicy || values.imagePullPolicy,
      args: [
        '--extension',
        'multicluster',
        '--namespace',
        namespace,
        '--linkerd-namespace',
        unquoted(linkerdNamespace),
      ],
      // The chart has no user for this Job, so it runs as the user of the gateway.
      securityContext: unprivileged(gateway.UID, gateway.GID),
      volumeMounts: apiAccessMounts(values),
    },
  });
}

const READ = ['list', 'get', 'watch'];

const RULES: readonly PolicyRule[] = [
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: READ },
  { apiGroups: ['batch'], resources: ['jobs'], verbs: READ },
  { apiGroups: [''], resources: ['pods', 'endpoints', 'services'], verbs: READ },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: READ },
  { apiGroups: ['policy.linkerd.io'], resources: ['servers'], verbs: READ },
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['linkerd-config'] },
  { apiGroups: [''], resources: ['events'], verbs: ['create', 'patch'] },
];

/** Renders the accounts for other clusters. Kubernetes writes their tokens into the Secrets. */
function remoteAccess(values: MulticlusterView, { namespace }: RenderContext): readonly KubernetesObject[] {
  return remoteAccounts(values).flatMap((name) => {
    const metadata = { name, labels: labels(values), annotations: creator(values) };
    return [
      clusterRole(metadata, RULES),
      serviceAccount(values, { ...metadata, namespace }),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: {
          name: `${name}-token`,
          namespace,
          labels: labels(values),
          annotations: { 'kubernetes.io/service-account.name': name, ...creator(values) },
        },
        type: 'kubernetes.io/service-account-token',
      } satisfies Secret,
      clusterRoleBinding(metadata, name, [account(name, namespace)]),
    ];
  });
}
