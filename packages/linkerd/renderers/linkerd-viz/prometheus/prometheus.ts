import type {
  ConfigMap,
  Container,
  PersistentVolumeClaim,
  PersistentVolumeClaimSpec,
  Probe,
  Volume,
  VolumeMount,
} from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import type { RenderContext } from '#linkerd/charts/render-context';
import { isEmpty } from '../../empty';
import { creator } from '../../metadata/created-by';
import { applicationLabels, withCommonLabels } from '../../metadata/labels';
import { account, clusterRole, clusterRoleBinding } from '../../metadata/rbac';
import { serviceAccount } from '../../metadata/service-account';
import { apiAccessMounts, apiAccessVolumes } from '../../pod/kube-api-access';
import { resources } from '../../pod/resources';
import { POD_SECURITY, unprivileged } from '../../pod/security-context';
import { print } from '../../print';
import { component, namespacedComponent } from '../metadata';
import type { VizView } from '../viz-view';
import { deployment, foreignImage, podAnnotations, service } from '../workload';
import { prometheusConfig } from './config';

/** Renders Viz's own Prometheus without its policy, if enabled. */
export function prometheus(values: VizView, context: RenderContext): readonly KubernetesObject[] {
  if (!values.prometheus.enabled) return [];
  return [
    ...prometheusRbac(values, context),
    prometheusConfigMap(values, context),
    service(values, context, {
      name: 'prometheus',
      labels: withCommonLabels(values, namespacedComponent('prometheus', context.namespace)),
      ports: [{ name: values.templates.adminPort, port: 9090, targetPort: 9090 }],
    }),
    prometheusDeployment(values, context),
    ...volumeClaim(values, context),
  ];
}

const PORT = 9090;

/** The user `nobody` of the image of Prometheus, and the group of its data. */
const NOBODY = 65534;

function prometheusDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const { prometheus: own } = values;
  const labels = namespacedComponent('prometheus', context.namespace);
  return deployment(values, context, {
    name: 'prometheus',
    replicas: 1,
    // Two pods cannot write to one volume.
    strategy: hasVolume(own) ? { type: 'Recreate' } : undefined,
    labels: { ...applicationLabels('prometheus', values.linkerdVersion), ...labels },
    selector: labels,
    podLabels: labels,
    podAnnotations: podAnnotations(values, own.proxy, own.podAnnotations),
    placement: own,
    pod: {
      containers: [...(own.sidecarContainers ?? []), prometheusContainer(values)],
      securityContext: { ...POD_SECURITY, fsGroup: NOBODY },
      volumes: [
        ...ruleVolumes(values),
        dataVolume(own),
        { name: CONFIG_MAP, configMap: { name: CONFIG_MAP } },
        ...apiAccessVolumes(values),
      ],
    },
  });
}

function prometheusContainer(values: VizView): Container {
  const { prometheus: own } = values;
  return {
    name: 'prometheus',
    ...foreignImage(values, own.image),
    args: prometheusArguments(values),
    ports: [{ containerPort: PORT, name: values.templates.adminPort }],
    livenessProbe: probe('/-/healthy'),
    readinessProbe: probe('/-/ready'),
    resources: resources(own.resources),
    securityContext: unprivileged(NOBODY, NOBODY),
    volumeMounts: [
      ...(values.prometheus.ruleConfigMapMounts ?? []).map(({ name = '', subPath = '' }) => configMount(name, subPath)),
      { mountPath: '/data', name: 'data' },
      configMount(CONFIG_MAP, 'prometheus.yml'),
      ...apiAccessMounts(values),
    ],
  };
}

function probe(path: string): Probe {
  return { httpGet: { path, port: PORT }, initialDelaySeconds: 30, timeoutSeconds: 30 };
}

function ruleVolumes({ prometheus }: VizView): readonly Volume[] {
  return (prometheus.ruleConfigMapMounts ?? []).map(({ name = '', configMap }) => ({
    name,
    configMap: { name: configMap },
  }));
}

function configMount(name: string, subPath: string): VolumeMount {
  return { mountPath: `/etc/prometheus/${subPath}`, name, readOnly: true, subPath };
}

/** Returns the command line of Prometheus: the options in the values, and the log settings that these do not set. */
export function prometheusArguments(values: VizView): readonly string[] {
  const { args = {}, logLevel, logFormat } = values.prometheus;
  const given = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1));
  // Linkerd's format "plain" is "logfmt" in Prometheus.
  const format = (logFormat || values.defaultLogFormat)?.replaceAll('plain', 'logfmt');
  return [
    ...('log.level' in args ? [] : [print`--log.level=${logLevel || values.defaultLogLevel}`]),
    ...('log.format' in args ? [] : [print`--log.format=${format}`]),
    ...given.map(([option, value]) => (value ? `--${option}=${value}` : `--${option}`)),
  ];
}

const CLAIM = 'prometheus';

function hasVolume({ persistence }: VizView['prometheus']): boolean {
  return !isEmpty(persistence);
}

function dataVolume(values: VizView['prometheus']): Volume {
  return hasVolume(values)
    ? { name: 'data', persistentVolumeClaim: { claimName: CLAIM } }
    : { name: 'data', emptyDir: {} };
}

function volumeClaim(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const { persistence } = values.prometheus;
  if (persistence === undefined || !hasVolume(values.prometheus)) return [];
  const labels = { ...applicationLabels('prometheus', values.linkerdVersion), ...component('prometheus') };
  return [
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: CLAIM, namespace, labels: withCommonLabels(values, labels) },
      spec: {
        accessModes: [persistence.accessMode] as PersistentVolumeClaimSpec['accessModes'],
        resources: { requests: { storage: print`${persistence.size}` } },
        ...(persistence.storageClass ? { storageClassName: persistence.storageClass } : {}),
      },
    } satisfies PersistentVolumeClaim,
  ];
}

const CONFIG_MAP = 'prometheus-config';

function prometheusConfigMap(values: VizView, context: RenderContext): KubernetesObject {
  const { namespace } = context;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: CONFIG_MAP,
      namespace,
      labels: withCommonLabels(values, namespacedComponent('prometheus', namespace)),
      annotations: creator(values),
    },
    data: { 'prometheus.yml': prometheusConfig(values, context) },
  } satisfies ConfigMap;
}

/** Renders the permissions of Prometheus: find targets, and scrape nodes through the API server. */
function prometheusRbac(values: VizView, { namespace }: RenderContext): readonly KubernetesObject[] {
  const metadata = {
    name: `linkerd-${namespace}-prometheus`,
    labels: withCommonLabels(values, component('prometheus')),
  };
  const labels = withCommonLabels(values, namespacedComponent('prometheus', namespace));
  return [
    serviceAccount(values, { name: 'prometheus', namespace, labels }),
    clusterRole(metadata, [
      { apiGroups: [''], resources: ['nodes', 'nodes/proxy', 'pods'], verbs: ['get', 'list', 'watch'] },
    ]),
    clusterRoleBinding(metadata, metadata.name, [account('prometheus', namespace)]),
  ];
}
