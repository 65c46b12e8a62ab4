import type { Informer, InformerOptions } from '#controller-runtime/cache/informer';
import { isApiError } from '#controller-runtime/client/api-error';
import type { ReconcileResult } from '#controller-runtime/controller/controller';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Resource } from '#controller-runtime/objects/resource';
import type { Manager } from '#controller-runtime/process/manager';
import { MULTUS } from '#linkerd/annotations';
import { EMITTED_NETWORK, LINKERD_NETWORK } from '../../api/multus/network-attachment';
import type { MeshNamespaces } from '../../api/multus/unattached-namespaces';
import { FIELD_MANAGER, MANAGED_BY_LABEL } from '../../api/names';
import { CNI_CONFIG_MAP, type CniConfigMap, readCniConfig } from './cni-config';
import { type NetworkPlan, type NetworkWrite, type ObservedNamespace, planNetwork } from './network-plan';

const CONCURRENCY = 16;

const RETRY_AFTER_CONFLICT_MS = 200;

/** Milliseconds to wait after a namespace, or Multus' CRD, is gone: no event announces when it is served again. */
const RETRY_AFTER_NOT_FOUND_MS = 10_000;

/** Settings of the controller of networks. */
export interface NetworkSettings extends MeshNamespaces {
  /** Namespaces to manage in addition to the control plane's. Empty: all. */
  readonly workloadNamespaces?: readonly string[];
  /** Path of the plugin's kubeconfig on the hosts. Default: where the installer writes it. */
  readonly cniKubeconfig?: string;
}

/**
 * Adds the controller that creates the network linkerd-cni in exactly the namespaces that need it. One key per
 * namespace.
 */
export function addNetworkController(
  manager: Manager,
  namespaces: Informer<KubeObject>,
  settings: NetworkSettings,
): void {
  const { cniNamespace, cniKubeconfig } = settings;
  // Multus installs its CRD, possibly later.
  const networks = manager.informer<NetworkAttachment>(NETWORK_CACHE, 'optional');
  const configMaps = manager.informer<CniConfigMap>({
    resource: CONFIG_MAPS,
    namespace: cniNamespace,
    fieldSelector: `metadata.name=${CNI_CONFIG_MAP}`,
  });
  const reconcile = async (name: string, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const namespace = namespaces.get(name);
    if (namespace === undefined || !isWithin(name, settings)) return undefined;
    const network = networks.get(networkKey(name));
    const cniConfig = readCniConfig(configMaps.get(`${cniNamespace}/${CNI_CONFIG_MAP}`), cniKubeconfig);
    const plan = planNetwork(observe(namespace, network), cniConfig, settings);
    return carryOut(plan, { manager, namespace, network, signal });
  };

  const controller = manager.controller({ name: 'multus', concurrency: CONCURRENCY, reconcile });
  controller.watch(namespaces);
  controller.watch(networks, ({ metadata }) => (metadata.namespace === undefined ? [] : [metadata.namespace]));
  controller.watch(configMaps, () => namespaces.list().map(({ metadata }) => metadata.name));
}

function isWithin(name: string, { workloadNamespaces = [], linkerdNamespace }: NetworkSettings): boolean {
  return workloadNamespaces.length === 0 || name === linkerdNamespace || workloadNamespaces.includes(name);
}

function observe({ metadata }: KubeObject, network: NetworkAttachment | undefined): ObservedNamespace {
  return {
    name: metadata.name,
    multus: metadata.annotations?.[MULTUS],
    isTerminating: metadata.deletionTimestamp !== undefined,
    network: network && {
      isOurs: isOurs(network),
      isEmitted: isEmitted(network),
      isTerminating: network.metadata.deletionTimestamp !== undefined,
      config: network.spec?.config ?? '',
    },
  };
}

interface Subject {
  readonly manager: Manager;
  readonly namespace: KubeObject;
  readonly network: NetworkAttachment | undefined;
  readonly signal: AbortSignal;
}

