import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { schemaAddress } from '#kubernetes/schemas/schema-store';

const labels = { app: 'sample' };
const selector = { matchLabels: labels };

const container = {
  name: 'main',
  image: 'example.com/image:1',
  args: ['--verbose'],
  env: [
    { name: 'LEVEL', value: 'info' },
    { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
  ],
  envFrom: [{ configMapRef: { name: 'settings' } }],
  ports: [
    { name: 'http', containerPort: 8080 },
    { name: 'admin', containerPort: 9990, protocol: 'TCP' },
  ],
  livenessProbe: { httpGet: { path: '/live', port: 'admin' }, initialDelaySeconds: 10 },
  readinessProbe: { httpGet: { path: '/ready', port: 9990 }, failureThreshold: 7 },
  lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
  resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { cpu: '1', memory: '128Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    readOnlyRootFilesystem: true,
    runAsNonRoot: true,
    runAsUser: 2103,
    seccompProfile: { type: 'RuntimeDefault' },
  },
  volumeMounts: [{ name: 'identity', mountPath: '/var/run/identity' }],
};

const podSpec = {
  serviceAccountName: 'sample',
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  tolerations: [{ key: 'dedicated', operator: 'Equal', value: 'mesh', effect: 'NoSchedule' }],
  priorityClassName: 'high',
  securityContext: { fsGroup: 2102, seccompProfile: { type: 'RuntimeDefault' } },
  affinity: {
    podAntiAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        { weight: 100, podAffinityTerm: { labelSelector: selector, topologyKey: 'topology.kubernetes.io/zone' } },
      ],
    },
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] }],
      },
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: selector },
  ],
  initContainers: [{ name: 'init', image: 'example.com/init:1', resources: { limits: { memory: '10Mi' } } }],
  containers: [container],
  volumes: [
    { name: 'identity', emptyDir: { medium: 'Memory' } },
    { name: 'config', configMap: { name: 'settings', items: [{ key: 'a', path: 'a' }] } },
    { name: 'tls', secret: { secretName: 'tls', defaultMode: 420 } },
    {
      name: 'token',
      projected: { sources: [{ serviceAccountToken: { path: 'token', audience: 'x', expirationSeconds: 3600 } }] },
    },
  ],
};

const template = { metadata: { labels, annotations: { 'linkerd.io/inject': 'enabled' } }, spec: podSpec };

function sample(apiVersion: string, kind: string, rest: object, name = 'sample'): KubernetesObject {
  return { apiVersion, kind, metadata: { name, labels, annotations: { note: 'x' } }, ...rest };
}

const webhooks = [
  {
    name: 'injector.example.com',
    admissionReviewVersions: ['v1'],
    sideEffects: 'None',
    timeoutSeconds: 10,
    failurePolicy: 'Ignore',
    clientConfig: { service: { name: 'injector', namespace: 'linkerd', path: '/' } },
    namespaceSelector: { matchExpressions: [{ key: 'skip', operator: 'DoesNotExist' }] },
    rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods', 'services'] }],
  },
];

const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'sample' };
const subjects = [{ kind: 'ServiceAccount', name: 'sample', namespace: 'linkerd' }];

