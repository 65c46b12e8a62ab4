import { anchorPolicy } from '#anchor/policy';
import {
  ANCHOR,
  IDENTITY_ISSUER,
  TRUST_ANCHOR_DEFAULTS,
  TRUST_ANCHOR_NAME,
  type TrustAnchorSpec,
} from '#anchor/trust-anchor';
import { goDurationMs } from '#base/go-duration';
import { HOUR } from '#base/time-units';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { LEAF_LIFETIME } from '#lib/checks/linkerd/identity-issuer-check';
import type { AnchorFacts, CertificateFacts, CertificateRole, PkiFacts } from '../model';

/** The values of a control plane that determine its PKI. */
export interface PkiValues {
  readonly issuanceLifetime?: Value;
  readonly clockSkewAllowance?: Value;
  readonly controllerReplicas?: Value;
}

/** Selects the values that determine the PKI. */
export function pkiValues(values: Values): PkiValues {
  return {
    issuanceLifetime: valueAt(values, 'identity.issuer.issuanceLifetime'),
    clockSkewAllowance: valueAt(values, 'identity.issuer.clockSkewAllowance'),
    controllerReplicas: values.controllerReplicas,
  };
}

/** Returns the parts of an object that determine the PKI: of linkerd-identity, only its replicas. */
export function pkiObjects(object: KubernetesObject): readonly KubernetesObject[] {
  const { apiVersion, kind } = object;
  const { name, namespace } = object.metadata;
  const isIdentity = kind === 'Deployment' && name === 'linkerd-identity';
  if (!isIdentity && !CERT_MANAGER.test(apiVersion) && !isTrustAnchor(object)) return [];
  const spec = isIdentity ? { replicas: valueAt(object as Values, 'spec.replicas') } : object.spec;
  return [{ apiVersion, kind, metadata: { name, namespace }, spec }];
}

/** Returns the PKI of a mesh: its certificates, and the rotation of its trust anchor. */
export function pkiIn(objects: readonly KubernetesObject[], values: PkiValues): PkiFacts {
  const certificates = certificatesIn(objects);
  const trustAnchor = trustAnchorIn(objects);
  const spec = trustAnchor === undefined ? undefined : specOf(trustAnchor);
  const lifetime = (name: keyof typeof LEAF_LIFETIME) =>
    milliseconds(spec?.[name]) ?? milliseconds(values[name]) ?? LEAF_LIFETIME[name];
  const [issuanceLifetime, clockSkewAllowance] = [lifetime('issuanceLifetime'), lifetime('clockSkewAllowance')];
  const anchor = certificates.find(({ role }) => role === 'anchor');
  const facts =
    anchor && anchorFacts(anchor, { ...TRUST_ANCHOR_DEFAULTS, ...spec }, issuanceLifetime + clockSkewAllowance);
  return {
    certificates,
    issuanceLifetime,
    clockSkewAllowance,
    identityReplicas: identityReplicas(objects, values),
    rotation: rotationOf(anchor, trustAnchor !== undefined),
    ...(facts && { anchor: facts }),
  };
}

function rotationOf(anchor: CertificateFacts | undefined, isOperated: boolean): PkiFacts['rotation'] {
  if (isOperated) return 'operator';
  if (anchor === undefined) return 'none';
  return anchor.renewsItself ? 'automatic-unsafe' : 'manual';
}

/** Returns an empty spec for an invalid one: users may have edited the file. */
function specOf({ spec }: KubernetesObject): Partial<TrustAnchorSpec> {
  return isMap(spec as Value) ? (spec as Partial<TrustAnchorSpec>) : {};
}

/** Ignores the requests `paused` and `abort`, which apply only to the current rotation. */
function anchorFacts(
  { duration, renewBefore }: CertificateFacts,
  spec: TrustAnchorSpec,
  leafReach: number,
): AnchorFacts {
  const { laggards: usual, ...defaults } = TRUST_ANCHOR_DEFAULTS;
  const laggards = isMap(spec.laggards as unknown as Value) ? { ...usual, ...spec.laggards } : usual;
  const policy = anchorPolicy({ ...defaults, ...spec, laggards }, undefined);
  return {
    policy: {
      ...policy,
      duration,
      renewBefore,
      leafReach,
      restartTime: numberOf(laggards.progressDeadlineSeconds, usual.progressDeadlineSeconds) * 1000,
      parallelRestarts: Math.max(1, numberOf(laggards.maxUnavailableWorkloads, 1)),
      laggards: ['Report', 'Restart', 'Never'].includes(laggards.policy) ? laggards.policy : 'Report',
      paused: false,
      abort: false,
      members: [],
    },
    hasWindows: Array.isArray(spec.windows) && spec.windows.length > 0,
  };
}

function numberOf(value: unknown, usual: number): number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : usual;
}

function identityReplicas(objects: readonly KubernetesObject[], { controllerReplicas }: PkiValues): number {
  const identity = objects.find(({ kind }) => kind === 'Deployment');
  const replicas = valueAt((identity ?? {}) as Values, 'spec.replicas') ?? controllerReplicas;
  return Math.min(9, Math.max(1, Math.round(numberOf(replicas, 1))));
}

/** cert-manager's default is 90 days, with renewal after two thirds. */
const USUAL_DURATION = 2160 * HOUR;

const CERT_MANAGER = /^cert-manager\.io\//;

function certificatesIn(objects: readonly KubernetesObject[]): readonly CertificateFacts[] {
  const ours = objects.filter(({ apiVersion }) => CERT_MANAGER.test(apiVersion));
  const certificates = ours.filter(({ kind }) => kind === 'Certificate');
  const issuers = ours.filter(({ kind }) => kind === 'Issuer' || kind === 'ClusterIssuer');
  const facts = certificates.map((certificate) => factsOf(certificate, { certificates, issuers }));
  const anchor = anchorOfOperator(objects);
  const all = anchor === undefined ? facts : [anchor, ...facts.map((one) => signedByAnchor(one, anchor.id))];
  return inOrder(all.map((one) => ({ ...one, role: roleOf(one, all) })));
}

