import type { PolicyRule, Volume, VolumeMount } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '../../charts/render-context';
import { applicationLabels, withCommonLabels } from '../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../metadata/rbac';
import { serviceAccount } from '../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes } from '../pod/kube-api-access';
import { print, unquoted } from '../print';
import { component } from './metadata';
import type { VizView } from './viz-view';
import {
  componentAffinity,
  container,
  deployment,
  disruptionBudget,
  logArguments,
  NO_PROFILES,
  podAnnotations,
  SAFE_TO_EVICT,
  service,
} from './workload';

/** Renders metrics-api without its policy. */
export function metricsApi(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  const { replicas, service: ownService } = values.metricsAPI;
  return [
    ...metricsApiRbac(values, context),
    service(values, context, {
      name: 'metrics-api',
      labels: withCommonLabels(values, component('metrics-api')),
      annotations: ownService.annotations,
      ports: [{ name: 'http', port: 8085, targetPort: 8085 }],
    }),
    metricsApiDeployment(values, context),
    ...disruptionBudget(values, context, 'metrics-api', replicas),
  ];
}

const NAME = 'metrics-api';
const CREDENTIALS = 'prom-creds';
const CREDENTIALS_PATH = '/var/prometheus';
const CREDENTIALS_MOUNT: VolumeMount = { mountPath: CREDENTIALS_PATH, name: CREDENTIALS, readOnly: true };

function metricsApiDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const { metricsAPI: own, prometheusCredsSecret } = values;
  const credentials: Volume = { name: CREDENTIALS, secret: { secretName: unquoted(prometheusCredsSecret) } };
  return deployment(values, context, {
    name: NAME,
    replicas: own.replicas,
    labels: { ...applicationLabels(NAME, values.linkerdVersion), ...component(NAME) },
    selector: component(NAME),
    podLabels: component(NAME),
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: own,
    pod: {
      affinity: componentAffinity(values, NAME),
      containers: [
        container(values, own, {
          name: NAME,
          args: metricsApiArguments(values, context),
          ports: [{ containerPort: 8085, name: 'http' }],
          adminPort: 9995,
          volumeMounts: [...apiAccessMounts(values), ...(prometheusCredsSecret ? [CREDENTIALS_MOUNT] : [])],
        }),
      ],
      volumes: [...apiAccessVolumes(values), ...(prometheusCredsSecret ? [credentials] : [])],
    },
  });
}

function metricsApiArguments(values: VizView, { namespace }: RenderContext): readonly string[] {
  const embedded = print`http://prometheus.${namespace}.svc.${values.clusterDomain}:9090`;
  return [
    print`-controller-namespace=${values.linkerdNamespace}`,
    ...logArguments(values, values.metricsAPI),
    print`-cluster-domain=${values.clusterDomain}`,
    `-prometheus-url=${values.prometheusUrl || embedded}`,
    ...(values.prometheusCredsSecret
      ? [`-prometheus-user-file=${CREDENTIALS_PATH}/user`, `-prometheus-password-file=${CREDENTIALS_PATH}/password`]
      : []),
    NO_PROFILES,
  ];
}

const READ = ['list', 'get', 'watch'];

const RULES: readonly PolicyRule[] = [
  {
    apiGroups: ['extensions', 'apps'],
    resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
    verbs: READ,
  },
  { apiGroups: ['extensions', 'batch'], resources: ['cronjobs', 'jobs'], verbs: READ },
  {
    apiGroups: [''],
    resources: ['pods', 'endpoints', 'services', 'replicationcontrollers', 'namespaces'],
    verbs: READ,
  },
  { apiGroups: ['linkerd.io'], resources: ['serviceprofiles'], verbs: READ },
  {
    apiGroups: ['policy.linkerd.io'],
    resources: ['servers', 'serverauthorizations', 'authorizationpolicies', 'httproutes'],
    verbs: ['list', 'get'],
  },
];

/** Renders the permissions of metrics-api, which looks up the workloads of metrics. */
function metricsApiRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const labels = withCommonLabels(values, component('metrics-api'));
  const name = `linkerd-${namespace}-metrics-api`;
  return [
    serviceAccount(values, { name: 'metrics-api', namespace, labels }),
    clusterRole({ name, labels }, RULES),
    clusterRoleBinding({ name, labels }, name, [account('metrics-api', namespace)]),
  ];
}
