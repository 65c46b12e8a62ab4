import type { Duration } from 'cdk8s';
import { BRIDGE_DEFAULTS, TRUST_ANCHOR_DEFAULTS, type TrustAnchorSpec } from '#anchor/trust-anchor';
import { defined } from '#base/defined';
import { checkGoDuration, type DurationLike, goDuration, milliseconds } from '#kubernetes/options/duration-like';
import { DURATION, type KnownKeys, keysOf, NUMBER } from '#kubernetes/options/known-keys';
import type { AnchorBridge } from './anchor-bridge';
import { OPERATOR_ROTATION, type OperatorRotation } from './operator-rotation';
import type { Validity } from './validity';

/** An issuer: an object of the same cluster, or one declared by the cluster's `external`. */
export interface IssuerReference {
  /** Name of the issuer. */
  readonly name: string;

  /**
   * `ClusterIssuer`, `Issuer` (then in the control plane's namespace), or the kind of an external issuer, such as
   * `AWSPCAClusterIssuer`.
   *
   * @default 'ClusterIssuer'
   */
  readonly kind?: string;

  /**
   * API group of the kind.
   *
   * @default 'cert-manager.io'
   */
  readonly group?: string;
}

/** The anchor's certificates, in a Secret of cert-manager's namespace with the label `cdk8s-linkerd/trust-anchor`. */
export interface SecretRoots {
  /** Name of the Secret, which must exist. */
  readonly secretName: string;

  /**
   * Key of the PEM certificates. A previous anchor's Secret must have the same key.
   *
   * @default 'ca.crt'
   */
  readonly key?: string;

  readonly certificates?: never;
}

/** The anchor's certificates as PEM text, including previous ones. */
export interface PemRoots {
  /** One or more CA certificates in PEM: ECDSA P-256, RSA 2048 or RSA 4096. No private keys. */
  readonly certificates: string;

  readonly secretName?: never;
  readonly key?: never;
}

/**
 * An anchor that cert-manager issues: a self-signed CA with its private key in cert-manager's namespace.
 *
 * With `'manual'` and `'automatic-unsafe'`, changing its `duration`, the trust domain or the control plane's namespace
 * rotates it: cert-manager issues a new anchor at once. Changing `renewBefore` or `rotation` does not. With
 * `'operator'`, all of these changes apply to the next anchor.
 */
export type OwnTrustAnchor = Validity & {
  /** @default 'cert-manager' - may be omitted: other sources come from the functions of `TrustAnchor` */
  readonly from?: 'cert-manager';
} & (
    | {
        /**
         * Who renews it: `'operator'` rotates it without restarts.
         *
         * @default 'operator' - with `operator`, or with a ReconcilerOperator for all namespaces of the same cluster;
         * else 'manual'; with a cert-manager before 1.21, which does not support 'manual', an error that explains the
         * choice
         */
        readonly rotation?: 'operator';

        /**
         * How the operator rotates it.
         *
         * @default - the default of each option
         */
        readonly operator?: OperatorRotation;

        readonly generation?: never;
      }
    | {
        /** An administrator renews it, and restarts all proxies afterwards. */
        readonly rotation: 'manual';

        /**
         * The generation of the operator's last anchor, when you return from `'operator'`: the number in the name of
         * the Secret that the ClusterIssuer linkerd-identity-issuer signs with.
         *
         * Set 0 where the operator has not replaced the first anchor: synth refuses a return without a number.
         *
         * @default 0 - the anchor linkerd-trust-anchor, which no operator issued
         */
        readonly generation?: number;

        readonly operator?: never;
      }
    | {
        /** cert-manager renews it, and restarts no pods. */
        readonly rotation: 'automatic-unsafe';
        readonly generation?: never;
        readonly operator?: never;
      }
  );

/** The source of a mesh's trust anchor: issued by cert-manager, or existing (`TrustAnchor.from…`). */
export type TrustAnchorSource =
  | OwnTrustAnchor
  | {
      readonly from: 'secret';
      /** Name of the Secret in cert-manager's namespace. */
      readonly secretName: string;
      /** Key of its certificate. A previous anchor's Secret must have the same key. */
      readonly key: string;
    }
  | {
      readonly from: 'issuer';
      /** The issuer that signs the identity issuer. */
      readonly issuer: IssuerReference;
      /** The roots that proxies trust. */
      readonly roots: SecretRoots | PemRoots;
    };

