import type { Container } from '../../../../imports/kubernetes';
import { livenessProbe, readinessProbe } from '../../pod/probes';
import { resources } from '../../pod/resources';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';
import { controller } from '../pod/controller';
import { listenAddress } from '../proxy/listen-address';

const ADMIN_PORT = 'policy-admin';
const TLS_DIR = '/var/run/linkerd/tls';

/** The controller that tells proxies who may connect, and validates policies. */
export function policyContainer(values: ControlPlaneView, context: RenderContext): Container {
  const { policyController: own } = values;
  return controller(
    values,
    {
      name: 'policy',
      command: ['/linkerd-policy-controller'],
      args: policyArguments(values, context),
      livenessProbe: livenessProbe(own.livenessProbe, ADMIN_PORT, '/live'),
      readinessProbe: readinessProbe(own.readinessProbe, ADMIN_PORT),
      ports: [
        { containerPort: 8090, name: 'policy-grpc' },
        { containerPort: 9990, name: ADMIN_PORT },
        { containerPort: 9443, name: 'policy-https' },
      ],
      resources: resources(own.resources),
    },
    [{ mountPath: TLS_DIR, name: 'policy-tls', readOnly: true }],
  );
}

function policyArguments(values: ControlPlaneView, { namespace }: RenderContext): readonly string[] {
  const { policyController: own, disableIPv6 } = values;
  const probeNetworks = own.probeNetworks ?? [];
  return [
    `--admin-addr=${listenAddress(disableIPv6, 9990)}`,
    `--control-plane-namespace=${namespace}`,
    `--grpc-addr=${listenAddress(disableIPv6, 8090)}`,
    `--server-addr=${listenAddress(disableIPv6, 9443)}`,
    `--server-tls-key=${TLS_DIR}/tls.key`,
    `--server-tls-certs=${TLS_DIR}/tls.crt`,
    print`--cluster-networks=${values.clusterNetworks}`,
    `--identity-domain=${trustDomain(values)}`,
    print`--cluster-domain=${values.clusterDomain}`,
    print`--default-policy=${values.proxy.defaultInboundPolicy}`,
    `--log-level=${own.logLevel || 'linkerd=info,warn'}`,
    print`--log-format=${values.controllerLogFormat}`,
    print`--default-opaque-ports=${values.proxy.opaquePorts}`,
    print`--global-egress-network-namespace=${values.egress.globalEgressNetworkNamespace}`,
    ...(probeNetworks.length > 0 ? [`--probe-networks=${probeNetworks.join(',')}`] : []),
    ...(own.additionalArgs ?? []),
    ...(own.experimentalArgs ?? []),
  ];
}
