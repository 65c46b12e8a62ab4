import { once } from 'node:events';
import { connect, type TLSSocket } from 'node:tls';
import { VALIDATING_PATH } from '#operator/api/webhooks/linkerd-config';
import { POD_WEBHOOK_PATH } from '#operator/api/webhooks/pod';
import { issueCertificate } from '../../support/cluster/certificates';
import { podReview, WebhookClient } from '../../support/controller-runtime/webhook-client';

/** The address and the CA of the attacked webhooks. */
interface Target {
  readonly port: number;
  readonly ca: string;
}

/** An attack, which ends without being stopped. */
export type Attack = (target: Target) => Promise<void>;

/** A review of a LinkerdConfig with these values, unvalidated. */
function configReview(values: string): string {
  const review = podReview({
    kind: { group: 'config.linkerd.io', version: 'v1alpha1', kind: 'LinkerdConfig' },
    object: { metadata: { name: 'mesh' }, spec: { controlPlaneNamespace: 'PLACE', values: 'VALUES' } },
  });
  return review.replace('"VALUES"', () => values);
}

/** Sends the same body repeatedly over parallel connections. Ignores all responses. */
async function flood(target: Target, body: string, load: { readonly connections: number; readonly times: number }) {
  await Promise.all(
    Array.from({ length: load.connections }, async () => {
      const client = new WebhookClient(target.port, { ca: target.ca, maxSockets: 1 });
      for (let time = 0; time < load.times; time += 1) {
        await client.send({ path: VALIDATING_PATH, body }).catch(() => undefined);
      }
      client.close();
    }),
  );
}

const root = issueCertificate({ commonName: 'root', ca: true });

/** Attacks by their content. All name the namespace that the operator serves. */
export function attacks(linkerdNamespace: string): Readonly<Record<string, Attack>> {
  const review = (values: string) => configReview(values).replace('PLACE', linkerdNamespace);
  const keys = (count: number) => Array.from({ length: count }, (_, index) => `"k${index}":${index % 10}`).join(',');
  const certificates = (size: number) => root.cert.repeat(Math.floor(size / root.cert.length));
  const anchors = (pem: string) => `{"identityTrustAnchorsPEM":${JSON.stringify(pem)}}`;
  return {
    'reviews with 380,000 keys': (target) => flood(target, review(`{${keys(380_000)}}`), { connections: 4, times: 2 }),
    'reviews with as many keys as are parsed': (target) =>
      flood(target, review(`{"proxy":{${keys(15_900)}}}`), { connections: 4, times: 2 }),
    'reviews with as many keys as are compared': (target) =>
      flood(target, review(`{"proxy":{${keys(4_900)}}}`), { connections: 4, times: 4 }),
    'reviews over 64 connections': (target) =>
      flood(target, review(`{"proxy":{${keys(15_900)}}}`), { connections: 64, times: 1 }),
    'trust anchors of 6.8 MB': (target) =>
      flood(target, review(anchors(certificates(6_800_000))), { connections: 4, times: 1 }),
    'trust anchors of 4 MB': (target) =>
      flood(target, review(anchors(certificates(3_900_000))), { connections: 4, times: 2 }),
    'log levels of 4 MB': (target) =>
      flood(target, review(`{"proxy":{"logLevel":"${','.repeat(3_900_000)}"}}`), { connections: 4, times: 2 }),
    'trust anchors as long as they may be': (target) =>
      flood(target, review(anchors(certificates(65_000))), { connections: 4, times: 4 }),
    'reviews nested 100,000 deep': (target) =>
      flood(target, review(`${'['.repeat(100_000)}${']'.repeat(100_000)}`), { connections: 4, times: 12 }),
    'many connections': holdConnections(300),
    'bodies by the byte': dripBodies(50),
  };
}

/** Opens connections without sending anything. */
function holdConnections(count: number): Attack {
  return async ({ port, ca }) => {
    const sockets: TLSSocket[] = [];
    const open = async (): Promise<void> => {
      while (sockets.length < count) {
        const socket = connect({ port, ca, host: '127.0.0.1' }).on('error', () => undefined);
        sockets.push(socket);
        await Promise.race([once(socket, 'secureConnect'), once(socket, 'close')]).catch(() => undefined);
      }
    };
    await Promise.all(Array.from({ length: 20 }, open));
    for (const socket of sockets) socket.destroy();
  };
}

/** Sends bodies in separate pieces of one byte. */
function dripBodies(connections: number): Attack {
  return async ({ port, ca }) => {
    const until = performance.now() + 1_000;
    const drip = async (): Promise<void> => {
      const socket = connect({ port, ca, host: '127.0.0.1' }).on('error', () => undefined);
      const headers = ['host: a', 'content-type: application/json', 'content-length: 100000'];
      socket.write([`POST ${POD_WEBHOOK_PATH} HTTP/1.1`, ...headers, '', '['].join('\r\n'));
      while (performance.now() < until && !socket.destroyed) {
        for (let byte = 0; byte < 20; byte += 1) socket.write(' ');
        await new Promise(setImmediate);
      }
      socket.destroy();
    };
    await Promise.all(Array.from({ length: connections }, drip));
  };
}