type OfSource<From extends 'secret' | 'issuer'> = Extract<TrustAnchorSource, { readonly from: From }>;

const OWN = keysOf<OwnTrustAnchor>({
  duration: DURATION,
  renewBefore: DURATION,
  from: true,
  rotation: true,
  operator: OPERATOR_ROTATION,
  generation: NUMBER,
});
const OF_SECRET = keysOf<OfSource<'secret'>>({ from: true, secretName: true, key: true });
const OF_ISSUER = keysOf<OfSource<'issuer'>>({
  from: true,
  issuer: keysOf<IssuerReference>({ name: true, kind: true, group: true }),
  roots: keysOf<SecretRoots | PemRoots>({ secretName: true, key: true, certificates: true }),
});

/** Returns the keys of a trust anchor of a source. */
export function trustAnchorKeys({ from }: { readonly from?: unknown }): KnownKeys {
  if (from === 'secret') return OF_SECRET;
  return from === 'issuer' ? OF_ISSUER : OWN;
}

/**
 * Existing trust anchors.
 *
 * @example
 * new CertManagerPKI(home, 'pki', {
 *   certManager,
 *   trustAnchor: TrustAnchor.fromClusterIssuer({ name: 'vault', roots: { secretName: 'vault-roots' } }),
 * });
 */
export class TrustAnchor {
  /**
   * Returns the anchor in an existing Secret of type `kubernetes.io/tls` in cert-manager's namespace, including its
   * key.
   *
   * The trust bundle finds it by a label, which you set on the Secret: `kubectl label secret -n cert-manager <name>
   * cdk8s-linkerd/trust-anchor=current`
   */
  static fromSecret(props: { readonly secretName: string; readonly key?: string }): TrustAnchorSource {
    return { from: 'secret', secretName: props.secretName, key: props.key ?? 'tls.crt' };
  }

  /**
   * Returns the anchor behind an existing issuer: a CA issuer, Vault, Venafi, AWS Private CA or similar.
   *
   * `roots` are the roots that proxies trust: a Secret, labelled as for `fromSecret`, or PEM certificates.
   */
  static fromClusterIssuer(props: IssuerReference & { readonly roots: SecretRoots | PemRoots }): TrustAnchorSource {
    const { roots, ...issuer } = props;
    return { from: 'issuer', issuer, roots };
  }

  /**
   * Returns an anchor whose private key never enters the cluster. Its certificates are in Git, including previous ones;
   * an issuer with an intermediate, or an external issuer, signs the identity issuer.
   */
  static fromPem(props: PemRoots & { readonly issuer: IssuerReference }): TrustAnchorSource {
    return { from: 'issuer', issuer: props.issuer, roots: { certificates: props.certificates } };
  }
}

/** Returns the generation of a manually rotated anchor; 0 for an invalid one, which `checkOperated` reports. */
export function generationOf({ generation = 0 }: OwnTrustAnchor): number {
  return isGeneration(generation) ? generation : 0;
}

/** Whether a number is a valid generation. */
export function isGeneration(generation: number): boolean {
  return Number.isInteger(generation) && generation >= 0;
}

/** Whether cert-manager issues the anchor. */
export function isOwnAnchor(source: TrustAnchorSource): source is OwnTrustAnchor {
  return source.from === undefined || source.from === 'cert-manager';
}

/** Whether a user or another cluster signs bridges. The operator then answers requests for their certificates. */
export function hasBridgeRequests(source: TrustAnchorSource): boolean {
  return isSignedByUser(source) || (isOwnAnchor(source) && source.operator?.bridge?.signedBy === 'Member');
}

/** Whether a user signs bridges to the next anchor. */
export function isSignedByUser(source: TrustAnchorSource): boolean {
  return isOwnAnchor(source) && source.operator?.bridge?.signedBy === 'Request';
}

/** Returns the clusters whose anchors the operator certifies. */
export function certifiedClusters(source: TrustAnchorSource): readonly string[] {
  return isOwnAnchor(source) ? (source.operator?.certifies ?? []).map(({ cluster }) => cluster) : [];
}

/**
 * The roles of Secrets in the trust bundle:
 *
 * - `current`: the anchor that a Certificate renews.
 * - `signing`: the anchor that signs identity issuers, if separate from the current one.
 * - `previous`: the previous anchor, trusted until no certificate of it is in use.
 */