interface Chain {
  readonly certificates: readonly KubernetesObject[];
  readonly issuers: readonly KubernetesObject[];
}

type UnsortedFacts = CertificateFacts & { readonly isCA: boolean };

function factsOf(certificate: KubernetesObject, chain: Chain): UnsortedFacts {
  const at = (path: string) => valueAt(certificate as Values, `spec.${path}`);
  const duration = milliseconds(at('duration')) ?? USUAL_DURATION;
  const signer = signerOf(certificate, chain);
  return {
    id: idOf(certificate),
    role: 'other',
    isCA: at('isCA') === true,
    ...(signer !== undefined && signer !== certificate && { signedBy: idOf(signer) }),
    duration,
    renewBefore: milliseconds(at('renewBefore')) ?? duration / 3,
    renewsItself: at('renewal.policy') !== 'Disabled',
    key: [at('privateKey.algorithm') ?? 'RSA', at('privateKey.size') ?? ''].join(' ').trim(),
  };
}

function signerOf(certificate: KubernetesObject, { certificates, issuers }: Chain): KubernetesObject | undefined {
  const reference = valueAt(certificate as Values, 'spec.issuerRef');
  const { kind = 'Issuer', name } = isMap(reference) ? reference : {};
  const issuer = issuers.find(
    (one) =>
      one.kind === kind &&
      one.metadata.name === name &&
      (kind === 'ClusterIssuer' || one.metadata.namespace === certificate.metadata.namespace),
  );
  const secret = valueAt((issuer ?? {}) as Values, 'spec.ca.secretName');
  if (issuer === undefined || typeof secret !== 'string') return undefined;
  // ClusterIssuers read Secrets in the namespace of cert-manager, which is not known here.
  const holders = certificates.filter((one) => valueAt(one as Values, 'spec.secretName') === secret);
  const own = holders.find(({ metadata }) => metadata.namespace === issuer.metadata.namespace);
  return kind === 'ClusterIssuer' ? holders[0] : own;
}

/** The output contains the policy of the trust anchor, but not its Certificate, which the operator creates. */
function anchorOfOperator(objects: readonly KubernetesObject[]): UnsortedFacts | undefined {
  const policy = trustAnchorIn(objects);
  if (policy === undefined) return undefined;
  const at = (path: string) => valueAt(policy as Values, `spec.${path}`);
  const duration = milliseconds(at('duration')) ?? 87_600 * HOUR;
  return {
    id: `${at('certManagerNamespace') ?? 'cert-manager'}/${ANCHOR}`,
    role: 'anchor',
    isCA: true,
    duration,
    renewBefore: milliseconds(at('renewBefore')) ?? 8760 * HOUR,
    renewsItself: false,
    key: [at('privateKey.algorithm') ?? 'ECDSA', at('privateKey.size') ?? 256].join(' '),
  };
}

function trustAnchorIn(objects: readonly KubernetesObject[]): KubernetesObject | undefined {
  return objects.find(isTrustAnchor);
}

function isTrustAnchor({ apiVersion, kind, metadata }: KubernetesObject): boolean {
  return apiVersion.startsWith('config.linkerd.io/') && kind === 'TrustAnchor' && metadata.name === TRUST_ANCHOR_NAME;
}

/** The operator creates the ClusterIssuer through which the trust anchor signs, so the output lacks it. */
function signedByAnchor(one: UnsortedFacts, anchor: string): UnsortedFacts {
  return nameOf(one) === IDENTITY_ISSUER ? { ...one, signedBy: anchor } : one;
}

function roleOf(one: UnsortedFacts, all: readonly UnsortedFacts[]): CertificateRole {
  const name = nameOf(one);
  if (name === IDENTITY_ISSUER) return 'identity-issuer';
  if (one.role === 'anchor') return 'anchor';
  const signed = all.filter(({ signedBy }) => signedBy === one.id);
  if (one.isCA && signed.some((other) => nameOf(other) === IDENTITY_ISSUER)) return 'anchor';
  if (one.isCA) return signed.length > 0 ? 'webhook-ca' : 'other';
  return one.signedBy === undefined ? 'other' : 'serving';
}

function nameOf({ id }: Pick<CertificateFacts, 'id'>): string {
  return id.slice(id.indexOf('/') + 1);
}

function inOrder(all: readonly UnsortedFacts[]): readonly CertificateFacts[] {
  const ROLES: readonly CertificateRole[] = ['anchor', 'identity-issuer', 'webhook-ca', 'serving', 'other'];
  const sorted = all.toSorted((a, b) => ROLES.indexOf(a.role) - ROLES.indexOf(b.role) || (a.id < b.id ? -1 : 1));
  const known = new Set(sorted.map(({ id }) => id));
  const done = new Set<string>();
  const below = (id: string | undefined): readonly UnsortedFacts[] =>
    sorted
      .filter((one) => (one.signedBy !== undefined && known.has(one.signedBy) ? one.signedBy : undefined) === id)
      .flatMap((one) => {
        // Stops at a cycle of signers, which is invalid.
        if (done.has(one.id)) return [];
        done.add(one.id);
        return [one, ...below(one.id)];
      });
  return below(undefined).map(({ isCA: _, ...one }) => one);
}

function idOf({ metadata }: KubernetesObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}

/** Parses a duration as Go does; undefined if invalid. */
function milliseconds(text: Value | undefined): number | undefined {
  return typeof text === 'string' ? goDurationMs(text) : undefined;
}
