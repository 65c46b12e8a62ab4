import type { Informer } from '../../packages/controller-runtime/cache/informer';
import { loadConnection } from '../../packages/controller-runtime/client/kube-config';
import { createKubeClient } from '../../packages/controller-runtime/client/rest-client';
import type { KubeObject } from '../../packages/controller-runtime/objects/kube-object';
import type { Manager } from '../../packages/controller-runtime/process/manager';
import type { Server } from '../../packages/controller-runtime/server/server';
import { createWebhookServer } from '../../packages/controller-runtime/webhook/webhook-server';
import { FIELD_MANAGER } from '../api/names';
import type { TrustAnchorPart } from './anchor/setup';
import { trustAnchorRoutes } from './anchor/webhooks/routes';
import { linkerdConfigRoutes } from './config/webhooks/routes';
import { multusRoutes } from './multus/setup';
import type { RunOptions } from './run-options';

interface WebhooksOptions extends RunOptions {
  /** The cache of namespaces; undefined if pods are not attached through Multus. */
  readonly namespaces: Informer<KubeObject> | undefined;
  readonly trustAnchorPart: TrustAnchorPart | undefined;
}

/**
 * Creates the webhooks. They use separate connections to the API server: while the API server waits for a webhook's
 * answer, the webhook must not have to wait for requests from controllers.
 */
export function createWebhooks({ metrics, log }: Pick<Manager, 'metrics' | 'log'>, options: WebhooksOptions): Server {
  const { linkerdNamespace, webhookPort, webhookCertDir = '', webhookClientCa, namespaces, trustAnchorPart } = options;
  const clock = () => new Date();
  const client = createKubeClient(loadConnection(options), {
    fieldManager: FIELD_MANAGER,
    onResponse: metrics.restRequest,
  });
  return createWebhookServer({
    port: webhookPort,
    certDir: webhookCertDir,
    clientCaFile: webhookClientCa,
    routes: [
      ...linkerdConfigRoutes({ client, linkerdNamespace, clock }),
      ...(trustAnchorPart === undefined ? [] : trustAnchorRoutes({ ...options, ...trustAnchorPart, client, clock })),
      ...(namespaces === undefined ? [] : multusRoutes({ namespaces, client }, options)),
    ],
    log,
    metrics,
  });
}
