import { createHash } from 'node:crypto';
import { anchorName, anchorNames, IDENTITY_ISSUER, TRUST_ROOTS } from '#anchor/trust-anchor';
import { canonicalJson } from '#base/canonical-json';
import { oneLine, readCertificates } from '#base/certificates';
import { defined } from '#base/defined';
import type { Problem } from '#base/findings/problem';
import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values, valueAt } from '#base/values';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { apiGroup } from '#kubernetes/objects/scope';
import { ACCEPTED_ANCHOR_CHANGE, GIVEN_GENERATION } from '#linkerd/annotations';
import type { FileReader } from './file-contents';
import { CHANGE_FINDINGS } from './findings';
import { reissuingFields, reissuingSpec } from './reissuing-fields';

interface MeshTrust {
  /** The CA that signs the identity issuer; undefined if the output does not contain it. */
  readonly signer: Signer | undefined;
  /** The trust roots as text, by key and subject. */
  readonly roots: ReadonlyMap<string, string>;
  /** The other sources of the trust bundle: Secrets, by their labels. */
  readonly sources: ReadonlySet<string>;
  readonly accepted: readonly string[];
  /** The user has set `generation` to 0: the first anchor signs. */
  readonly isFirstGiven: boolean;
}

type Signer =
  /** A CA whose Certificate is in the output. */
  | { readonly by: 'certificate'; readonly name: string; readonly secret: string; readonly spec: Values }
  /** The operator, whose anchors are not in the output. */
  | { readonly by: 'operator'; readonly policy: Values }
  /** A CA whose key is in an external Secret. */
  | { readonly by: 'secret'; readonly secret: string }
  /** Another issuer, with its spec if the output contains it. */
  | { readonly by: 'issuer'; readonly name: string; readonly spec: Values | undefined };

/** A change of a mesh's trust anchor that running proxies do not pick up. */
export interface AnchorChange {
  /** The signer before and after, in words; equal if only its key changes, or only roots are removed. */
  readonly from: string;
  readonly to: string;
  /** The fields whose change makes the same certificate or issuer sign with another key. */
  readonly fields: readonly string[];
  /** The roots that are removed from the bundle. */
  readonly lost: readonly string[];
  /** The id by which the user accepts exactly this change. */
  readonly id: string;
  /** Whether the later output accepts the change. */
  readonly isAccepted: boolean;
}

const TELLING =
  /\/(?:(?:certificate|issuer|clusterissuer|bundle|trustanchor)\.[^/]+|configmap\.linkerd-identity-trust-roots|values)\.yaml$/;

/** Whether a file of a cluster's output determines which anchors the mesh trusts. */
export function tellsTrust(path: string): boolean {
  return TELLING.test(path);
}

/** Reads the trust of a mesh from the files of its cluster; undefined if there is no mesh. */
export function meshTrust(files: ReadonlyMap<string, string>, reader: FileReader): MeshTrust | undefined {
  const objects: KubernetesObject[] = [];
  const pems: Value[] = [];
  for (const [path, text] of files) {
    if (!tellsTrust(path)) continue;
    const contents = reader.read(path, text);
    if (contents.is === 'object') objects.push(contents.object);
    if (contents.is === 'values') pems.push(contents.values['linkerd-control-plane']?.identityTrustAnchorsPEM ?? '');
  }
  const issuer = objects.find(
    (object) => isOf(object, 'cert-manager.io', 'Certificate') && secretOf(object) === IDENTITY_ISSUER,
  );
  const sources = objects
    .filter(({ kind, metadata }) => kind === 'Bundle' && metadata.name === TRUST_ROOTS)
    .flatMap(sourcesOf);
  const maps = objects
    .filter(({ kind }) => kind === 'ConfigMap')
    .flatMap(({ data }) => (isMap(data as Value) ? Object.values(data as Values) : []));
  const inLine = sources.flatMap((source) => source.inLine ?? []);
  const roots = new Map([...pems, ...maps, ...inLine].flatMap((pem) => rootsIn(pem ?? '')));
  if (issuer === undefined && sources.length === 0 && roots.size === 0) return undefined;
  return {
    signer: issuer && signerOf(issuer, objects),
    roots,
    sources: new Set(sources.filter(({ secret }) => secret !== undefined).map((source) => canonicalJson(source))),
    isFirstGiven: issuer?.metadata.annotations?.[GIVEN_GENERATION] === '0',
    accepted: (issuer?.metadata.annotations?.[ACCEPTED_ANCHOR_CHANGE] ?? '').split(';').map((id) => id.trim()),
  };
}

/**
 * Returns the change of a mesh's anchor between two outputs. Returns undefined for changes that do not interrupt
 * running proxies: added roots, an anchor that the operator adopts or hands back, an anchor reissued with its key.
 */
