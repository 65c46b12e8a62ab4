import type { Container } from '../../../../imports/kubernetes';
import { envFromField } from '../pod/environment';
import { resources } from '../pod/resources';
import { print } from '../print';
import type { CniView } from './cni-view';
import { cniImage } from './image';

const ADMIN_PORT = 9990;

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
      resources: resources(hasOwnResources(values) ? own.resources : values.resources),
    },
  ];
}

function hasOwnResources({ templates }: CniView): boolean {
  return templates.repairController === 'own resources';
}

/** Returns the arguments by which it serves its metrics and probes. */
function adminAddress({ templates, disableIPv6 }: CniView): readonly string[] {
  if (!templates.redirectionChosen) return [`--admin-addr=0.0.0.0:${ADMIN_PORT}`];
  return ['--admin-addr', `${disableIPv6 ? '0.0.0.0' : '[::]'}:${ADMIN_PORT}`];
}

function confined(values: CniView): Partial<Container> {
  const { repairController: own } = values;
  const port = hasOwnResources(values) ? 'repair-admin' : 'admin-http';
  return {
    env: [
      envFromField('LINKERD_CNI_REPAIR_CONTROLLER_NODE_NAME', 'spec.nodeName'),
      envFromField('LINKERD_CNI_REPAIR_CONTROLLER_POD_NAME', 'metadata.name'),
    ],
    command: ['/usr/lib/linkerd/linkerd-cni-repair-controller'],
    args: [...adminAddress(values), '--log-format', print`${own.logFormat}`, '--log-level', print`${own.logLevel}`],
    ports: [{ containerPort: ADMIN_PORT, name: port }],
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
