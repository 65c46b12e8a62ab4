import { Agent, type AgentOptions, request } from 'node:https';
import type { TLSSocket } from 'node:tls';

/** The answer of a webhook server. */
export interface WebhookResponse {
  readonly code: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The common name of the server's certificate; `undefined` if a TLS session was resumed. */
  readonly servedBy: string | undefined;
  /** The client's port, which identifies the connection. */
  readonly connection: number | undefined;
}

export interface WebhookCall {
  readonly path?: string;
  readonly method?: string;
  readonly contentType?: string;
  readonly body?: string | Buffer | Iterable<Buffer>;
}

/** Sends a webhook's requests over kept connections, as an API server does, with any content. */
export class WebhookClient {
  private readonly agent: Agent;

  constructor(
    private readonly port: number,
    options: AgentOptions,
  ) {
    this.agent = new Agent({ keepAlive: true, ...options });
  }

  /** The number of requests that failed on an established connection. */
  lost = 0;

  /** Sends a request. Rejects if there is no connection, or if it breaks before the answer. */
  send({
    path = '/',
    method = 'POST',
    contentType = 'application/json',
    body = '',
  }: WebhookCall): Promise<WebhookResponse> {
    return new Promise((resolve, reject) => {
      const isWhole = typeof body === 'string' || Buffer.isBuffer(body);
      const headers = {
        'content-type': contentType,
        ...(isWhole ? { 'content-length': Buffer.byteLength(body) } : {}),
      };
      let isConnected = false;
      const sent = request(
        { host: '127.0.0.1', port: this.port, agent: this.agent, path, method, headers },
        (response) => {
          const { localPort } = response.socket;
          const { subject } = (response.socket as TLSSocket).getPeerCertificate();
          let text = '';
          response.setEncoding('utf8').on('data', (chunk) => {
            text += chunk;
          });
          response.on('error', reject).on('end', () =>
            resolve({
              code: response.statusCode ?? 0,
              text,
              headers: response.headers,
              servedBy: subject?.CN === undefined ? undefined : `${subject.CN}`,
              connection: localPort,
            }),
          );
        },
      ).on('error', (error) => {
        if (isConnected || sent.reusedSocket) this.lost += 1;
        reject(error);
      });
      sent.once('socket', (socket) => {
        if (sent.reusedSocket) return;
        socket.once('secureConnect', () => {
          isConnected = true;
        });
      });
      if (isWhole) sent.end(body);
      else {
        for (const chunk of body) sent.write(chunk);
        sent.end();
      }
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** An AdmissionReview about a pod, as JSON. */
export function podReview(fields: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: '4b8e',
      operation: 'CREATE',
      kind: { group: '', version: 'v1', kind: 'Pod' },
      resource: { group: '', version: 'v1', resource: 'pods' },
      namespace: 'shop',
      userInfo: { username: 'jane' },
      object: { metadata: { generateName: 'web-' }, spec: {} },
      ...fields,
    },
  });
}
