import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { applicationLabels } from '../../metadata/labels';
import { apiAccessMounts, apiAccessVolumes } from '../../pod/kube-api-access';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { namespacedComponent } from '../metadata/labels';
import type { VizView } from '../viz-view';
import { container } from '../workload/container';
import { componentAffinity, deployment } from '../workload/deployment';
import { logArguments, NO_PROFILES } from '../workload/logging';
import { podAnnotations, SAFE_TO_EVICT } from '../workload/pod-annotations';

/** The dashboard. */
export function webDeployment(values: VizView, context: RenderContext): KubernetesObject {
  const own = values.dashboard;
  const labels = namespacedComponent('web', context.namespace);
  return deployment(values, context, {
    name: 'web',
    replicas: own.replicas,
    labels: { ...applicationLabels('web', values.linkerdVersion), ...labels },
    selector: labels,
    podLabels: labels,
    podAnnotations: { ...podAnnotations(values, own.proxy), ...SAFE_TO_EVICT },
    placement: values,
    pod: {
      ...(values.templates.spreadsDashboard ? { affinity: componentAffinity(values, 'web') } : {}),
      containers: [
        container(values, own, {
          name: 'web',
          args: webArguments(values, context),
          ports: [{ containerPort: 8084, name: 'http' }],
          adminPort: 9994,
          volumeMounts: apiAccessMounts(values),
        }),
      ],
      volumes: apiAccessVolumes(values),
    },
  });
}

function webArguments(values: VizView, context: RenderContext): readonly string[] {
  const { clusterDomain, dashboard, grafana, jaegerUrl, linkerdNamespace } = values;
  return [
    print`-linkerd-metrics-api-addr=metrics-api.${context.namespace}.svc.${clusterDomain}:8085`,
    print`-cluster-domain=${clusterDomain}`,
    ...unlessEmpty('-grafana-addr', grafana.url),
    ...unlessEmpty('-grafana-external-addr', grafana.externalUrl),
    ...unlessEmpty('-grafana-prefix', grafana.uidPrefix),
    ...unlessEmpty('-jaeger-addr', jaegerUrl),
    print`-controller-namespace=${linkerdNamespace}`,
    ...logArguments(values, dashboard),
    `-enforced-host=${dashboard.enforcedHostRegexp || ownHosts(values, context)}`,
    NO_PROFILES,
  ];
}

function unlessEmpty(option: string, value: string | undefined): readonly string[] {
  return value ? [`${option}=${value}`] : [];
}

/** Names under which `linkerd viz dashboard` and pods reach the dashboard; others may be DNS rebinding. */
function ownHosts({ clusterDomain }: VizView, { namespace }: RenderContext): string {
  const [short, long] = [`web.${namespace}.svc`, print`web.${namespace}.svc.${clusterDomain}`].map((host) =>
    host.replaceAll('.', '\\.'),
  );
  return String.raw`^(localhost|127\.0\.0\.1|${long}|${short}|\[::1\])(:\d+)?$`;
}
