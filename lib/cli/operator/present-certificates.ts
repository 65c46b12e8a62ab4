import { ANCHOR, IDENTITY_ISSUER, TRUST_ANCHOR_LABEL, TRUST_ROOTS } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { isObject } from '#base/is-object';
import { shellWord } from '#base/shell-word';
import { parseDocuments } from '#base/yaml-documents';
import type { Bundle } from '#imports/crds/trust.cert-manager.io';
import { PKI_FINDINGS } from '../../constructs/pki/findings';

/** An object that kubectl printed: of any kind, with any content. */
interface Present {
  readonly kind?: unknown;
  readonly metadata?: { readonly name?: unknown; readonly namespace?: unknown };
  readonly spec?: Spec;
}

interface Spec {
  readonly secretName?: unknown;
  readonly issuerRef?: { readonly kind?: unknown; readonly name?: unknown; readonly group?: unknown };
  readonly ca?: { readonly secretName?: unknown };
  readonly sources?: unknown;
}

/** Where a mesh has its certificates. */
export interface CertificatePlaces {
  readonly linkerdNamespace: string;
  readonly certManagerNamespace: string;
}

/** Why an anchor cannot be adopted, or what to run before. */
export interface Adoption {
  readonly problems: readonly Problem[];
  /** Commands. */
  readonly before: readonly string[];
}

/**
 * Returns the objects in what `kubectl get certificates,issuers,clusterissuers,bundles --all-namespaces -o yaml` prints,
 * also as JSON.
 *
 * @throws SyntaxError if it is neither
 */
export function presentObjects(text: string): readonly Present[] {
  const documents = parseDocuments(text).map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new SyntaxError(error.message.split('\n')[0]);
    return document.toJS() as unknown;
  });
  return documents.flatMap(itemsOf);
}

function itemsOf(document: unknown): readonly Present[] {
  if (document === null || document === undefined) return [];
  if (!isObject(document)) throw new SyntaxError('it has no objects');
  const { items } = document as { readonly items?: unknown };
  const objects = Array.isArray(items) ? items : [document];
  return objects.filter((object): object is Present => isObject(object));
}

/** Checks the names by which the operator finds the certificates of a mesh, from the identity issuer up. */
export function checkPresent(objects: readonly Present[], places: CertificatePlaces): Adoption {
  const { linkerdNamespace: namespace, certManagerNamespace } = places;
  const ofKind = (kind: string, at?: string) =>
    objects.filter((one) => one.kind === kind && (at === undefined || one.metadata?.namespace === at));
  const issuer = ofKind('Certificate', namespace).find(({ spec }) => spec?.secretName === IDENTITY_ISSUER);
  if (issuer === undefined) {
    return { problems: [PKI_FINDINGS.anchorNotAdoptableNoCertificate({ namespace })], before: [] };
  }
  const signer = ofKind('ClusterIssuer').find((one) => one.metadata?.name === IDENTITY_ISSUER);
  const certificate = ofKind('Certificate', certManagerNamespace).find(({ spec }) => spec?.secretName === ANCHOR);
  const bundle = ofKind('Bundle').find((one) => one.metadata?.name === TRUST_ROOTS);
  const sources = sourcesOf(bundle);
  const labelled = [...(certificate === undefined ? [ANCHOR] : []), ...sources.secrets];
  return {
    problems: [
      ...checkIssuer(issuer, namespace),
      ...signerProblems(issuer, signer, certManagerNamespace),
      ...checkName('Certificate', certificate, { name: ANCHOR, namespace: certManagerNamespace }),
      ...sources.others.map((source) => PKI_FINDINGS.anchorNotAdoptableSource({ source, label: LABEL })),
    ],
    before: labelled.map((name) => labelCommand(name, certManagerNamespace)),
  };
}

const LABEL = `${TRUST_ANCHOR_LABEL}=previous`;

function checkIssuer(issuer: Present, namespace: string): readonly Problem[] {
  return checkName('Certificate', issuer, { name: IDENTITY_ISSUER, namespace });
}

interface Wanted {
  readonly name: string;
  readonly namespace: string;
}

function checkName(kind: string, object: Present | undefined, { name, namespace }: Wanted): readonly Problem[] {
  const found = object?.metadata?.name;
  if (found === undefined || found === name) return [];
  return [PKI_FINDINGS.anchorNotAdoptableName({ kind, found: String(found), name, namespace })];
}

/** The identity issuer must be signed by the ClusterIssuer that the operator points at anchors. */
function signerProblems(issuer: Present, signer: Present | undefined, namespace: string): readonly Problem[] {
  const { kind = 'Issuer', name, group = 'cert-manager.io' } = issuer.spec?.issuerRef ?? {};
  const isOurs = kind === 'ClusterIssuer' && name === IDENTITY_ISSUER && group === 'cert-manager.io';
  const secret = signer?.spec?.ca?.secretName;
  if (!isOurs) return [PKI_FINDINGS.anchorNotAdoptableIssuer({ found: `${kind} ${name}`, namespace })];
  if (secret === ANCHOR) return [];
  const found = secret === undefined ? 'no Secret of cert-manager' : `the Secret ${secret}`;
  return [PKI_FINDINGS.anchorNotAdoptableSecret({ found, namespace })];
}

interface Sources {
  /** Names of other Secrets than the anchor's. */
  readonly secrets: readonly string[];
  /** Sources that cannot be selected by a label, as they are. */
  readonly others: readonly string[];
}

type Source = Bundle['spec']['sources'][number];

/** The printed Bundle selects by label: what the present one takes from elsewhere would leave it. */
function sourcesOf(bundle: Present | undefined): Sources {
  const given: unknown = bundle?.spec?.sources;
  const sources = (Array.isArray(given) ? given : []).filter((one): one is Source => isObject(one));
  const isLabelled = ({ selector }: NonNullable<Source['secret']>) =>
    JSON.stringify(selector)?.includes(TRUST_ANCHOR_LABEL);
  const unlabelled = sources.filter(({ secret, configMap }) => !isLabelled(secret ?? configMap ?? {}));
  const nameOf = ({ secret }: Source) => (secret?.key === 'tls.crt' ? secret.name : undefined);
  const names = unlabelled.flatMap((source) => nameOf(source) ?? []);
  return {
    secrets: [...new Set(names)].filter((name) => name !== ANCHOR),
    others: unlabelled.filter((source) => nameOf(source) === undefined).map(describe),
  };
}

function describe(source: Source): string {
  const [kind = 'source'] = Object.keys(source);
  const { name, key } = source.secret ?? source.configMap ?? {};
  return [kind, ...(name === undefined ? [] : [name]), ...(key === undefined ? [] : [`(key ${key})`])].join(' ');
}

function labelCommand(name: string, namespace: string): string {
  const role = name === ANCHOR ? 'current' : 'previous';
  return `kubectl label secret ${shellWord(name)} --namespace ${shellWord(namespace)} ${TRUST_ANCHOR_LABEL}=${role}`;
}
