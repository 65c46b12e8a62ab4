import { ANCHOR, IDENTITY_ISSUER, TRUST_ANCHOR_LABEL, TRUST_ROOTS } from '#anchor/trust-anchor';
import { defined } from '#base/defined';
import type { Problem } from '#base/findings/problem';
import { shellWord } from '#base/shell-word';
import { isMap, type Values, valueAt } from '#base/values';
import { PKI_FINDINGS } from '../../constructs/pki/findings';
import type { Validity } from '../../constructs/pki/validity';
import { documentsIn } from '../repository/documents';
import { listAt, mapAt, text } from '../repository/sources/source';

/** The namespaces of a mesh's certificates. */
export interface CertificatePlaces {
  readonly linkerdNamespace: string;
  readonly certManagerNamespace: string;
}

/** Why a trust anchor cannot be adopted, or the commands to run first. */
export interface Adoption {
  readonly problems: readonly Problem[];
  readonly before: readonly string[];
  /** Validity of the Certificate of the identity issuer, if it has one. */
  readonly identityIssuer?: Validity;
}

/**
 * Returns the objects that `kubectl get certificates,issuers,clusterissuers,bundles --all-namespaces -o yaml` prints,
 * also in JSON.
 *
 * @throws SyntaxError for any other text
 */
export function presentObjects(printed: string): readonly Values[] {
  return documentsIn(printed).flatMap(({ data, maps, line = 1, unreadable }) => {
    if (unreadable !== undefined) throw new SyntaxError(`${unreadable} in line ${line}`);
    if (data !== null && !isMap(data)) throw new SyntaxError('it has no objects');
    return maps.map((map) => map.data);
  });
}

function textAt(object: Values | undefined, path: string): string | undefined {
  return object && text(valueAt(object, path));
}

/** Checks the names by which the operator finds the certificates of a mesh, from the identity issuer up. */
export function checkPresent(objects: readonly Values[], places: CertificatePlaces): Adoption {
  const { linkerdNamespace: namespace, certManagerNamespace } = places;
  const withSecret = (secretName: string, at: string) =>
    objects.find(
      (one) =>
        one.kind === 'Certificate' &&
        textAt(one, 'metadata.namespace') === at &&
        textAt(one, 'spec.secretName') === secretName,
    );
  const named = (kind: string, name: string) =>
    objects.find((one) => one.kind === kind && textAt(one, 'metadata.name') === name);
  const issuer = withSecret(IDENTITY_ISSUER, namespace);
  if (issuer === undefined) {
    return { problems: [PKI_FINDINGS.anchorNotAdoptableNoCertificate({ namespace })], before: [] };
  }
  const anchor = withSecret(ANCHOR, certManagerNamespace);
  const bundle = named('Bundle', TRUST_ROOTS);
  const { secrets, others } = sourcesOf(bundle);
  // If there is a Certificate, the operator labels its Secret, but only after the Bundle exists.
  const unlabelled = new Set([...(anchor === undefined || bundle === undefined ? [ANCHOR] : []), ...secrets]);
  return {
    problems: [
      ...checkName(issuer, { name: IDENTITY_ISSUER, namespace }),
      ...checkSigner(issuer, named('ClusterIssuer', IDENTITY_ISSUER), certManagerNamespace),
      ...checkName(anchor, { name: ANCHOR, namespace: certManagerNamespace }),
      ...others.map((source) => PKI_FINDINGS.anchorNotAdoptableSource({ source, label: PREVIOUS })),
    ],
    before: [...unlabelled].map((name) => labelCommand(name, certManagerNamespace)),
    ...validityOf(issuer),
  };
}

/** The construct of the operator reports invalid durations. */
function validityOf(issuer: Values): Pick<Adoption, 'identityIssuer'> {
  const [duration, renewBefore] = [textAt(issuer, 'spec.duration'), textAt(issuer, 'spec.renewBefore')];
  if (duration === undefined || renewBefore === undefined) return {};
  return { identityIssuer: { duration, renewBefore } as Validity };
}

const PREVIOUS = `${TRUST_ANCHOR_LABEL}=previous`;

function checkName(
  certificate: Values | undefined,
  { name, namespace }: { readonly name: string; readonly namespace: string },
): readonly Problem[] {
  const found = textAt(certificate, 'metadata.name');
  return found === undefined || found === name ? [] : [PKI_FINDINGS.anchorNotAdoptableName({ found, name, namespace })];
}

/** The identity issuer must be signed by the ClusterIssuer whose CA the operator replaces in a rotation. */
function checkSigner(issuer: Values, signer: Values | undefined, namespace: string): readonly Problem[] {
  const of = (key: string) => textAt(issuer, `spec.issuerRef.${key}`);
  const {
    kind = 'Issuer',
    group = CERT_MANAGER,
    name = '',
  } = defined({ kind: of('kind'), group: of('group'), name: of('name') });
  if (kind !== 'ClusterIssuer' || group !== CERT_MANAGER || name !== IDENTITY_ISSUER) {
    return [PKI_FINDINGS.anchorNotAdoptableIssuer({ found: `${kind} ${name}`, namespace })];
  }
  const secret = textAt(signer, 'spec.ca.secretName');
  if (secret === ANCHOR) return [];
  if (secret === undefined) return [PKI_FINDINGS.anchorNotAdoptableNoSecret({ namespace })];
  return [PKI_FINDINGS.anchorNotAdoptableSecret({ found: secret, namespace })];
}

const CERT_MANAGER = 'cert-manager.io';

interface Sources {
  readonly secrets: readonly string[];
  /** Sources that a label cannot select. */
  readonly others: readonly string[];
}

/** The printed Bundle selects Secrets by label, and would lose the other sources of the present Bundle. */
function sourcesOf(bundle: Values | undefined): Sources {
  const unlabelled = listAt(mapAt(bundle ?? {}, 'spec'), 'sources')
    .filter(isMap)
    .filter((source) => !JSON.stringify(source).includes(`"${TRUST_ANCHOR_LABEL}"`));
  const nameOf = (source: Values) =>
    textAt(source, 'secret.key') === 'tls.crt' ? textAt(source, 'secret.name') : undefined;
  return {
    secrets: unlabelled.flatMap((source) => nameOf(source) ?? []),
    others: unlabelled.filter((source) => nameOf(source) === undefined).map(describe),
  };
}

function describe(source: Values): string {
  const [kind = '{}'] = Object.keys(source);
  const [name, key] = [textAt(source, `${kind}.name`), textAt(source, `${kind}.key`)];
  return [kind, ...(name === undefined ? [] : [name]), ...(key === undefined ? [] : [`(key ${key})`])].join(' ');
}

/** Returns the command that lets the Bundle find the Secret of an anchor. */
export function labelCommand(name: string, namespace: string): string {
  const role = name === ANCHOR ? 'current' : 'previous';
  return `kubectl label secret ${shellWord(name)} --namespace ${shellWord(namespace)} ${TRUST_ANCHOR_LABEL}=${role}`;
}
