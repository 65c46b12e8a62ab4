import { POD_WEBHOOK_PATH } from '../../api/webhooks/pod';
import type { InformerPool } from '../runtime/cache/informer-pool';
import type { KubeClient } from '../runtime/client/kube-client';
import type { KubeObject } from '../runtime/objects/kube-object';
import type { Manager } from '../runtime/process/manager';
import type { WebhookRoute } from '../runtime/webhook/admission';
import type { PodSettings } from './mutate-pod';
import { annotationsOf, namespaceCache } from './namespaces';
import { addNetworkController, type NetworkSettings } from './network-controller';
import { podHandler } from './pod-webhook';

/** Flags of the part that attaches pods to linkerd-cni by Multus. */
export interface MultusSettings extends PodSettings, NetworkSettings {}

/** Adds the controller of the networks. */
export function setUpMultus(manager: Manager, settings: MultusSettings): void {
  const namespaces = manager.informer<KubeObject>(namespaceCache(settings.namespaceUidRangeAnnotation));
  addNetworkController(manager, namespaces, settings);
}

/** The webhook that attaches pods to the networks, with a cache of its own. */
export function multusRoutes(
  { caches, client }: { readonly caches: Pick<InformerPool, 'get'>; readonly client: KubeClient },
  settings: PodSettings,
): readonly WebhookRoute[] {
  const namespaces = caches.get<KubeObject>(namespaceCache(settings.namespaceUidRangeAnnotation));
  return [{ path: POD_WEBHOOK_PATH, handle: podHandler(annotationsOf(namespaces, client), settings) }];
}
