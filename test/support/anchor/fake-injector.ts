import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { issueCertificate } from '../cluster/certificates';
import type { Client } from '../cluster/client';
import { type KubeObject, ref } from '../cluster/objects';
import { startMirror } from './mirror';
import { watchVolumes } from './volumes';

/** Options of a fake injector. */
export interface InjectorOptions {
  /** @default 'linkerd' */
  readonly controlPlaneNamespace?: string;
  /** The ConfigMap with the bundle, under the key `ca-bundle.crt`. @default 'linkerd-identity-trust-roots' */
  readonly trustRoots?: string;
  /** The time from a change of the ConfigMap to the change of the injector's file. @default 0 */
  readonly lagMs?: number;
  /** @default 'Fail' */
  readonly failurePolicy?: 'Fail' | 'Ignore';
  /** Injected containers name their identity, so that other pods can request it. @default false */
  readonly namesIdentity?: boolean;
}

/**
 * Simulates the part of Linkerd's proxy injector that distributes trust. A mutating webhook adds to a pod, if it or its
 * namespace has `linkerd.io/inject: enabled`, a container `linkerd-proxy` with the bundle in its environment, and the
 * annotation `linkerd.io/trust-root-sha256`. It does not change a pod with such a container, nor any pod while there
 * is no bundle.
 */
export interface FakeInjector {
  /** The bundle that the injector would write into a pod now. */
  bundle(): string | undefined;
  setLag(ms: number): void;
  /** Replaces the injector's pod: a new pod has the current files at once. */
  restart(): void;
  /** Removes the webhook, and stops its server. */
  stop(): Promise<void>;
}

/** The environment variable with a proxy's roots (linkerd2, pkg/identity/service.go). */
export const TRUST_ANCHORS = 'LINKERD2_PROXY_IDENTITY_TRUST_ANCHORS';
const PROXY = 'linkerd-proxy';
const BUNDLE_KEY = 'ca-bundle.crt';
const INJECT = 'linkerd.io/inject';

