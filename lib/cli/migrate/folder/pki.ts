import { ANCHOR, IDENTITY_ISSUER, SELF_SIGNED_ISSUER, TRUST_ROOTS } from '#anchor/trust-anchor';
import type { Problem } from '#base/findings/problem';
import { headline } from '#base/findings/problem';
import { goDurationMs } from '#base/go-duration';
import { isSameValue } from '#base/same-value';
import { isMap, type Value, type Values } from '#base/values';
import { certificateSpec } from '#lib/constructs/pki/certificate';
import { anchorCommonName } from '#lib/constructs/pki/trust-anchor';
import { type ChainWindows, USUAL_VALIDITIES, type ValidityWindow, validityWindow } from '#lib/constructs/pki/validity';
import { checkChains, checkLimits } from '#lib/constructs/pki/validity-rules';
import { WEBHOOK_ISSUER } from '#lib/constructs/pki/webhook-certificate';
import { CLI_FINDINGS } from '../../findings';
import type { PlacedMap } from '../../repository/documents';
import { listAt, mapAt, text } from '../../repository/sources/source';

/** The origin of a mesh's trust anchor, as found in its repository. */
type GivenAnchor =
  | { readonly from: 'cert-manager'; readonly validity: ValidityWindow; readonly isManual: boolean }
  | { readonly from: 'secret'; readonly secretName: string; readonly key?: string | undefined }
  | { readonly from: 'roots'; readonly secretName: string; readonly key?: string | undefined };

/** The issuer that signs the identity issuer. */
export interface GivenSigner {
  readonly name: string;
  readonly kind?: string | undefined;
  readonly group?: string | undefined;
}

/** The props of CertManagerPKI that the certificates in a repository determine. */
export interface GivenPki {
  readonly windows: Partial<Pick<ChainWindows, 'identityIssuer' | 'webhookIssuer' | 'webhooks'>>;
  /** Absent if the certificates do not determine it. */
  readonly anchor?: GivenAnchor | undefined;
  readonly signer?: GivenSigner | undefined;
  /** Notes about omitted parts, with their places. */
  readonly notes: readonly Problem[];
  /** The objects that the program creates itself. */
  readonly replaced: readonly PlacedMap[];
}

/** Settings of the mesh that affect its certificates. */
export interface MeshFacts {
  readonly controlPlaneNamespace: string;
  readonly trustDomain: string;
  readonly certManagerNamespace: string;
  /** In milliseconds. */
  readonly issuanceLifetime: number;
  /** In milliseconds. */
  readonly clockSkewAllowance: number;
}

/** Reads the certificates of a mesh, which Linkerd's charts find by the names of their Secrets. */
export function pkiIn(objects: readonly PlacedMap[], mesh: MeshFacts): GivenPki {
  const own = objects.filter(({ data }) =>
    /^cert-manager\.io\/|^trust\.cert-manager\.io\//.test(String(data.apiVersion)),
  );
  const certificates = own.filter(({ data }) => data.kind === 'Certificate');
  const bySecret = (name: string) => certificates.find(({ data }) => mapAt(data, 'spec').secretName === name);
  const identity = bySecret(IDENTITY_ISSUER);
  const anchor = anchorIn(own, identity, mesh);
  const webhooks = certificates.find(({ data }) => isWebhook(data));
  const windows = windowsIn(
    { identityIssuer: identity, webhookIssuer: bySecret(WEBHOOK_ISSUER) ?? bySecret('webhook-issuer-tls'), webhooks },
    anchor.given?.from === 'cert-manager' ? { ...mesh, trustAnchor: anchor.given.validity } : mesh,
  );
  const bundle = own.find(({ data }) => data.kind === 'Bundle' && mapAt(data, 'metadata').name === TRUST_ROOTS);
  const ofBundle: ReturnType<typeof bundleIn> = bundle === undefined ? { notes: [] } : bundleIn(bundle);
  const signer = identity === undefined ? undefined : signerOf(identity);
  const roots = ofBundle.roots && ({ from: signer === undefined ? 'secret' : 'roots', ...ofBundle.roots } as const);
  const keys = [identity, webhooks].flatMap((one) => (one === undefined ? [] : keyNotes(one)));
  return {
    windows: windows.given,
    anchor: anchor.given ?? roots,
    signer,
    notes: [...windows.notes, ...anchor.notes, ...ofBundle.notes, ...keys],
    replaced: own.filter((object) => isReplaced(object, [identity, bundle, ...anchor.replaced])),
  };
}

const WEBHOOKS = ['linkerd-proxy-injector', 'linkerd-sp-validator', 'linkerd-policy-validator', 'tap', 'tap-injector'];

function isWebhook({ spec }: Values): boolean {
  return WEBHOOKS.some((service) => isMap(spec) && spec.secretName === `${service}-k8s-tls`);
}

