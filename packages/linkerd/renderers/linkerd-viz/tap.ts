import type { APIService, PolicyRule } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { applicationLabels, withCommonLabels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding, roleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes } from '../pod/kube-api-access';
import { CERTIFICATE_MOUNT, caInjection, certificateVolume, pinnedCa } from '../pod/serving-certificate';
import { print } from '../print';
import { trustDomain } from '../trust-domain';
import { component, namespacedComponent } from './metadata';
import type { VizView } from './viz-view';
import {
  componentAffinity,
  container,
  deployment,
  disruptionBudget,
  logArguments,
  NO_PROFILES,
  podAnnotations,
  rollout,
  SAFE_TO_EVICT,
  service,
} from './workload';

/** Renders tap without its policy. */
export function tap(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.tap;
  return [
    ...tapRbac(values, context),
    service(values, context, {
      name: 'tap',
      labels: withCommonLabels(values, namespacedComponent('tap', context.namespace)),
      annotations: ownService.annotations,
      ports: [
        { name: 'grpc', port: 8088, targetPort: 8088 },
        { name: 'apiserver', port: 443, targetPort: 'apiserver' },
      ],
    }),
    tapDeployment(values, context),
    tapApiService(values, context),
    ...disruptionBudget(values, context, 'tap', replicas),
  ];
}

function tapDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const own = values.tap;
  const labels = namespacedComponent('tap', context.namespace);
  return deployment(values, context, {
    name: 'tap',
    replicas: own.replicas,
    strategy: rollout(values),
    labels: { ...applicationLabels('tap', values.linkerdVersion), ...labels },
    selector: labels,
    podLabels: labels,
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: values,
    pod: {
      affinity: componentAffinity(values, 'tap'),
      containers: [
        container(values, own, {
          name: 'tap',
          args: tapArguments(values),
          ports: [
            { containerPort: 8088, name: 'grpc' },
            { containerPort: 8089, name: 'apiserver' },
          ],
          adminPort: 9998,
          volumeMounts: [CERTIFICATE_MOUNT, ...apiAccessMounts(values)],
        }),
      ],
      volumes: [certificateVolume('tap'), ...apiAccessVolumes(values)],
    },
  });
}

function tapArguments(values: VizView): readonly string[] {
  const { ignoreHeaders = [] } = values.tap;
  return [
    'api',
    print`-api-namespace=${values.linkerdNamespace}`,
    ...logArguments(values, values.tap),
    `-identity-trust-domain=${trustDomain(values)}`,
    NO_PROFILES,
    ...(isEmpty(ignoreHeaders) ? [] : [`-ignore-headers=${ignoreHeaders.join(',')}`]),
  ];
}

/** Renders the APIService of tap: the API server forwards its requests, so that Kubernetes' RBAC controls access. */
function tapApiService(values: VizView, { namespace }: RenderContext): KubernetesObject {
  const group = 'tap.linkerd.io';
  const version = 'v1alpha1';
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: {
      name: `${version}.${group}`,
      labels: withCommonLabels(values, component('tap')),
      ...caInjection(values.tap),
    },
    spec: {
      group,
      version,
      groupPriorityMinimum: 1000,
      versionPriority: 100,
      service: { name: 'tap', namespace },
      ...pinnedCa(values.tap),
    },
  } satisfies APIService;
}

const READ = ['list', 'get', 'watch'];

const TAP_RULES: readonly PolicyRule[] = [
  {
    apiGroups: [''],
    resources: ['pods', 'services', 'replicationcontrollers', 'namespaces', 'nodes'],
    verbs: READ,
  },
  {
    apiGroups: ['extensions', 'apps'],
    resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
    verbs: READ,
  },
  { apiGroups: ['extensions', 'batch'], resources: ['cronjobs', 'jobs'], verbs: READ },
];

const ADMIN_RULES: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces'], verbs: ['list'] },
  { apiGroups: ['tap.linkerd.io'], resources: ['*'], verbs: ['watch'] },
];

/** Returns the name of the ClusterRole for tapping everything. */
export function tapAdmin({ namespace }: RenderContext): string {
  return `linkerd-${namespace}-tap-admin`;
}

/** Returns tap's permissions to find pods and to authenticate clients, and a role for users of tap. */
function tapRbac(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { namespace } = context;
  const labels = withCommonLabels(values, component('tap'));
  const namespacedLabels = withCommonLabels(values, namespacedComponent('tap', namespace));
  const name = `linkerd-${namespace}-tap`;
  const tap = [account('tap', namespace)];
  return [
    serviceAccount(values, { name: 'tap', namespace, labels: namespacedLabels }),
    clusterRole({ name, labels }, TAP_RULES),
    clusterRole({ name: tapAdmin(context), labels }, ADMIN_RULES),
    clusterRoleBinding({ name, labels }, name, tap),
    clusterRoleBinding({ name: `${name}-auth-delegator`, labels }, 'system:auth-delegator', tap),
    roleBinding(
      { name: `${name}-auth-reader`, namespace: 'kube-system', labels: namespacedLabels },
      ['Role', 'extension-apiserver-authentication-reader'],
      tap,
    ),
  ];
}
