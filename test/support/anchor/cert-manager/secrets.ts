import type { Client } from '../../cluster/client';
import type { KubeObject } from '../../cluster/objects';
import { certificateIn } from './policies';
import { CERTIFICATE_NAME, decoded, encoded, ISSUER_GROUP, ISSUER_KIND, ISSUER_NAME, PART_OF } from './resources';

/** The field manager of cert-manager's issuing controller. */
const FIELD_MANAGER = 'cert-manager-certificates-issuing';

/** The content of a Certificate's Secret as PEM, and the names in its annotations. */
export interface SecretContent {
  readonly key: string;
  readonly chain: string;
  readonly root?: string;
  readonly certificateName?: string;
  readonly issuer?: { readonly name?: string; readonly kind?: string; readonly group?: string };
}

/**
 * Applies a Certificate's Secret with exactly these fields. The API server thus removes labels and annotations that
 * an older template had (issuing/internal/secret.go).
 */
export async function applySecret(
  client: Client,
  certificate: KubeObject,
  before: KubeObject | undefined,
  content: SecretContent,
): Promise<void> {
  const { metadata } = certificate;
  const secret: KubeObject = {
    apiVersion: 'v1',
    kind: 'Secret',
    type: before?.type ?? 'kubernetes.io/tls',
    metadata: { name: certificate.spec.secretName, namespace: metadata.namespace, ...marks(certificate, content) },
    data: {
      'tls.crt': encoded(content.chain),
      'tls.key': encoded(content.key),
      ...(content.root && { 'ca.crt': encoded(content.root) }),
    },
  };
  await client.apply(secret, { fieldManager: FIELD_MANAGER, force: true });
}

function marks({ spec }: KubeObject, { certificateName, issuer, chain }: SecretContent) {
  const { labels = {}, annotations = {} } = spec.secretTemplate ?? {};
  const { name = '', kind = '', group = '' } = issuer ?? {};
  return {
    labels: { ...labels, [PART_OF]: 'true' },
    annotations: {
      ...annotations,
      ...detailsOf(chain),
      ...(certificateName && { [CERTIFICATE_NAME]: certificateName }),
      ...((name || kind || group) && { [ISSUER_NAME]: name, [ISSUER_KIND]: kind, [ISSUER_GROUP]: group }),
    },
  };
}

function detailsOf(chain: string): Readonly<Record<string, string>> {
  const certificate = certificateIn({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {},
    data: { 'tls.crt': encoded(chain) },
  });
  const names = (certificate?.subjectAltName ?? '').split(', ');
  const ofType = (type: string) =>
    names
      .filter((name) => name.startsWith(type))
      .map((name) => name.slice(type.length))
      .join(',');
  return {
    'cert-manager.io/common-name': /^CN=(.*)$/m.exec(certificate?.subject ?? '')?.[1] ?? '',
    'cert-manager.io/alt-names': ofType('DNS:'),
    'cert-manager.io/ip-sans': ofType('IP Address:'),
    'cert-manager.io/uri-sans': ofType('URI:'),
  };
}

/** Applies a Secret again, with the same content, where its labels or annotations differ from the Certificate's. */
export async function ensureSecretMarks(client: Client, certificate: KubeObject, secret: KubeObject): Promise<void> {
  const key = decoded(secret, 'tls.key');
  const chain = decoded(secret, 'tls.crt');
  if (key === undefined || chain === undefined || certificateIn(secret) === undefined) return;
  const annotations = secret.metadata.annotations ?? {};
  const content: SecretContent = {
    key,
    chain,
    root: decoded(secret, 'ca.crt'),
    certificateName: annotations[CERTIFICATE_NAME],
    issuer: { name: annotations[ISSUER_NAME], kind: annotations[ISSUER_KIND], group: annotations[ISSUER_GROUP] },
  };
  const wanted = marks(certificate, content);
  const agrees =
    has(secret.metadata.labels, wanted.labels) &&
    has(secret.metadata.annotations, wanted.annotations) &&
    owns(secret, 'labels', wanted.labels) &&
    owns(secret, 'annotations', wanted.annotations);
  if (!agrees) await applySecret(client, certificate, secret, content);
}

function has(found: Readonly<Record<string, string>> = {}, wanted: Readonly<Record<string, string>>): boolean {
  return Object.entries(wanted).every(([key, value]) => found[key] === value);
}

/** Whether the controller owns exactly the keys it would write now. Other owned keys are from an older template. */
function owns(secret: KubeObject, field: 'labels' | 'annotations', wanted: Readonly<Record<string, string>>): boolean {
  const managed = secret.metadata.managedFields?.find(({ manager }) => manager === FIELD_MANAGER) as
    | { readonly fieldsV1?: { readonly 'f:metadata'?: Readonly<Record<string, object>> } }
    | undefined;
  const owned = Object.keys(managed?.fieldsV1?.['f:metadata']?.[`f:${field}`] ?? {})
    .filter((key) => key.startsWith('f:'))
    .map((key) => key.slice(2));
  return owned.sort().join() === Object.keys(wanted).sort().join();
}
