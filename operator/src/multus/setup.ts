import type { Informer } from '#controller-runtime/cache/informer';
import type { KubeClient } from '#controller-runtime/client/kube-client';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Manager } from '#controller-runtime/process/manager';
import type { WebhookRoute } from '#controller-runtime/webhook/admission';
import { POD_WEBHOOK_PATH } from '../../api/webhooks/pod';
import type { PodSettings } from './mutate-pod';
import { annotationsOf, namespaceCache } from './namespaces';
import { addNetworkController, type NetworkSettings } from './network-controller';
import { podHandler } from './pod-webhook';

/** Flags of the part that attaches pods to linkerd-cni through Multus. */
export interface MultusSettings extends PodSettings, NetworkSettings {}

/** Adds the controller of the networks. @returns its cache of namespaces */
export function setUpMultus(manager: Manager, settings: MultusSettings): Informer<KubeObject> {
  const namespaces = manager.informer<KubeObject>(namespaceCache(settings.namespaceUidRangeAnnotation));
  addNetworkController(manager, namespaces, settings);
  return namespaces;
}

/** Returns the webhook that attaches pods to the networks. */
export function multusRoutes(
  { namespaces, client }: { readonly namespaces: Informer<KubeObject>; readonly client: KubeClient },
  settings: PodSettings,
): readonly WebhookRoute[] {
  return [{ path: POD_WEBHOOK_PATH, handle: podHandler(annotationsOf(namespaces, client), settings) }];
}
