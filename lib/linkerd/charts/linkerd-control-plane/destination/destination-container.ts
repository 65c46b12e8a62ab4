import type { Container } from '../../../../../imports/kubernetes';
import { isEmpty } from '../../empty';
import { addedEnvironment } from '../../pod/environment';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';
import { controller } from '../pod/controller';
import { portName } from '../pod/port-name';
import { tracingArguments } from '../workload/tracing-arguments';
import { compactJson } from './compact-json';

const ADMIN_PORT = 9996;

/** The controller that tells proxies where services are. */
export function destinationContainer(values: ControlPlaneView, { namespace }: RenderContext): Container {
  const { destinationController: own, templates } = values;
  const env = addedEnvironment(own);
  return controller(values, {
    name: 'destination',
    args: [
      'destination',
      '-addr=:8086',
      `-controller-namespace=${namespace}`,
      ...(templates.proxyBounds ? [print`-outbound-transport-mode=${values.proxy.outboundTransportMode}`] : []),
      print`-enable-h2-upgrade=${values.enableH2Upgrade}`,
      print`-log-level=${values.controllerLogLevel}`,
      print`-log-format=${values.controllerLogFormat}`,
      print`-enable-endpoint-slices=${values.enableEndpointSlices}`,
      print`-cluster-domain=${values.clusterDomain}`,
      `-identity-trust-domain=${trustDomain(values)}`,
      print`-default-opaque-ports=${values.proxy.opaquePorts}`,
      ...(templates.ipv6 ? [`-enable-ipv6=${!values.disableIPv6}`] : []),
      `-enable-pprof=${values.enablePprof ?? false}`,
      ...(isEmpty(own.meshedHttp2ClientProtobuf)
        ? []
        : [`--meshed-http2-client-params=${compactJson(own.meshedHttp2ClientProtobuf)}`]),
      ...(own.additionalArgs ?? []),
      ...(own.experimentalArgs ?? []),
      ...tracingArguments(values),
    ],
    ...(env.length > 0 ? { env } : {}),
    livenessProbe: livenessProbe(own.livenessProbe, ADMIN_PORT),
    readinessProbe: readinessProbe(own.readinessProbe, ADMIN_PORT),
    ports: [
      { containerPort: 8086, name: portName(values, 'dest-grpc') },
      { containerPort: ADMIN_PORT, name: portName(values, 'dest-admin') },
    ],
    resources: resources(values.destinationResources),
  });
}
