import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { issueCertificate } from './certificates';
import type { Client } from './client';
import { type KubeObject, ref } from './objects';

/** A server that replaces all webhooks of a mesh, and refuses connections until `begin`. */
export interface LateInjector {
  /** A copy of a webhook configuration with the address of this server. */
  addressed(configuration: KubeObject): KubeObject;
  /** Starts to answer: adds proxies to pods, and allows all requests. */
  begin(): void;
  stop(): Promise<void>;
}

interface Review {
  readonly request: { readonly uid: string; readonly namespace?: string; readonly object: KubeObject };
}

/** Starts the server. It reads the injection annotation of namespaces from the cluster. */
export async function startLateInjector(client: Client): Promise<LateInjector> {
  const ca = issueCertificate({ commonName: 'webhook CA', ca: true });
  const server = createServer(issueServerCertificate(ca), async (request, response) => {
    const { request: review } = JSON.parse(await text(request)) as Review;
    const patch = request.url?.startsWith('/linkerd-proxy-injector') ? await injection(client, review) : [];
    const answer = { uid: review.uid, allowed: true, ...(patch.length > 0 && encoded(patch)) };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
  let answers = false;
  server.on('connection', (socket) => {
    if (!answers) socket.destroy();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const caBundle = Buffer.from(ca.cert).toString('base64');
  return {
    addressed: (configuration) => {
      const url = `https://127.0.0.1:${port}/${configuration.metadata.name}`;
      const webhooks: readonly object[] = configuration.webhooks;
      return { ...configuration, webhooks: webhooks.map((one) => ({ ...one, clientConfig: { url, caBundle } })) };
    },
    begin: () => {
      answers = true;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function issueServerCertificate(issuer: ReturnType<typeof issueCertificate>) {
  return issueCertificate({ commonName: 'webhooks', issuer, ips: ['127.0.0.1'] });
}

function encoded(patch: readonly object[]) {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

/**
 * The patch that Linkerd's injector would return (linkerd2, pkg/inject/report.go), with a proxy that has only a name,
 * an image and security settings.
 */
async function injection(client: Client, { namespace, object }: Review['request']): Promise<readonly object[]> {
  if (object.kind !== 'Pod' || object.spec.hostNetwork === true) return [];
  const { metadata } = await client.get(ref('v1', 'Namespace', namespace ?? ''));
  const mode = object.metadata.annotations?.['linkerd.io/inject'] ?? metadata.annotations?.['linkerd.io/inject'];
  if (mode !== 'enabled' && mode !== 'ingress') return [];
  const others: readonly object[] = object.spec.initContainers ?? [];
  const proxy = { name: 'linkerd-proxy', image: 'example.com/proxy:1', restartPolicy: 'Always', ...confined };
  return [{ op: 'add', path: '/spec/initContainers', value: [...others, proxy] }];
}

/** The settings that the mesh's namespaces require of each container where the CNI plugin redirects traffic. */
const confined = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    runAsUser: 2102,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};
