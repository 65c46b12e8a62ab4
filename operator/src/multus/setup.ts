import { POD_WEBHOOK_PATH } from '../../api/webhooks/pod';
import type { WebhookRoute } from '../runtime/admission';
import type { KubeObject } from '../runtime/kube-object';
import type { Manager } from '../runtime/manager';
import type { PodSettings } from './mutate-pod';
import { annotationsOf, namespaceCache } from './namespaces';
import { addNetworkController, type NetworkSettings } from './network-controller';
import { podWebhook } from './pod-webhook';

/** Flags of the part that attaches pods to linkerd-cni by Multus. */
export interface MultusSettings extends PodSettings, NetworkSettings {}

/** Adds the controller of the networks, and gives the webhook that attaches pods to them. */
export function setUpMultus(manager: Manager, settings: MultusSettings): readonly WebhookRoute[] {
  const namespaces = manager.informer<KubeObject>(namespaceCache(settings.namespaceUidRangeAnnotation));
  addNetworkController(manager, namespaces, settings);
  return [{ path: POD_WEBHOOK_PATH, handle: podWebhook(annotationsOf(namespaces, manager.client), settings) }];
}
