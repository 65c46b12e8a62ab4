import type { Container, Probe, Volume, VolumeMount } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { applicationLabels } from '../../metadata/labels';
import { apiAccessMounts, apiAccessVolumes } from '../../pod/kube-api-access';
import { resources } from '../../pod/resources';
import { POD_SECURITY, unprivileged } from '../../pod/security-context';
import type { RenderContext } from '../../render-context';
import { namespacedComponent } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { deployment } from '../workload/deployment';
import { foreignImage } from '../workload/images';
import { podAnnotations } from '../workload/pod-annotations';
import { prometheusArguments } from './arguments';
import { CONFIG_MAP } from './config-map';
import { dataVolume, hasVolume } from './persistence';

const PORT = 9090;

/** `nobody`, as the image of Prometheus has it; its data belong to the group of that name. */
const NOBODY = 65534;

/** Viz' own Prometheus. */
export function prometheusDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const { prometheus: own } = values;
  const labels = namespacedComponent('prometheus', context.namespace);
  return deployment(values, context, {
    name: 'prometheus',
    replicas: 1,
    // Two at once cannot write to one volume.
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
      ...ruleMounts(values),
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

function ruleMounts({ prometheus }: VizView): readonly VolumeMount[] {
  return (prometheus.ruleConfigMapMounts ?? []).map(({ name = '', subPath = '' }) => configMount(name, subPath));
}

function configMount(name: string, subPath: string): VolumeMount {
  return { mountPath: `/etc/prometheus/${subPath}`, name, readOnly: true, subPath };
}