const OF_WEBHOOKS = [WEBHOOK_ISSUER, 'webhook-issuer', 'webhook-issuer-tls'];

function isReplaced(object: PlacedMap, named: readonly (PlacedMap | undefined)[]): boolean {
  const { data } = object;
  const names = [mapAt(data, 'metadata').name, mapAt(data, 'spec').secretName];
  return named.includes(object) || isWebhook(data) || names.some((name) => OF_WEBHOOKS.includes(String(name)));
}

/** Returns the window of a Certificate. cert-manager's default is 90 days, with renewal after two thirds. */
function windowOf({ data }: PlacedMap): ValidityWindow | undefined {
  const { duration = '2160h', renewBefore, renewBeforePercentage } = mapAt(data, 'spec');
  const length = goDurationMs(String(duration));
  if (length === undefined) return undefined;
  const share = typeof renewBeforePercentage === 'number' ? renewBeforePercentage / 100 : 1 / 3;
  const before = renewBefore === undefined ? Math.ceil(length * share) : goDurationMs(String(renewBefore));
  return before === undefined ? undefined : { duration: length, renewBefore: before };
}

type Key = 'identityIssuer' | 'webhookIssuer' | 'webhooks';

const USUAL = {
  identityIssuer: validityWindow(USUAL_VALIDITIES.identityIssuer),
  webhookIssuer: validityWindow(USUAL_VALIDITIES.webhookIssuer),
  webhooks: validityWindow(USUAL_VALIDITIES.webhooks),
};

/** Adds the windows one by one, except windows that synth would refuse. */
function windowsIn(
  found: Readonly<Record<Key, PlacedMap | undefined>>,
  { issuanceLifetime, clockSkewAllowance, trustAnchor }: Omit<ChainWindows, Key>,
): { readonly given: GivenPki['windows']; readonly notes: readonly Problem[] } {
  const mesh = { issuanceLifetime, clockSkewAllowance, ...(trustAnchor !== undefined && { trustAnchor }) };
  const given: Partial<Record<Key, ValidityWindow>> = {};
  const notes: Problem[] = [];
  for (const [key, object] of Object.entries(found) as [Key, PlacedMap | undefined][]) {
    const window = object === undefined ? undefined : windowOf(object);
    if (object === undefined || window === undefined) {
      if (object !== undefined) notes.push(left(object, 'its duration is not a Go duration'));
      continue;
    }
    const windows = { ...USUAL, ...mesh, ...given, [key]: window };
    const [problem] = [...checkLimits(windows), ...checkChains(windows)];
    if (problem === undefined) given[key] = window;
    else
      notes.push(
        left(object, `the program uses the default of ${key}, because synth refuses this window: ${headline(problem)}`),
      );
  }
  return { given, notes };
}

interface FoundAnchor {
  readonly given: GivenAnchor | undefined;
  readonly notes: readonly Problem[];
  readonly replaced: readonly PlacedMap[];
}

/** Follows the identity issuer to its signer. */
function anchorIn(objects: readonly PlacedMap[], identity: PlacedMap | undefined, mesh: MeshFacts): FoundAnchor {
  const nothing = { given: undefined, notes: [], replaced: [] };
  if (identity === undefined) return nothing;
  const signer = signerOf(identity);
  const kind = signer?.kind;
  const issuer = objects.find(({ data }) => data.kind === kind && mapAt(data, 'metadata').name === signer?.name);
  if (issuer === undefined) return nothing;
  const secretName = text(mapAt(issuer.data, 'spec.ca').secretName);
  const namespace = kind === 'ClusterIssuer' ? mesh.certManagerNamespace : mapAt(issuer.data, 'metadata').namespace;
  // The constructs read anchors in cert-manager's namespace.
  if (secretName === undefined || namespace !== mesh.certManagerNamespace) return nothing;
  const certificate = objects.find(
    ({ data }) => data.kind === 'Certificate' && mapAt(data, 'spec').secretName === secretName,
  );
  const ofSecret: FoundAnchor = { ...nothing, given: { from: 'secret', secretName } };
  if (certificate === undefined) return ofSecret;
  const differing = differencesOf(certificate, mesh);
  const validity = windowOf(certificate);
  if (differing.length > 0 || validity === undefined) {
    const why = `${differing.join(', ')} differ from the fields of CertManagerPKI, so cert-manager would issue another anchor; the program uses the Secret`;
    return { ...ofSecret, notes: [left(certificate, why)] };
  }
  const windows = { ...USUAL, ...mesh, trustAnchor: validity };
  const [problem] = [...checkLimits(windows), ...checkChains(windows)];
  if (problem !== undefined) {
    const why = `the program uses the Secret, because synth refuses the windows of this anchor: ${headline(problem)}`;
    return { ...ofSecret, notes: [left(certificate, why)] };
  }
  const isManual = mapAt(certificate.data, 'spec.renewal').policy === 'Disabled';
  const selfSigned = objects.find(
    ({ data }) => data.kind === 'Issuer' && mapAt(data, 'metadata').name === SELF_SIGNED_ISSUER,
  );
  const isSame = mapAt(issuer.data, 'metadata').name === IDENTITY_ISSUER;
  const replaced = [certificate, ...(selfSigned === undefined ? [] : [selfSigned]), ...(isSame ? [issuer] : [])];
  return { given: { from: 'cert-manager', validity, isManual }, notes: [], replaced };
}