async function carryOut(plan: NetworkPlan, subject: Subject): Promise<ReconcileResult | undefined> {
  const { events } = subject.manager;
  switch (plan.action) {
    case 'none':
      return undefined;
    case 'wait':
      events.record({ regarding: subject.namespace, type: 'Warning', reason: 'NoCniConfig', note: plan.why });
      return undefined;
    case 'leave':
      if (subject.network) events.record({ regarding: subject.network, ...FOREIGN });
      return undefined;
    default:
      return write(plan, subject);
  }
}

const FOREIGN = {
  type: 'Warning',
  reason: 'ForeignNetwork',
  note:
    'This network differs from the configuration of linkerd-cni. The operator did not create it, and leaves it unchanged. ' +
    'Delete it to have the operator create it again.',
} as const;

const WRITTEN = { create: 'network created', update: 'network updated', delete: 'network deleted' } as const;

async function write(plan: NetworkWrite, subject: Subject): Promise<ReconcileResult | undefined> {
  const { log } = subject.manager;
  const { name } = subject.namespace.metadata;
  try {
    await send(plan, subject);
    log.info(WRITTEN[plan.action], { namespace: name });
    return undefined;
  } catch (error) {
    // Another writer was faster than the cache, which will show the result.
    if (isApiError(error, 409)) return { requeueAfterMs: RETRY_AFTER_CONFLICT_MS };
    if (isApiError(error, 404)) {
      log.warn('cannot write the network yet, retrying', { namespace: name, error });
      return { requeueAfterMs: RETRY_AFTER_NOT_FOUND_MS };
    }
    throw error;
  }
}

/** Fails with a conflict if the network has changed since it was planned. */
async function send(plan: NetworkWrite, { manager, namespace, network, signal }: Subject): Promise<void> {
  const { client } = manager;
  const { name } = namespace.metadata;
  const { uid, resourceVersion } = network?.metadata ?? {};
  switch (plan.action) {
    case 'create':
      await client.create(NETWORK_ATTACHMENTS, newNetwork(name, plan.config), { signal });
      break;
    case 'update': {
      const body = { metadata: { uid, resourceVersion }, spec: { config: plan.config } };
      await client.patch(NETWORK_ATTACHMENTS, networkKey(name), { type: 'merge', body }, { signal });
      break;
    }
    case 'delete':
      await client.delete(NETWORK_ATTACHMENTS, networkKey(name), { preconditions: { uid, resourceVersion }, signal });
  }
}

const NETWORK_ATTACHMENTS: Resource = {
  apiVersion: 'k8s.cni.cncf.io/v1',
  kind: 'NetworkAttachmentDefinition',
  plural: 'network-attachment-definitions',
  namespaced: true,
};

interface NetworkAttachment extends KubeObject {
  readonly spec?: { readonly config?: string };
}

/** The linkerd-cni networks of all namespaces, including those that the operator did not create. */
const NETWORK_CACHE: InformerOptions<NetworkAttachment> = {
  resource: NETWORK_ATTACHMENTS,
  fieldSelector: `metadata.name=${LINKERD_NETWORK}`,
  transform: ({ apiVersion, kind, metadata, spec }) => {
    const { name, namespace, uid, resourceVersion, deletionTimestamp, labels } = metadata;
    return {
      apiVersion,
      kind,
      metadata: { name, namespace, uid, resourceVersion, deletionTimestamp, labels },
      spec: { config: spec?.config },
    };
  },
};

/** Whether the operator created a network, and may change and delete it. */
function isOurs({ metadata }: NetworkAttachment): boolean {
  return metadata.labels?.[MANAGED_BY_LABEL] === FIELD_MANAGER;
}

/** Whether MultusAttach emitted it: Git decides its content, and the namespace's annotation whether it should exist. */
function isEmitted({ metadata }: NetworkAttachment): boolean {
  return metadata.labels?.[MANAGED_BY_LABEL] === EMITTED_NETWORK;
}

function newNetwork(namespace: string, config: string): NetworkAttachment {
  return {
    metadata: { name: LINKERD_NETWORK, namespace, labels: { [MANAGED_BY_LABEL]: FIELD_MANAGER } },
    spec: { config },
  };
}

function networkKey(namespace: string): string {
  return `${namespace}/${LINKERD_NETWORK}`;
}
