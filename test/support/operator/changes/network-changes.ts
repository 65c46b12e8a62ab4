import { POD_WEBHOOK_PATH } from '#operator/api/webhooks/pod';
import { podReview } from '../../controller-runtime/webhook-client';
import { annotate, cniConfigMap, networkRef, redirection } from '../network-fixture';
import { askWebhook } from './ask-webhook';
import type { PrepareChange } from './change';

const ENABLED = { 'linkerd.io/multus': 'enabled' };

/** A namespace that wants to attach. */
export const attaches: PrepareChange = async ({ cluster }) => {
  const namespace = await cluster.namespace('meshed');
  return {
    make: () => annotate(cluster, namespace, ENABLED),
    seen: async () => void (await cluster.get(networkRef(namespace))),
  };
};

/** A namespace that wants to attach no longer. */
export const detaches: PrepareChange = async ({ cluster }) => {
  const namespace = await cluster.namespace('meshed', { annotations: ENABLED });
  await cluster.eventually(() => cluster.get(networkRef(namespace)));
  return {
    make: () => annotate(cluster, namespace, { 'linkerd.io/multus': null }),
    seen: async () => expect(await cluster.find(networkRef(namespace))).toBeUndefined(),
  };
};

let configurations = 0;

/** Another configuration of the CNI plugin. */
export const followsCniPlugin: PrepareChange = async ({ cluster, installation, controlPlane: { namespace } }) => {
  await cluster.eventually(() => cluster.get(networkRef(namespace)));
  configurations += 1;
  const linkerd = { 'proxy-uid': 2102 + configurations };
  return {
    make: async () => void (await cluster.apply(cniConfigMap(installation.cniNamespace, linkerd))),
    seen: async () => expect(await redirection(cluster, namespace)).toEqual(linkerd),
  };
};

/** Somebody deletes a network. */
export const bringsNetworkBack: PrepareChange = async ({ cluster, controlPlane: { namespace } }) => {
  const network = await cluster.eventually(() => cluster.get(networkRef(namespace)));
  return {
    make: () => cluster.delete(network),
    seen: async () => expect((await cluster.get(network)).metadata.uid).not.toBe(network.metadata.uid),
  };
};

/** A pod in a namespace that is so new that only the API server knows it, if anybody does. */
export const answersForNewNamespaces: PrepareChange = async (mesh) => {
  const ask = () => askWebhook(mesh, POD_WEBHOOK_PATH, podReview({ namespace: 'new' }));
  return {
    make: async () => void (await ask()),
    seen: async () => expect(await ask()).toMatchObject({ allowed: true }),
  };
};