function signerOf({ data }: PlacedMap): GivenSigner | undefined {
  const { name, kind, group } = mapAt(data, 'spec.issuerRef');
  return text(name) === undefined
    ? undefined
    : { name: String(name), kind: text(kind) ?? 'Issuer', group: text(group) };
}

/** Fields that cert-manager does not compare with an existing certificate. */
const FREE = ['secretTemplate', 'renewBefore', 'renewBeforePercentage', 'renewal', 'revisionHistoryLimit', 'duration'];

/** Returns the fields that differ from CertManagerPKI: because of them, cert-manager would reissue the anchor. */
function differencesOf({ data }: PlacedMap, mesh: MeshFacts): readonly string[] {
  const { name, namespace } = mapAt(data, 'metadata');
  const expected = certificateSpec({
    purpose: 'root',
    secretName: ANCHOR,
    issuerRef: { group: 'cert-manager.io', kind: 'Issuer', name: SELF_SIGNED_ISSUER },
    validity: USUAL_VALIDITIES.webhookIssuer,
    commonName: anchorCommonName(mesh),
  });
  const [given, wanted] = [comparable(mapAt(data, 'spec')), comparable(expected as unknown as Values)];
  const fields = [...new Set([...Object.keys(given), ...Object.keys(wanted)])];
  return [
    ...(name === ANCHOR ? [] : ['metadata.name']),
    ...(namespace === mesh.certManagerNamespace ? [] : ['metadata.namespace']),
    ...fields.filter((field) => !isSameValue(given[field], wanted[field])).map((field) => `spec.${field}`),
  ];
}

function comparable(spec: Values): Values {
  const { algorithm = 'RSA', size, encoding = 'PKCS1' } = mapAt(spec, 'privateKey');
  const usual: Value | undefined = algorithm === 'ECDSA' ? 256 : undefined;
  const rest = Object.entries(spec).filter(([key]) => !FREE.includes(key));
  return {
    ...Object.fromEntries(rest),
    isCA: spec.isCA ?? false,
    usages: [...listAt(spec, 'usages')].map(String).sort(),
    issuerRef: { group: 'cert-manager.io', kind: 'Issuer', ...mapAt(spec, 'issuerRef') },
    privateKey: { algorithm, size: size ?? usual, encoding } as Values,
  };
}

/** Linkerd accepts only ECDSA keys of 256 bits. */
function keyNotes(object: PlacedMap): readonly Problem[] {
  const { algorithm = 'RSA', size = 256 } = mapAt(object.data, 'spec.privateKey');
  return algorithm === 'ECDSA' && size === 256
    ? []
    : [
        left(
          object,
          `its key is ${algorithm} ${algorithm === 'RSA' ? '' : `of ${size} bits `}and CertManagerPKI always requests ECDSA of 256 bits`,
        ),
      ];
}

/** Returns the Secret of the roots among the sources of a Bundle, and notes about sources that a program cannot use. */
function bundleIn(bundle: PlacedMap): {
  readonly roots?: { readonly secretName: string; readonly key?: string };
  readonly notes: readonly Problem[];
} {
  const sources = listAt(mapAt(bundle.data, 'spec'), 'sources').filter(isMap);
  const secrets = sources.map((source) => mapAt(source, 'secret')).filter(({ name }) => text(name) !== undefined);
  const [first] = secrets;
  const others = sources.filter((source) => mapAt(source, 'secret').name !== first?.name || first === undefined);
  const notes = others.map((source) =>
    left(
      bundle,
      `the source ${Object.keys(source).join(', ')}: TrustBundle selects anchors by the label cdk8s-linkerd/trust-anchor`,
    ),
  );
  if (first === undefined) return { notes };
  const key = text(first.key);
  const isOther = key !== undefined && key !== 'tls.crt';
  return { roots: { secretName: String(first.name), ...(isOther && { key }) }, notes };
}

/** Returns the note about an object, or a part of it, that the program leaves out. */
export function left({ data, file, line }: PlacedMap, reason: string): Problem {
  const name = text(mapAt(data, 'metadata').name) ?? '';
  return CLI_FINDINGS.notMigratedManifest({ place: `${file}:${line}`, kind: String(data.kind), name, reason });
}
