import type { Volume, VolumeMount } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { applicationLabels } from '../../metadata/labels';
import { apiAccessMounts, apiAccessVolumes } from '../../pod/kube-api-access';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { component } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { container } from '../workload/container';
import { componentAffinity, deployment } from '../workload/deployment';
import { logArguments, NO_PROFILES } from '../workload/logging';
import { podAnnotations, SAFE_TO_EVICT } from '../workload/pod-annotations';

const NAME = 'metrics-api';
const CREDENTIALS = 'prom-creds';
const CREDENTIALS_PATH = '/var/prometheus';
const CREDENTIALS_MOUNT: VolumeMount = { mountPath: CREDENTIALS_PATH, name: CREDENTIALS, readOnly: true };

/** The API that answers dashboard and CLI with what Prometheus knows. */
export function metricsApiDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const { metricsAPI: own, prometheusCredsSecret } = values;
  const credentials: Volume = { name: CREDENTIALS, secret: { secretName: prometheusCredsSecret } };
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