export const TRUST_ANCHOR_ROLES = ['current', 'signing', 'previous'] as const;

interface MeshNames {
  readonly controlPlaneNamespace: string;
  readonly trustDomain: string;
}

/** Returns the common name of an anchor that cert-manager issues. */
export function anchorCommonName({ controlPlaneNamespace, trustDomain }: MeshNames): string {
  return `root.${controlPlaneNamespace}.${trustDomain}`;
}

/**
 * Returns the common name of an anchor that the operator rotates. If another cluster certifies the anchor, the name
 * includes this cluster's name: a certificate must not have the subject of its issuer.
 */
export function operatedCommonName(mesh: MeshNames, { cluster, bridge }: OperatorRotation = {}): string {
  const name = anchorCommonName(mesh);
  return bridge?.signedBy === 'Member' && cluster !== undefined ? name.replace('root.', `root.${cluster}.`) : name;
}

/**
 * Returns the identity that proxies expect of an issuer (linkerd2, controller/cmd/identity:
 * `identity.<namespace>.<domain>`).
 */
export function identityName({ controlPlaneNamespace, trustDomain }: MeshNames): string {
  return `identity.${controlPlaneNamespace}.${trustDomain}`;
}

/** The mesh of an anchor. */
export interface AnchoredMesh extends MeshNames {
  readonly issuanceLifetime: Duration;
  readonly clockSkewAllowance: Duration;
}

/** Returns the spec of the TrustAnchor by which the operator rotates an anchor. */
export function trustAnchorSpec(
  mesh: AnchoredMesh,
  { duration, renewBefore, operator = {} }: OwnTrustAnchor,
  certManagerNamespace: string,
): TrustAnchorSpec {
  const { cluster, members, laggards = {}, windows, propagationDelay, rotateNow, bridge }: OperatorRotation = operator;
  const { compromised = [], certifies } = operator;
  const { policy, maxUnavailableWorkloads, progressDeadline, ignoredNamespaces } = laggards;
  return {
    ...TRUST_ANCHOR_DEFAULTS,
    ...defined({
      paused: operator.paused,
      abort: operator.abort,
      acceptUnseenProxies: operator.acceptUnseenProxies,
      probes: operator.probes,
      propagationDelay: propagationDelay && text(propagationDelay),
      rotateNow,
      compromised: compromised.length > 0 ? compromised : undefined,
      cluster,
      members,
      bridge: bridge && anchorBridge(bridge, mesh.trustDomain),
      certifies: certifies?.map((one) => ({ ...one })),
      windows: windows?.map((window) => ({ ...window, duration: text(window.duration) })),
    }),
    controlPlaneNamespace: mesh.controlPlaneNamespace,
    certManagerNamespace,
    commonName: operatedCommonName(mesh, operator),
    duration: text(duration),
    renewBefore: text(renewBefore),
    issuanceLifetime: text(mesh.issuanceLifetime),
    clockSkewAllowance: text(mesh.clockSkewAllowance),
    laggards: {
      ...TRUST_ANCHOR_DEFAULTS.laggards,
      ...defined({
        policy,
        maxUnavailableWorkloads,
        progressDeadlineSeconds: progressDeadline === undefined ? undefined : wholeSeconds(progressDeadline),
        ignoredNamespaces,
      }),
    },
  };
}

function anchorBridge({ signedBy, ...bridge }: AnchorBridge, trustDomain: string): TrustAnchorSpec['bridge'] {
  const { certificate, member, ifUnsigned = BRIDGE_DEFAULTS.ifUnsigned }: Partial<AnchorBridge> = bridge;
  return {
    signedBy,
    ifUnsigned,
    ...(certificate !== undefined && { certificate }),
    ...(member !== undefined && { member }),
    ...(bridge.constrained && { trustDomain }),
  };
}

/** Returns an empty string for a duration that Go cannot represent, which rules report. */
function text(duration: DurationLike): string {
  return checkGoDuration('', duration).length > 0 ? '' : goDuration(duration);
}

function wholeSeconds(duration: DurationLike): number {
  return checkGoDuration('', duration).length > 0 ? 0 : Math.ceil(milliseconds(duration) / 1_000);
}
