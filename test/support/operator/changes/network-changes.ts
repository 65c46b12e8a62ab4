import { POD_WEBHOOK_PATH } from '#operator/api/webhooks/pod';
import { podReview } from '../../controller-runtime/webhook-client';
import { annotate, cniConfigMap, networkRef, redirection } from '../network-fixture';
import { askWebhook } from './ask-webhook';
import type { PrepareChange } from './change';

const ENABLED = { 'linkerd.io/multus': 'enabled' };

/** Enables Multus for a namespace; the operator creates its network. */
export const attaches: PrepareChange = async ({ cluster }) => {
  const namespace = await cluster.namespace('meshed');
  return {
    make: () => annotate(cluster, namespace, ENABLED),
    seen: async () => void (await cluster.get(networkRef(namespace))),
  };
};

/** Disables Multus for a namespace; the operator deletes its network. */
export const detaches: PrepareChange = async ({ cluster }) => {
  const namespace = await cluster.namespace('meshed', { annotations: ENABLED });
  await cluster.eventually(() => cluster.get(networkRef(namespace)));
  return {
    make: () => annotate(cluster, namespace, { 'linkerd.io/multus': null }),
    seen: async () => expect(await cluster.find(networkRef(namespace))).toBeUndefined(),
  };
};

let configurations = 0;

/** Changes the configuration of the CNI plugin; the operator updates the networks. */
export const followsCniPlugin: PrepareChange = async ({ cluster, installation, controlPlane: { namespace } }) => {
  await cluster.eventually(() => cluster.get(networkRef(namespace)));
  configurations += 1;
  const linkerd = { 'proxy-uid': 2102 + configurations };
  return {
    make: async () => void (await cluster.apply(cniConfigMap(installation.cniNamespace, linkerd))),
    seen: async () => expect(await redirection(cluster, namespace)).toEqual(linkerd),
  };
};

/** Deletes a network; the operator creates it again. */
export const bringsNetworkBack: PrepareChange = async ({ cluster, controlPlane: { namespace } }) => {
  const network = await cluster.eventually(() => cluster.get(networkRef(namespace)));
  return {
    make: () => cluster.delete(network),
    seen: async () => expect((await cluster.get(network)).metadata.uid).not.toBe(network.metadata.uid),
  };
};

/** Requests admission of a pod in a namespace that the operator's cache lacks; the webhook answers. */
export const answersForNewNamespaces: PrepareChange = async (mesh) => {
  const ask = () => askWebhook(mesh, POD_WEBHOOK_PATH, podReview({ namespace: 'new' }));
  return {
    make: async () => void (await ask()),
    seen: async () => expect(await ask()).toMatchObject({ allowed: true }),
  };
};
