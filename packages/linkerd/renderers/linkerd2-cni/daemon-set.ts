import type { Container, DaemonSet, NodeAffinity, PodSpec, Volume } from '#imports/kubernetes';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { CNI_RESOURCE, INJECT } from '../../annotations';
import type { RenderContext } from '../../charts/render-context';
import { isEmpty } from '../empty';
import { envFromField } from '../pod/environment';
import { resources } from '../pod/resources';
import { POD_SECURITY } from '../pod/security-context';
import { print, unquoted } from '../print';
import type { CniView } from './cni-view';
import { creator, labels, NAME } from './metadata';
import { envFromConfig } from './network-config';

type DaemonSetSpec = NonNullable<DaemonSet['spec']>;

const POD = { 'k8s-app': NAME };

/** Renders the DaemonSet of the plugin. */
export function cniDaemonSet(values: CniView, { namespace }: RenderContext): KubernetesObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: NAME, namespace, labels: labels(values, POD), annotations: creator(values) },
    spec: {
      ...rollout(values),
      selector: { matchLabels: POD },
      template: {
        metadata: {
          labels: { ...POD, [CNI_RESOURCE]: 'true', ...values.podLabels },
          annotations: { ...creator(values), [INJECT]: 'disabled' },
        },
        spec: {
          ...placement(values),
          securityContext: POD_SECURITY,
          serviceAccountName: NAME,
          ...(isEmpty(values.extraInitContainers) ? {} : { initContainers: values.extraInitContainers }),
          containers: [installContainer(values), ...repairController(values)],
          volumes: installVolumes(values),
        },
      },
    },
  } satisfies DaemonSet;
}

function rollout(values: CniView): Pick<DaemonSetSpec, 'revisionHistoryLimit' | 'updateStrategy'> {
  if (!values.templates.rolloutChosen) {
    return { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } } };
  }
  const { revisionHistoryLimit, updateStrategy } = values;
  return { revisionHistoryLimit, updateStrategy: updateStrategy as DaemonSetSpec['updateStrategy'] };
}

function placement({ tolerations, nodeAffinity, priorityClassName }: CniView): Partial<PodSpec> {
  return {
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    ...(isEmpty(tolerations) ? {} : { tolerations }),
    ...(isEmpty(nodeAffinity) ? {} : { affinity: { nodeAffinity: nodeAffinity as NodeAffinity } }),
    ...(priorityClassName ? { priorityClassName: unquoted(priorityClassName) } : {}),
  };
}

const SCRATCH = 'linkerd-tmp-dir';

/** Renders the container that installs the plugin. When it stops, it removes the plugin and its configuration. */
function installContainer(values: CniView): Container {
  return {
    name: 'install-cni',
    ...cniImage(values),
    env: [
      envFromConfig('DEST_CNI_NET_DIR', 'dest_cni_net_dir'),
      envFromConfig('DEST_CNI_BIN_DIR', 'dest_cni_bin_dir'),
      envFromConfig('CNI_NETWORK_CONFIG', 'cni_network_config'),
      { name: 'SLEEP', value: 'true' },
    ],
    // Without the sleep, the container may stop before its cleanup finishes:
    // https://github.com/linkerd/linkerd2/issues/2355
    lifecycle: { preStop: { exec: { command: ['/bin/sh', '-c', 'kill -15 1; sleep 15s'] } } },
    volumeMounts: [
      ...nodeDirectories(values).map(({ name, path }) => ({ mountPath: `/host${path}`, name })),
      { mountPath: '/tmp', name: SCRATCH },
    ],
    securityContext: { readOnlyRootFilesystem: true, privileged: values.privileged },
    resources: resources(values.resources),
  };
}

function installVolumes(values: CniView): readonly Volume[] {
  return [
    ...nodeDirectories(values).map(({ name, path }) => ({ name, hostPath: { path: unquoted(path) } })),
    { name: SCRATCH, emptyDir: {} },
  ];
}

/** Returns the directories of plugins and of their configuration; one if they are the same. */
function nodeDirectories({
  destCNIBinDir = '',
  destCNINetDir = '',
}: CniView): readonly { readonly name: string; readonly path: string }[] {
  const configuration = { name: 'cni-net-dir', path: destCNINetDir };
  if (destCNIBinDir === destCNINetDir) return [configuration];
  return [{ name: 'cni-bin-dir', path: destCNIBinDir }, configuration];
}

function cniImage({ image }: CniView): Pick<Container, 'image' | 'imagePullPolicy'> {
  return { image: print`${image.name}:${image.version}`, imagePullPolicy: image.pullPolicy || undefined };
}

const ADMIN_PORT = 9990;

/**
 * Renders the container that deletes the pods of its node that the plugin missed, so that they restart with their
 * traffic redirected.
 */
function repairController(values: CniView): readonly Container[] {
  const { repairController: own } = values;
  if (!own.enabled) return [];
  return [
    {
      name: 'repair-controller',
      ...cniImage(values),
      // In the chart, this switch also controls the command, its arguments and the probes.
      ...(own.enableSecurityContext ? confined(values) : {}),
      resources: resources(hasOwnResources(values) ? own.resources : values.resources),
    },
  ];
}

function hasOwnResources({ templates }: CniView): boolean {
  return templates.repairController === 'own resources';
}

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
    args: [
      ...adminAddress(values),
      '--log-format',
      print`${own.logFormat}`,
      '--log-level',
      unquoted(print`${own.logLevel}`) ?? '',
    ],
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