/** Starts a fake injector, and registers its webhook with the API server. */
export async function startFakeInjector(client: Client, options: InjectorOptions = {}): Promise<FakeInjector> {
  const {
    controlPlaneNamespace = 'linkerd',
    trustRoots = 'linkerd-identity-trust-roots',
    namesIdentity = false,
  } = options;
  const mirror = startMirror(client, [
    { apiVersion: 'v1', kind: 'ConfigMap', namespace: controlPlaneNamespace },
    { apiVersion: 'v1', kind: 'Namespace' },
  ]);
  const volumes = watchVolumes(mirror);
  const state = { lagMs: options.lagMs ?? 0, since: Date.now() };
  const bundle = () => {
    const volume = { name: trustRoots, namespace: controlPlaneNamespace, ...state };
    return volumes.mounted({ kind: 'ConfigMap', ...volume })?.[BUNDLE_KEY];
  };
  const ca = issueCertificate({ commonName: 'webhook CA', ca: true });
  const serving = issueCertificate({ commonName: 'injector', issuer: ca, ips: ['127.0.0.1'] });
  const server = createServer(serving, async (request, response) => {
    const { request: review } = JSON.parse(await text(request)) as Review;
    const annotations = mirror.find('Namespace', review.namespace)?.metadata.annotations ?? {};
    const patch = injection(review, { bundle: bundle(), annotations, controlPlaneNamespace, namesIdentity });
    const answer = { uid: review.uid, allowed: true, ...(patch.length > 0 && encoded(patch)) };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: answer }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  await mirror.filled;
  const { port } = server.address() as AddressInfo;
  const configuration = webhookConfiguration(`https://127.0.0.1:${port}/`, ca.cert, options);
  await client.apply(configuration);
  return {
    bundle,
    setLag: (ms) => {
      state.lagMs = ms;
    },
    restart: () => {
      state.since = Date.now();
    },
    stop: async () => {
      // The webhook is removed first, so that no request waits for an answer.
      await client.delete(configuration).catch(() => undefined);
      mirror.stop();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function webhookConfiguration(url: string, ca: string, options: InjectorOptions): KubeObject {
  const name = `fake-injector-${options.controlPlaneNamespace ?? 'linkerd'}`;
  const rule = {
    operations: ['CREATE'],
    apiGroups: [''],
    apiVersions: ['v1'],
    resources: ['pods'],
    scope: 'Namespaced',
  };
  return {
    ...ref('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', name),
    webhooks: [
      {
        name: 'linkerd-proxy-injector.linkerd.io',
        clientConfig: { url, caBundle: Buffer.from(ca).toString('base64') },
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        failurePolicy: options.failurePolicy ?? 'Fail',
        timeoutSeconds: 10,
        namespaceSelector: {
          matchExpressions: [
            { key: 'config.linkerd.io/admission-webhooks', operator: 'NotIn', values: ['disabled'] },
            { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'cert-manager'] },
          ],
        },
        rules: [rule],
      },
    ],
  };
}

interface Review {
  readonly request: { readonly uid: string; readonly namespace: string; readonly object: KubeObject };
}

interface Knowledge {
  readonly bundle: string | undefined;
  /** The annotations of the namespace. */
  readonly annotations: Readonly<Record<string, string>>;
  readonly controlPlaneNamespace: string;
  readonly namesIdentity: boolean;
}

function injection({ namespace, object }: Review['request'], knowledge: Knowledge): readonly object[] {
  const { bundle, annotations, controlPlaneNamespace, namesIdentity } = knowledge;
  const { metadata, spec } = object;
  const mode = metadata.annotations?.[INJECT] ?? annotations[INJECT];
  const wants = mode === 'enabled' || mode === 'ingress';
  if (!wants || bundle === undefined || spec.hostNetwork === true || proxyOf(object) !== undefined) return [];
  const marks = {
    'linkerd.io/created-by': 'linkerd/proxy-injector edge-26.8.3',
    'linkerd.io/proxy-version': 'edge-26.8.3',
    'linkerd.io/trust-root-sha256': createHash('sha256').update(bundle).digest('hex'),
  };
  const labels = { 'linkerd.io/control-plane-ns': controlPlaneNamespace, 'linkerd.io/workload-ns': namespace };
  const proxy = {
    name: PROXY,
    image: 'cr.l5d.io/linkerd/proxy:edge-26.8.3',
    restartPolicy: 'Always',
    // The chart's template writes a block scalar of the trimmed text, which ends with a newline.
    env: [{ name: TRUST_ANCHORS, value: `${bundle.trim()}\n` }, ...identityVariables(namesIdentity)],
    ...confined,
  };
  return [
    { op: 'add', path: '/metadata/annotations', value: { ...metadata.annotations, ...marks } },
    { op: 'add', path: '/metadata/labels', value: { ...metadata.labels, ...labels } },
    { op: 'add', path: '/spec/initContainers', value: [...(spec.initContainers ?? []), proxy] },
  ];
}

/** The variable with a proxy's own identity, with the chart's value. */
export function identityVariables(namesIdentity: boolean): readonly EnvironmentVariable[] {
  const value = '$(_pod_sa).$(_pod_ns).serviceaccount.identity.linkerd.cluster.local';
  return namesIdentity ? [{ name: 'LINKERD2_PROXY_IDENTITY_LOCAL_NAME', value }] : [];
}

/** The proxy among a pod's containers, as a native sidecar or not. */
export function proxyOf({ spec }: KubeObject): { readonly env?: readonly EnvironmentVariable[] } | undefined {
  const all: readonly { name: string; env?: readonly EnvironmentVariable[] }[] = [
    ...(spec.initContainers ?? []),
    ...(spec.containers ?? []),
  ];
  return all.find(({ name }) => name === PROXY);
}

/** A variable of a container's environment. */
export interface EnvironmentVariable {
  readonly name: string;
  readonly value?: string;
  readonly valueFrom?: { readonly configMapKeyRef?: { readonly name: string; readonly key: string } };
}

/** The settings that the Pod Security Standard `restricted` requires of each container. */
const confined = {
  securityContext: {
    allowPrivilegeEscalation: false,
    capabilities: { drop: ['ALL'] },
    runAsNonRoot: true,
    runAsUser: 2102,
    seccompProfile: { type: 'RuntimeDefault' },
  },
};

function encoded(patch: readonly object[]) {
  return { patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}