/** One valid object of each kind of Kubernetes that the library emits or accepts, with its usual fields. */
export const BUILT_IN_SAMPLES: readonly KubernetesObject[] = [
  sample('apps/v1', 'Deployment', {
    spec: {
      replicas: 3,
      revisionHistoryLimit: 10,
      selector,
      strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: '25%' } },
      template,
    },
  }),
  sample('apps/v1', 'DaemonSet', {
    spec: { selector, updateStrategy: { rollingUpdate: { maxUnavailable: 1 } }, template },
  }),
  sample('apps/v1', 'StatefulSet', { spec: { serviceName: 'sample', selector, template } }),
  sample('batch/v1', 'CronJob', {
    spec: {
      schedule: '0 0 * * *',
      concurrencyPolicy: 'Replace',
      successfulJobsHistoryLimit: 0,
      jobTemplate: { spec: { template: { ...template, spec: { ...podSpec, restartPolicy: 'Never' } } } },
    },
  }),
  sample('batch/v1', 'Job', {
    spec: { backoffLimit: 3, template: { ...template, spec: { ...podSpec, restartPolicy: 'OnFailure' } } },
  }),
  sample('v1', 'Service', {
    spec: {
      selector: labels,
      ports: [
        { name: 'http', port: 80, targetPort: 8080 },
        { name: 'admin', port: 9990, targetPort: 'admin' },
      ],
    },
  }),
  sample('v1', 'Service', {
    spec: {
      selector: labels,
      ports: [{ port: 80 }],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 600 } },
    },
  }),
  sample('v1', 'ConfigMap', { data: { values: 'a: 1' } }),
  sample('v1', 'Secret', { type: 'Opaque', data: { key: 'YQ==' }, stringData: { other: 'b' } }),
  sample('v1', 'ServiceAccount', { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'pull' }] }),
  sample('v1', 'Namespace', {}, 'sample-namespace'),
  sample('policy/v1', 'PodDisruptionBudget', { spec: { maxUnavailable: 1, selector } }),
  sample('networking.k8s.io/v1', 'NetworkPolicy', {
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress'],
      ingress: [
        {
          ports: [{ port: 8443, protocol: 'TCP' }],
          from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }, { podSelector: selector }],
        },
      ],
    },
  }),
  sample('networking.k8s.io/v1', 'Ingress', {
    spec: {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['viz.example.com'], secretName: 'viz-tls' }],
      rules: [
        {
          host: 'viz.example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'web', port: { number: 8084 } } } }],
          },
        },
      ],
    },
  }),
  sample('rbac.authorization.k8s.io/v1', 'Role', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'], resourceNames: ['a'] }],
  }),
  sample('rbac.authorization.k8s.io/v1', 'ClusterRole', {
    rules: [
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
      { nonResourceURLs: ['/healthz'], verbs: ['get'] },
    ],
  }),
  sample('rbac.authorization.k8s.io/v1', 'RoleBinding', { roleRef, subjects }),
  sample('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', { roleRef, subjects }),
  sample('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', { webhooks }),
  sample('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', { webhooks }),
  sample('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', {
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { resourceRules: webhooks[0]?.rules, namespaceSelector: selector },
      variables: [{ name: 'team', expression: "'a'" }],
      validations: [{ expression: "object.metadata.name != 'x'", message: 'no', reason: 'Forbidden' }],
    },
  }),
  sample('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', {
    spec: { policyName: 'sample', validationActions: ['Deny'], matchResources: { namespaceSelector: selector } },
  }),
  sample(
    'apiregistration.k8s.io/v1',
    'APIService',
    {
      spec: {
        group: 'tap.example.com',
        version: 'v1',
        groupPriorityMinimum: 1000,
        versionPriority: 100,
        service: { name: 'tap', namespace: 'linkerd-viz' },
      },
    },
    'v1.tap.example.com',
  ),
];

