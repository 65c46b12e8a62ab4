import { type Client, deleteIfThere } from '../../cluster/client';
import type { KubeObject } from '../../cluster/objects';
import type { CertificateView, IssuanceStep } from './issuance';
import { createPrivateKeyFor, encodePrivateKey } from './private-key';
import {
  API_VERSION,
  CERTIFICATE_NAME,
  controllerReference,
  encoded,
  NEXT_PRIVATE_KEY,
  PART_OF,
  PRIVATE_KEY_SECRET,
  REVISION,
  timestamp,
  withCondition,
} from './resources';
import { goDuration } from './scaled-time';
import { applySecret } from './secrets';
import { createSigningRequest } from './signing-request';

/** Carries a step out. @throws Conflict if the Certificate has changed since it was read */
export async function perform(client: Client, view: CertificateView, step: IssuanceStep): Promise<void> {
  const { certificate, now } = view;
  const { status = {}, metadata } = certificate;
  const issuing = (state: string, reason: string, message: string) =>
    withCondition(certificate, {
      type: 'Issuing',
      status: state,
      reason,
      message,
      observedGeneration: metadata.generation,
    });
  switch (step.do) {
    case 'begin':
      return updateStatus(client, certificate, {
        status: { ...status, conditions: issuing('True', step.why.reason, step.why.message) },
        as: 'trigger',
      });
    case 'make key':
      return createNextKey(client, certificate, step.reuse);
    case 'name key':
      return updateStatus(client, certificate, {
        status: { ...status, nextPrivateKeySecretName: step.name },
        as: 'key-manager',
      });
    case 'delete':
      for (const object of step.objects) await deleteIfThere(client, object);
      return;
    case 'request':
      return createRequest(client, certificate, step);
    case 'fail':
      return updateStatus(client, certificate, {
        status: {
          ...status,
          lastFailureTime: timestamp(now),
          failedIssuanceAttempts: (status.failedIssuanceAttempts ?? 0) + 1,
          conditions: issuing(
            'False',
            step.why.reason,
            `The certificate request has failed to complete and will be retried: ${step.why.message}`,
          ),
        },
        as: 'issuing',
      });
    case 'finish':
      return finish(client, view, step);
  }
}

/** A new status, and the controller that writes it. */
interface StatusUpdate {
  readonly status: object;
  readonly as: 'trigger' | 'key-manager' | 'issuing' | 'readiness';
}

/** Replaces the whole status. Fields that are left out are removed, whichever manager owns them. */
export async function updateStatus(
  client: Client,
  certificate: KubeObject,
  { status, as }: StatusUpdate,
): Promise<void> {
  const fieldManager = `cert-manager-certificates-${as}`;
  await client.replace({ ...certificate, status }, { subresource: 'status', fieldManager });
}

async function createNextKey(client: Client, certificate: KubeObject, reuse: string | undefined): Promise<void> {
  const { name: owner, namespace } = certificate.metadata;
  const name: string | undefined = certificate.status?.nextPrivateKeySecretName;
  const key = encodePrivateKey(reuse ?? createPrivateKeyFor(certificate.spec.privateKey), { encoding: 'PKCS8' });
  const secret = await client.create(
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        ...(name === undefined ? { generateName: `${owner}-` } : { name }),
        namespace,
        labels: { [NEXT_PRIVATE_KEY]: 'true', [PART_OF]: 'true' },
        ownerReferences: [controllerReference(certificate)],
      },
      data: { 'tls.key': encoded(key) },
    },
    { fieldManager: 'cert-manager-certificates-key-manager' },
  );
  const status = { ...certificate.status, nextPrivateKeySecretName: secret.metadata.name };
  await updateStatus(client, certificate, { status, as: 'key-manager' });
}

/** Prefixes of annotations that cert-manager does not copy (controller options, copiedAnnotationPrefixes). */
const NOT_COPIED = ['kubectl.kubernetes.io/', 'fluxcd.io/', 'argocd.argoproj.io/'];

async function createRequest(
  client: Client,
  certificate: KubeObject,
  step: Extract<IssuanceStep, { do: 'request' }>,
): Promise<void> {
  const { metadata, spec } = certificate;
  const copied = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => !NOT_COPIED.some((prefix) => key.startsWith(prefix)),
  );
  await client.create(
    {
      apiVersion: API_VERSION,
      kind: 'CertificateRequest',
      metadata: {
        name: `${metadata.name}-${step.revision}`,
        namespace: metadata.namespace,
        labels: metadata.labels,
        annotations: {
          ...Object.fromEntries(copied),
          [REVISION]: String(step.revision),
          [PRIVATE_KEY_SECRET]: step.keySecret,
          [CERTIFICATE_NAME]: metadata.name ?? '',
        },
        ownerReferences: [controllerReference(certificate)],
      },
      spec: {
        issuerRef: spec.issuerRef,
        request: encoded(createSigningRequest(spec, step.key)),
        ...(spec.duration !== undefined && { duration: goDuration(spec.duration) }),
        ...(spec.isCA === true && { isCA: true }),
        ...(spec.usages !== undefined && { usages: spec.usages }),
      },
    },
    { fieldManager: 'cert-manager-certificates-request-manager' },
  );
}

async function finish(
  client: Client,
  { certificate, secret }: CertificateView,
  { request, key, revision }: Extract<IssuanceStep, { do: 'finish' }>,
): Promise<void> {
  const text = (field: string | undefined) => Buffer.from(field ?? '', 'base64').toString('utf8');
  const { name, kind, group } = request.spec.issuerRef;
  await applySecret(client, certificate, secret, {
    key: encodePrivateKey(key, certificate.spec.privateKey),
    chain: text(request.status.certificate),
    root: text(request.status.ca),
    certificateName: certificate.metadata.name,
    issuer: { name, kind, group },
  });
  const { failedIssuanceAttempts, lastFailureTime, ...status } = certificate.status;
  const conditions = (status.conditions as readonly { type: string }[]).filter(({ type }) => type !== 'Issuing');
  await updateStatus(client, certificate, { status: { ...status, revision, conditions }, as: 'issuing' });
}
