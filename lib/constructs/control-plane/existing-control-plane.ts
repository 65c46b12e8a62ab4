import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { type Value, type Values, valueAt } from '#base/values';
import { goDurationOf, milliseconds } from '#kubernetes/options/duration-like';
import { FREE, keysOf, required } from '#kubernetes/options/known-keys';
import { overDefaults } from '#linkerd/charts/known-values';
import { defaultsOf } from '#linkerd/releases/chart-defaults';
import type { ControlPlaneValues } from '#linkerd/releases/chart-values';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import type { GivenRelease, Release } from '#linkerd/releases/release';
import { checkSecretsInValues } from '#linkerd/renderers/private-keys';
import type { Delivery } from '../../gitops/charts/helm-release';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { ANY_PKI } from '../pki/cert-manager-pki';
import type { ICertManagerPKI } from '../pki/existing-pki';
import { PKI_FINDINGS } from '../pki/findings';
import { checkConstrainedMembers } from '../pki/pki-rules';
import { isOwnAnchor } from '../pki/trust-anchor';
import { controlPlaneValues } from './control-plane-values';
import { propOfRelease } from './default-release';
import { CNI, type ILinkerdCni } from './linkerd-cni';
import type { ProxyRequirement } from './proxy-admission-policy';

/** Linkerd's control plane, installed by this library or not. */
export interface ILinkerdControlPlane<V extends LinkerdVersion = LinkerdVersion> extends IConstruct {
  /** The Linkerd release of the control plane. */
  readonly release: Release<V>;
  readonly namespace: string;
  readonly pki: ICertManagerPKI;
  /** The CNI plugin that redirects traffic, if any. */
  readonly cni?: ILinkerdCni;
  /** What to do with pods of the operator that start without their proxy. */
  readonly requireProxy: ProxyRequirement | false;
  /** How this library delivers its chart to the cluster; absent if it does not. */
  readonly delivery?: Delivery;
  /** @internal */
  readonly effectiveValues: Values;
}

/** A control plane that the cluster already has. */
export interface ExistingLinkerdControlPlaneProps<V extends LinkerdVersion = LinkerdVersion> {
  /** Certificates, namespace and domains of the control plane: usually `CertManagerPKI.fromExisting`. */
  readonly pki: ICertManagerPKI;

  /**
   * Linkerd release.
   *
   * @default - that of the cluster or its ring, else 'edge-26.8.3'
   */
  readonly version?: GivenRelease<V>;

  /**
   * CNI plugin that redirects the traffic of pods: usually `LinkerdCni.fromExisting`.
   *
   * @default - an init container in every meshed pod
   */
  readonly cni?: ILinkerdCni<NoInfer<V>>;

  /**
   * What to do with pods of the operator that start without their proxy.
   *
   * @default 'deny'
   */
  readonly requireProxy?: ProxyRequirement | false;

  /**
   * The values that it was installed with: `values` in the ConfigMap `linkerd-config`, without private keys.
   *
   * @default - those of Linkerd's guide to cert-manager, with the domains and durations of `pki`, and with `cni`
   */
  readonly values?: ControlPlaneValues<V>;
}

const PROPS = keysOf<ExistingLinkerdControlPlaneProps>({
  pki: required(ANY_PKI),
  version: FREE,
  cni: CNI,
  requireProxy: true,
  values: FREE,
});

/** The control plane of `LinkerdControlPlane.fromExisting`. */
export class ExistingControlPlane<V extends LinkerdVersion> extends Construct implements ILinkerdControlPlane<V> {
  readonly release: Release<V>;
  readonly namespace: string;
  readonly pki: ICertManagerPKI;
  readonly cni?: ILinkerdCni;
  readonly requireProxy: ProxyRequirement | false;
  readonly effectiveValues: Values;

  constructor(scope: Construct, id: string, props: ExistingLinkerdControlPlaneProps<V>) {
    super(scope, id);
    const { pki, cni, ...given } = propsOf<ExistingLinkerdControlPlaneProps<V>>(this, PROPS, props);
    this.release = propOfRelease(this, given.version);
    this.namespace = pki.controlPlaneNamespace;
    this.pki = pki;
    this.cni = cni;
    this.requireProxy = given.requireProxy ?? 'deny';
    const guide = controlPlaneValues({ ...domainsOf(pki), injectCaFrom: new Map(), cni: cni !== undefined });
    const values = given.values === undefined ? guide : plainValues(this, given.values);
    this.effectiveValues = overDefaults(defaultsOf(this.release).controlPlane, values);
    addRule(this, () => [
      ...checkSecretsInValues(values),
      ...checkAdoption(pki, this.effectiveValues),
      ...checkConstrainedMembers(pki.trustAnchor, this.release.version),
    ]);
  }
}

function domainsOf({ clusterDomain, trustDomain, issuanceLifetime, clockSkewAllowance }: ICertManagerPKI) {
  return { clusterDomain, trustDomain, issuanceLifetime, clockSkewAllowance };
}

/** Reports why the operator cannot rotate the anchor of an installed control plane. */
function checkAdoption(pki: ICertManagerPKI, values: Values): readonly Problem[] {
  const { trustAnchor } = pki;
  if (!isOwnAnchor(trustAnchor) || trustAnchor.rotation !== 'operator') return [];
  return [
    ...(valueAt(values, 'identity.externalCA') === true ? [] : [PKI_FINDINGS.anchorNotAdoptableRootsOfChart()]),
    ...(valueAt(values, 'identity.issuer.scheme') === 'kubernetes.io/tls'
      ? []
      : [PKI_FINDINGS.anchorNotAdoptableIssuerOfChart()]),
    ...installedSettings(pki, values)
      .filter(({ isSame }) => !isSame)
      .map(({ path, prop, installed }) =>
        PKI_FINDINGS.anchorNotAdoptableSetting({ path, prop, installed: String(JSON.stringify(installed)) }),
      ),
  ];
}

interface InstalledSetting {
  readonly path: string;
  readonly prop: string;
  readonly installed: Value | undefined;
  readonly isSame: boolean;
}

/** Compares the settings of linkerd-identity with those of the PKI, which the operator uses. */
function installedSettings(pki: ICertManagerPKI, values: Values): readonly InstalledSetting[] {
  const domain = valueAt(values, 'identityTrustDomain') || valueAt(values, 'clusterDomain');
  const durations = (['issuanceLifetime', 'clockSkewAllowance'] as const).map((prop) => {
    const path = `identity.issuer.${prop}`;
    const installed = valueAt(values, path);
    const duration = goDurationOf(installed);
    const isSame = duration !== undefined && milliseconds(duration) === milliseconds(pki[prop]);
    return { path, prop, installed, isSame };
  });
  const trustDomain = { path: 'identityTrustDomain', prop: 'trustDomain', installed: domain };
  return [{ ...trustDomain, isSame: domain === pki.trustDomain }, ...durations];
}
