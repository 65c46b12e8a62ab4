import { X509Certificate } from 'node:crypto';
import type { Client } from '../../cluster/client';
import type { KubeObject } from '../../cluster/objects';
import type { ChainAndRoot } from './certificate-chain';
import { certificatesOf } from './certificate-chain';
import { isReady, resourceNamespace } from './issuers';
import {
  CERTIFICATE_NAME,
  conditionOf,
  decoded,
  encoded,
  issuerRefOf,
  PRIVATE_KEY_SECRET,
  revisionOf,
  timestamp,
  withCondition,
} from './resources';
import type { ScaledDuration } from './scaled-time';
import { selfSigned, signedByCa, templateOf } from './sign-request';

/** A certificate that the fake has signed. */
export interface Issued {
  /** `namespace/name` of its Certificate, or of its request if no Certificate made the request. */
  readonly certificate: string;
  readonly revision?: number;
  /** `Issuer/name` or `ClusterIssuer/name`. */
  readonly issuer: string;
  readonly serialNumber: string;
  readonly at: Date;
}

/** Dependencies of the signing of requests. */
export interface SigningContext {
  readonly client: Client;
  readonly certManagerNamespace: string;
  readonly duration: ScaledDuration;
  readonly find: (kind: string, name: string, namespace?: string) => Promise<KubeObject | undefined>;
  readonly onIssued: (issued: Issued) => void;
}

/** Whether a request waits for its signature. */
export function isOpen(request: KubeObject): boolean {
  const { reason } = conditionOf(request, 'Ready') ?? {};
  return reason !== 'Issued' && reason !== 'Failed' && reason !== 'Denied';
}

/** Signs a request, or writes into its status why it cannot (pkg/controller/certificaterequests/sync.go). */
export async function answerRequest(context: SigningContext, request: KubeObject): Promise<void> {
  const pending = (message: string) => writeStatus(context, request, { reason: 'Pending', message });
  const ref = issuerRefOf(request);
  const namespace = ref.kind === 'Issuer' ? request.metadata.namespace : undefined;
  if (ref.group !== 'cert-manager.io') return;
  const issuer = await context.find(ref.kind, ref.name, namespace);
  if (issuer === undefined)
    return pending(
      `Referenced "${ref.kind}" not found: ${ref.kind.toLowerCase()}.cert-manager.io "${ref.name}" not found`,
    );
  if (!isReady(issuer)) return pending('Referenced issuer does not have a Ready status condition');
  const place = resourceNamespace(issuer, context.certManagerNamespace);
  const [name, where] =
    issuer.spec.selfSigned !== undefined
      ? [request.metadata.annotations?.[PRIVATE_KEY_SECRET] ?? '', request.metadata.namespace]
      : [issuer.spec.ca?.secretName ?? '', place];
  const secret = await context.find('Secret', name, where);
  if (secret === undefined) return pending(`Referenced secret ${where}/${name} not found`);
  await sign(context, request, { issuer, secret });
}

async function sign(
  context: SigningContext,
  request: KubeObject,
  { issuer, secret }: { readonly issuer: KubeObject; readonly secret: KubeObject },
): Promise<void> {
  let answer: ChainAndRoot;
  try {
    const template = templateOf(request, context.duration);
    answer =
      issuer.spec.selfSigned !== undefined
        ? selfSigned(template, decoded(secret, 'tls.key') ?? '')
        : signedByCa(template, secret);
  } catch (error) {
    return writeStatus(context, request, { reason: 'Failed', message: (error as Error).message });
  }
  await writeStatus(context, request, {
    reason: 'Issued',
    message: 'Certificate fetched from issuer successfully',
    answer,
  });
  const { name, namespace, annotations } = request.metadata;
  const [certificate = Buffer.alloc(0)] = certificatesOf(answer.chain);
  context.onIssued({
    certificate: `${namespace}/${annotations?.[CERTIFICATE_NAME] ?? name}`,
    revision: revisionOf(request),
    issuer: `${issuer.kind}/${issuer.metadata.name}`,
    serialNumber: new X509Certificate(certificate).serialNumber,
    at: new Date(),
  });
}

interface Outcome {
  readonly reason: 'Pending' | 'Failed' | 'Issued';
  readonly message: string;
  readonly answer?: ChainAndRoot;
}

async function writeStatus(
  { client }: SigningContext,
  request: KubeObject,
  { reason, message, answer }: Outcome,
): Promise<void> {
  const before = conditionOf(request, 'Ready');
  if (before?.reason === reason && before.message === message) return;
  const status = reason === 'Issued' ? 'True' : 'False';
  const approved = {
    type: 'Approved',
    status: 'True',
    reason: 'cert-manager.io',
    message: 'Certificate request has been approved by cert-manager.io',
  };
  const withApproval = { ...request, status: { ...request.status, conditions: withCondition(request, approved) } };
  const next = {
    ...request.status,
    conditions: withCondition(withApproval, { type: 'Ready', status, reason, message }),
    ...(reason === 'Failed' && { failureTime: request.status?.failureTime ?? timestamp(new Date()) }),
    ...(answer && { certificate: encoded(answer.chain), ...(answer.root && { ca: encoded(answer.root) }) }),
  };
  await client.replace(
    { ...request, status: next },
    { subresource: 'status', fieldManager: 'cert-manager-certificaterequests' },
  );
}