/** Valid values of definitions that need more than the required fields. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  AdmissionregistrationServiceReference: { name: 'a', namespace: 'b' },
  AdmissionregistrationWebhookClientConfig: { url: 'https://example.com/hook' },
  AppArmorProfile: { type: 'RuntimeDefault' },
  AuditAnnotation: { key: 'a', valueExpression: "'a'" },
  Container: { name: 'extra', image: 'example.com/extra:1' },
  ContainerResizePolicy: { resourceName: 'cpu', restartPolicy: 'NotRequired' },
  ContainerPort: { containerPort: 1234 },
  DownwardAPIVolumeFile: { path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } },
  DownwardAPIProjection: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] },
  EnvFromSource: { secretRef: { name: 'a' } },
  EnvVarSource: { secretKeyRef: { name: 'a', key: 'b' } },
  ExecAction: { command: ['true'] },
  HTTPGetAction: { path: '/', port: 80 },
  HTTPIngressPath: { pathType: 'Prefix', path: '/a', backend: { service: { name: 'web', port: { name: 'http' } } } },
  HTTPIngressRuleValue: {
    paths: [{ pathType: 'Exact', path: '/a', backend: { service: { name: 'web', port: { number: 1 } } } }],
  },
  IPBlock: { cidr: '192.168.0.0/16' },
  IngressBackend: { service: { name: 'web', port: { number: 80 } } },
  IngressServiceBackend: { name: 'web', port: { number: 80 } },
  ConfigMapEnvSource: { name: 'a' },
  SecretEnvSource: { name: 'a' },
  ConfigMapKeySelector: { name: 'a', key: 'b' },
  SecretKeySelector: { name: 'a', key: 'b' },
  ConfigMapProjection: { name: 'a' },
  SecretProjection: { name: 'a' },
  ConfigMapVolumeSource: { name: 'a' },
  SecretVolumeSource: { secretName: 'a' },
  HostAlias: { ip: '10.0.0.1', hostnames: ['a'] },
  LabelSelector: { matchLabels: { a: 'b' } },
  LabelSelectorRequirement: { key: 'a', operator: 'Exists' },
  LifecycleHandler: { exec: { command: ['true'] } },
  MatchCondition: { name: 'a', expression: 'true' },
  MatchResources: { namespaceSelector: { matchLabels: { a: 'b' } } },
  NamedRuleWithOperations: { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
  RuleWithOperations: { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] },
  NetworkPolicyPeer: { podSelector: {} },
  NetworkPolicyPort: { port: 80 },
  NodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'Exists' }] }] },
  NodeSelectorRequirement: { key: 'a', operator: 'In', values: ['b'] },
  ObjectFieldSelector: { fieldPath: 'metadata.name' },
  ParamKind: { apiVersion: 'v1', kind: 'ConfigMap' },
  ParamRef: { name: 'a', parameterNotFoundAction: 'Deny' },
  PodAffinityTerm: { topologyKey: 'zone', labelSelector: { matchLabels: { a: 'b' } } },
  PodReadinessGate: { conditionType: 'example.com/a' },
  PodResourceClaim: { name: 'a', resourceClaimName: 'b' },
  PodSchedulingGate: { name: 'example.com/a' },
  PolicyRule: { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  PreferredSchedulingTerm: { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
  Probe: { httpGet: { path: '/', port: 80 } },
  RbacSubject: { kind: 'Group', name: 'a', apiGroup: 'rbac.authorization.k8s.io' },
  ResourceFieldSelector: { containerName: 'main', resource: 'limits.cpu' },
  InlinePersistentVolumeClaim: {
    metadata: { name: 'data' },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  PersistentVolumeClaimSpec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  PersistentVolumeClaimTemplate: {
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  },
  EphemeralVolumeSource: {
    volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
  },
  PodFailurePolicyRule: { action: 'Ignore', onExitCodes: { operator: 'In', values: [1] } },
  SELinuxOptions: { level: 's0' },
  SeccompProfile: { type: 'RuntimeDefault' },
  ServiceAccountTokenProjection: { path: 'x' },
  ServiceBackendPort: { number: 80 },
  ServicePort: { name: 'extra', port: 1234 },
  Sysctl: { name: 'net.core.somaxconn', value: '1' },
  TCPSocketAction: { port: 80 },
  Toleration: { key: 'a', operator: 'Exists', effect: 'NoExecute' },
  TopologySpreadConstraint: { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'ScheduleAnyway', labelSelector: {} },
  TypedLocalObjectReference: { kind: 'A', name: 'b' },
  Validation: { expression: 'true' },
  Variable: { name: 'a', expression: 'true' },
  Volume: { name: 'extra', emptyDir: {} },
  VolumeMount: { name: 'config', mountPath: '/extra' },
  VolumeProjection: { secret: { name: 'a' } },
  WeightedPodAffinityTerm: { weight: 1, podAffinityTerm: { topologyKey: 'zone', labelSelector: {} } },
};

const DIST = join(__dirname, '../../../../dist');

/** Returns one custom resource of each kind and version in the output. */
export function customSamples(): readonly KubernetesObject[] {
  const found = new Map<string, KubernetesObject>();
  for (const file of readdirSync(DIST, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!file.endsWith('.yaml') || ['Chart.yaml', 'values.yaml', '.argocd-source.yaml'].includes(basename(file)))
      continue;
    const object: KubernetesObject = parse(readFileSync(join(DIST, file), 'utf8'));
    const type = `${object.apiVersion}/${object.kind}`;
    if (!found.has(type) && schemaAddress(type)?.startsWith('crds/')) found.set(type, object);
  }
  return [...found.values()];
}