export function anchorChange(before: MeshTrust | undefined, after: MeshTrust | undefined): AnchorChange | undefined {
  if (before === undefined || after === undefined) return undefined;
  const { signer: old } = before;
  const { signer: next } = after;
  const isOther = old !== undefined && next !== undefined && !isSameSigner(old, next) && !isTakenOver(before, after);
  const fields =
    old === undefined || next === undefined ? [] : isOther ? returnedFields(old, next) : otherFields(old, next);
  const gone = [...before.roots].filter(([key]) => !after.roots.has(key)).map(([, name]) => name);
  const lost = [...gone, ...(isOther || isAnyOperated(before, after) ? [] : lostSources(before, after))];
  if (!isOther && fields.length === 0 && lost.length === 0) return undefined;
  const [from, to] = [old, next].map(signerText) as [string, string];
  const said = [
    isOther ? `${from} -> ${to}` : to,
    ...(fields.length === 0 ? [] : [`with another ${fields.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`without ${lost.join(', ')}`]),
  ];
  // Unlike a semicolon, a comma is safe in an annotation.
  const id = `${said.join(' ').replaceAll(';', ',')} (${hashOf([textOf(before), textOf(after)])})`;
  return { from, to, fields, lost, id, isAccepted: after.accepted.includes(id) };
}

function isOf({ apiVersion, kind }: KubernetesObject, group: string, name: string): boolean {
  return apiGroup(apiVersion) === group && kind === name;
}

function secretOf(certificate: KubernetesObject): string {
  return String(at(certificate, 'spec.secretName') ?? '');
}

function sourcesOf(bundle: KubernetesObject): readonly Values[] {
  const sources = at(bundle, 'spec.sources');
  return Array.isArray(sources) ? sources.filter((source) => isMap(source)) : [];
}

function signerOf(certificate: KubernetesObject, objects: readonly KubernetesObject[]): Signer {
  const reference = at(certificate, 'spec.issuerRef');
  const { name = '', kind, group } = isMap(reference) ? reference : {};
  const type = String(kind || 'Issuer');
  const issuer = objects.find(
    (object) =>
      isOf(object, String(group || 'cert-manager.io'), type) &&
      object.metadata.name === name &&
      (type !== 'Issuer' || object.metadata.namespace === certificate.metadata.namespace),
  );
  const operated = objects.find((object) => isOf(object, 'config.linkerd.io', 'TrustAnchor'));
  if (issuer === undefined && name === IDENTITY_ISSUER && operated !== undefined) {
    return { by: 'operator', policy: isMap(operated.spec as Value) ? (operated.spec as Values) : {} };
  }
  const secret = issuer === undefined ? undefined : at(issuer, 'spec.ca.secretName');
  if (typeof secret !== 'string') {
    return { by: 'issuer', name: `${type} ${name}`, spec: issuer === undefined ? undefined : signingSpec(issuer) };
  }
  const anchor = objects.find(
    (object) => object !== certificate && isOf(object, 'cert-manager.io', 'Certificate') && secretOf(object) === secret,
  );
  if (anchor === undefined) return { by: 'secret', secret };
  const { namespace = '', name: own } = anchor.metadata;
  const spec = isMap(anchor.spec as Value) ? (anchor.spec as Values) : {};
  return { by: 'certificate', name: `${namespace}/${own}`, secret, spec };
}

/** Returns an issuer's spec without the fields for cert-manager's connection and authentication. */
function signingSpec({ spec }: KubernetesObject): Values {
  const types = isMap(spec as Value) ? Object.entries(spec as Values) : [];
  return Object.fromEntries(
    types.map(([type, of]) => {
      const { auth: _, caBundle: __, caBundleSecretRef: ___, ...others } = isMap(of) ? of : {};
      return [type, others];
    }),
  );
}

function isSameSigner(one: Signer, other: Signer): boolean {
  return one.by === other.by && signerText(one) === signerText(other);
}

/** Whether the operator adopts the anchor or hands it back: it keeps the roots, and waits for proxies. */
function isTakenOver(before: MeshTrust, after: MeshTrust): boolean {
  const [old, next] = [before.signer, after.signer];
  if (old?.by !== 'operator' && next?.by !== 'operator') return false;
  const other = old?.by === 'operator' ? next : old;
  if (old?.by === 'operator' && next?.by === 'certificate') {
    // No output contains whether the operator has replaced the first anchor: the user must set `generation`.
    if (next.secret === anchorName(0) && !after.isFirstGiven) return false;
    if (returnedFields(old, next).length > 0) return false;
  }
  if (other !== undefined && 'secret' in other) return anchorNames().includes(other.secret);
  // As `previous`, an anchor with an external key stays in the bundle until all proxies trust the operator's anchor.
  return (
    next?.by === 'operator' && before.roots.size > 0 && [...before.roots.keys()].every((key) => after.roots.has(key))
  );
}

/** A trust anchor that another program manages from now on, with the same key. */
export interface ManagerChange {
  readonly from: string;
  readonly to: string;
}

/** Returns the change of an anchor's manager that keeps its key: the operator adopts it, or hands it back. */
export function managerChange(before: MeshTrust | undefined, after: MeshTrust | undefined): ManagerChange | undefined {
  const [old, next] = [before?.signer, after?.signer];
  if (before === undefined || after === undefined || old === undefined || next === undefined) return undefined;
  if (isSameSigner(old, next) || !isTakenOver(before, after)) return undefined;
  return { from: signerText(old), to: signerText(next) };
}

function isAnyOperated(...trusts: readonly MeshTrust[]): boolean {
  return trusts.some(({ signer }) => signer?.by === 'operator');
}

/**
 * Returns the fields in which the Certificate of an anchor that the operator hands back differs from what the operator
 * has issued: cert-manager makes a new key at once.
 */
function returnedFields(old: Signer, next: Signer): readonly string[] {
  if (old.by !== 'operator' || next.by !== 'certificate') return [];
  const { duration, privateKey, commonName } = old.policy;
  const issued = {
    ...next.spec,
    ...defined({ duration, privateKey, commonName: generationless(next.spec, commonName) }),
  };
  return reissuingFields(issued, next.spec);
}

/** The operator prefixes the name with the number of the generation. */
function generationless({ commonName: own }: Values, commonName: Value | undefined): Value | undefined {
  return String(own).replace(/^\d+\./, '') === commonName ? own : commonName;
}

/** Fields of a Certificate whose change keeps its key, if the key is kept on renewal. */
const KEPT_WITH_KEY: readonly string[] = ['secretName', 'commonName', 'subject', 'literalSubject', 'privateKey'];

function otherFields(old: Signer, next: Signer): readonly string[] {
  if (old.by === 'certificate' && next.by === 'certificate') {
    const keepsKey = [old.spec, next.spec].every((spec) => valueAt(spec, 'privateKey.rotationPolicy') === 'Never');
    return reissuingFields(old.spec, next.spec).filter((field) => !keepsKey || KEPT_WITH_KEY.includes(field));
  }
  if (old.by !== 'issuer' || next.by !== 'issuer' || old.spec === undefined || next.spec === undefined) return [];
  const [was, is] = [old.spec, next.spec];
  return [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((key) => !isSameValue(was[key], is[key]));
}

function lostSources(before: MeshTrust, after: MeshTrust): readonly string[] {
  const isLost = [...before.sources].some((source) => !after.sources.has(source));
  return isLost ? ['what Secrets with the label cdk8s-linkerd/trust-anchor have'] : [];
}

/** The operator as a signer; signerText does not use its policy. */
const OPERATOR = { by: 'operator', policy: {} } as const;

function signerText(signer: Signer | undefined): string {
  switch (signer?.by) {
    case 'certificate':
      return `Certificate ${signer.name}`;
    case 'operator':
      return 'TrustAnchor linkerd';
    case 'secret':
      return `Secret ${signer.secret}`;
    case 'issuer':
      return signer.name;
    case undefined:
      return 'an issuer that the output does not tell';
  }
}

/** Proxies identify roots by subject and key: certificates with equal subject and key are the same root. */
function rootsIn(pem: Value): readonly (readonly [key: string, name: string])[] {
  return readCertificates(String(pem)).flatMap((certificate) => {
    try {
      const { subject, publicKey } = certificate;
      const key = hashOf([subject, publicKey.export({ type: 'spki', format: 'der' }).toString('base64')]);
      return [[key, `${oneLine(subject)} (${key})`] as const];
    } catch {
      // A key of an unknown algorithm.
      return [];
    }
  });
}

function textOf({ signer, roots, sources }: MeshTrust): string {
  const spec = signer?.by === 'certificate' ? reissuingSpec(signer.spec) : signer?.by === 'issuer' ? signer.spec : null;
  return canonicalJson([signerText(signer), spec ?? null, [...roots.keys()].sort(), [...sources].sort()]);
}

function hashOf(texts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex').slice(0, 8);
}

function at(object: KubernetesObject, path: string): Value | undefined {
  return valueAt(object as unknown as Values, path);
}

/**
 * Reports an accidental change of a running mesh's trust anchor, compared with the output on disk. Without an earlier
 * output, reports nothing. The caller checks whether the change is accepted.
 */
export function checkAnchorChange(change: AnchorChange | undefined): readonly Problem[] {
  return change === undefined ? [] : [changed(change)];
}

function changed({ from, to, fields, lost, id }: AnchorChange): Problem {
  const changes = [
    ...(from === to
      ? []
      : [
          `the trust anchor moves from ${from} to ${to}${fields.length === 0 ? '' : ` with another ${fields.join(', ')}`}`,
        ]),
    ...(from !== to || fields.length === 0 ? [] : [`${to} gets another key by ${fields.join(', ')}`]),
    ...(lost.length === 0 ? [] : [`the trust bundle loses ${lost.join(', ')}`]),
  ];
  const found = { changes: changes.join(', '), id };
  return from === signerText(OPERATOR) && from !== to
    ? CHANGE_FINDINGS.anchorChangedOperator(found)
    : CHANGE_FINDINGS.anchorChanged(found);
}
