import type { Container } from '../../../imports/kubernetes';
import { envFromField } from '../pod/environment';
import { resources } from '../pod/resources';
import { print } from '../print';
import type { CniView } from './cni-view';
import { cniImage } from './image';

const ADMIN_PORT = { containerPort: 9990, name: 'repair-admin' };

/** Deletes the pods of its node that the plugin missed, so that they start again with their traffic redirected. */
export function repairController(values: CniView): readonly Container[] {
  const { repairController: own } = values;
  if (!own.enabled) return [];
  return [
    {
      name: 'repair-controller',
      ...cniImage(values),
      // The chart makes all of it depend on this switch, its command included.
      ...(own.enableSecurityContext ? confined(values) : {}),
      resources: resources(own.resources),
    },
  ];
}

function confined({ disableIPv6, repairController: own }: CniView): Partial<Container> {
  const address = disableIPv6 ? '0.0.0.0' : '[::]';
  const { containerPort, name: port } = ADMIN_PORT;
  return {
    env: [
      envFromField('LINKERD_CNI_REPAIR_CONTROLLER_NODE_NAME', 'spec.nodeName'),
      envFromField('LINKERD_CNI_REPAIR_CONTROLLER_POD_NAME', 'metadata.name'),
    ],
    command: ['/usr/lib/linkerd/linkerd-cni-repair-controller'],
    args: [
      '--admin-addr',
      `${address}:${containerPort}`,
      '--log-format',
      print`${own.logFormat}`,
      '--log-level',
      print`${own.logLevel}`,
    ],
    ports: [ADMIN_PORT],
    livenessProbe: { httpGet: { path: '/live', port } },
    readinessProbe: { failureThreshold: 7, httpGet: { path: '/ready', port }, initialDelaySeconds: 10 },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      privileged: false,
      readOnlyRootFilesystem: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}
