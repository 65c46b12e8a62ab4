import type { Container } from '../../../../../imports/kubernetes';
import { print } from '../../print';
import type { RenderContext } from '../../render-context';
import { trustDomain } from '../../trust-domain';
import type { ControlPlaneView } from '../control-plane-view';
import { controller } from '../pod/controller';
import { portName } from '../pod/port-name';
import { listenAddress } from '../proxy/listen-address';
import { policyProgram } from './policy-program';

const TLS_DIR = '/var/run/linkerd/tls';

/** The controller that tells proxies who may connect, and validates policies. */
export function policyContainer(values: ControlPlaneView, context: RenderContext): Container {
  const adminPort = portName(values, 'policy-admin');
  return controller(
    values,
    {
      name: 'policy',
      ...policyProgram(values, adminPort),
      args: policyArguments(values, context),
      ports: [
        { containerPort: 8090, name: portName(values, 'policy-grpc') },
        { containerPort: 9990, name: adminPort },
        { containerPort: 9443, name: 'policy-https' },
      ],
    },
    [{ mountPath: TLS_DIR, name: 'policy-tls', readOnly: true }],
  );
}

function policyArguments(values: ControlPlaneView, { namespace }: RenderContext): readonly string[] {
  const { policyController: own, disableIPv6, templates } = values;
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
    ...(templates.egressAndExternalWorkloads
      ? [print`--global-egress-network-namespace=${values.egress.globalEgressNetworkNamespace}`]
      : []),
    ...(probeNetworks.length > 0 ? [`--probe-networks=${probeNetworks.join(',')}`] : []),
    ...(own.additionalArgs ?? []),
    ...(own.experimentalArgs ?? []),
  ];
}
