import type { Container } from '../../../../../imports/kubernetes';
import type { KubernetesObject } from '../../../../kubernetes/kubernetes-object';
import { PROXY_WAIT_BEFORE_EXIT_SECONDS } from '../../../annotations';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { CERTIFICATE_MOUNT, certificateVolume } from '../../pod/serving-certificate';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import type { JaegerView } from '../jaeger-view';
import { component } from '../metadata';
import { confined } from '../workload/container';
import { deployment } from '../workload/deployment';

const NAME = 'jaeger-injector';
const ADMIN_PORT = 9995;

/** The webhook that tells proxies where spans go. */
export function injectorDeployment(values: JaegerView, context: RenderContext): KubernetesObject {
  const { webhook } = values;
  return deployment(values, context, {
    name: NAME,
    labels: { 'app.kubernetes.io/version': webhook.image.version ?? '' },
    selector: component(NAME),
    podAnnotations: { [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0' },
    placement: webhook,
    pod: { containers: [container(values)], volumes: [certificateVolume(NAME)] },
  });
}

function container(values: JaegerView): Container {
  const { clusterDomain, linkerdNamespace, webhook } = values;
  return {
    name: NAME,
    ...confined(values, webhook),
    args: [
      print`-collector-svc-addr=${webhook.collectorSvcAddr}`,
      print`-collector-svc-account=${webhook.collectorSvcAccount}`,
      print`-log-level=${webhook.logLevel}`,
      print`-cluster-domain=${clusterDomain}`,
      print`-linkerd-namespace=${linkerdNamespace}`,
      // It can serve profiles of itself, but the chart has no value for it.
      '-enable-pprof=false',
    ],
    ports: [
      { containerPort: 8443, name: NAME },
      { containerPort: ADMIN_PORT, name: 'admin-http' },
    ],
    livenessProbe: livenessProbe({}, ADMIN_PORT),
    readinessProbe: readinessProbe({}, ADMIN_PORT),
    volumeMounts: [CERTIFICATE_MOUNT],
  };
}
