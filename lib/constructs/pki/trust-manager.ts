import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { type Value, type Values, valueAt } from '#base/values';
import type { Values as ChartValues } from '#imports/charts/trust-manager/v0.24.0';
import { checkDnsLabel } from '#kubernetes/names';
import { FREE, keysOf, part, required } from '#kubernetes/options/known-keys';
import { type TrustManagerVersion, trustManagerChart } from '#linkerd/releases/cert-manager';
import { checkPrivateKeys } from '#linkerd/renderers/private-keys';
import { HelmRelease } from '../../gitops/charts/helm-release';
import { mirroredImages } from '../../gitops/charts/mirrored-values';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { dependsOn } from '../../gitops/tree/order';
import { propOfVersion, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { CERT_MANAGER, type ICertManager } from './cert-manager';
import { withExtraObjects } from './extra-objects';
import { PKI_FINDINGS } from './findings';

/** A trust-manager: one that this library installs, or one that the cluster already has. */
export interface ITrustManager extends IConstruct {
  readonly version: TrustManagerVersion;
  /** The only namespace from which Bundles read Secrets and ConfigMaps. */
  readonly trustNamespace: string;
  /** The only namespaces to which trust-manager may write; all if absent or empty. */
  readonly targetNamespaces?: readonly string[];
}

/** A trust-manager that the cluster already has. */
export interface ExistingTrustManagerProps {
  /**
   * Release of trust-manager, or the nearest older one that the type lists.
   *
   * @default 'v0.24.0'
   */
  readonly version?: TrustManagerVersion;

  /**
   * The trust namespace (`--trust-namespace`). Must be the namespace in which cert-manager keeps the mesh's anchors.
   *
   * @default 'cert-manager'
   */
  readonly trustNamespace?: string;
}

/** Props of TrustManager. */
export interface TrustManagerProps {
  /** The cert-manager in whose namespace it is installed. Its Bundles read from that namespace. */
  readonly certManager: ICertManager;

  /**
   * Release of the chart and of trust-manager itself.
   *
   * @default 'v0.24.0'
   */
  readonly version?: TrustManagerVersion;

  /**
   * Additional values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: ChartValues;
}

/** A trust-manager, installed by this library or not. */
export const TRUST_MANAGER = part('a TrustManager', 'version', 'trustNamespace');

const PROPS = keysOf<TrustManagerProps>({ certManager: required(CERT_MANAGER), version: true, values: FREE });
const EXISTING = keysOf<ExistingTrustManagerProps>({ version: true, trustNamespace: true });

/**
 * trust-manager from its Helm chart, in cert-manager's namespace, with its CRD. The CRD is kept when the chart is
 * removed: deleting it would delete the mesh's trust roots.
 *
 * @example
 * const trustManager = new TrustManager(home, 'trust-manager', { certManager });
 */
export class TrustManager extends Construct implements ITrustManager {
  /** Returns the trust-manager that the cluster already has; emits nothing. */
  static fromExisting(scope: Construct, id: string, props: ExistingTrustManagerProps = {}): ITrustManager {
    return new ExistingTrustManager(scope, id, props);
  }

  readonly version: TrustManagerVersion;
  readonly trustNamespace: string;
  readonly targetNamespaces: readonly string[];

  constructor(scope: Construct, id: string, props: TrustManagerProps) {
    super(scope, id);
    const given = propsOf<TrustManagerProps>(this, PROPS, props);
    this.version = given.version ?? 'v0.24.0';
    this.trustNamespace = given.certManager.namespace;
    const values = plainValues(this, given.values);
    this.targetNamespaces = targetNamespaces(values);

    dependsOn(this, given.certManager);
    const pinned = propOfVersion(this, () => trustManagerChart(this.version, this.targetNamespaces));
    const chart = withExtraObjects(pinned, values);
    new HelmRelease(this, 'chart', {
      chart,
      defaults: mirroredImages(this, chart),
      namespace: this.trustNamespace,
      fromProps: {
        crds: { enabled: true, keep: true },
        app: { trust: { namespace: this.trustNamespace } },
      },
      values,
    });

    addRule(this, () => [...checkNamespaceValue(values.namespace, this.trustNamespace), ...checkPrivateKeys(values)]);
  }
}

class ExistingTrustManager extends Construct implements ITrustManager {
  readonly version: TrustManagerVersion;
  readonly trustNamespace: string;

  constructor(scope: Construct, id: string, props: ExistingTrustManagerProps) {
    super(scope, id);
    const given = propsOf<ExistingTrustManagerProps>(this, EXISTING, props);
    this.version = given.version ?? 'v0.24.0';
    this.trustNamespace = given.trustNamespace ?? 'cert-manager';
    // Throws for an unknown release, which cannot be built.
    propOfVersion(this, () => trustManagerChart(this.version, []));
    declareReferences(this, { external: [{ kind: 'Namespace', name: this.trustNamespace }] });
    addRule(this, () => checkDnsLabel('trustNamespace', this.trustNamespace));
  }
}

/** With `app.targetNamespaces`, the chart writes a Role into each of them instead of one ClusterRole. */
function targetNamespaces(values: Values): readonly string[] {
  const namespaces = valueAt(values, 'app.targetNamespaces');
  return Array.isArray(namespaces) ? namespaces.filter((namespace) => typeof namespace === 'string') : [];
}

/** The value `namespace` moves the chart's objects out of the namespace of its release. */
function checkNamespaceValue(value: Value | undefined, namespace: string): readonly Problem[] {
  if (!value || value === namespace) return [];
  return [PKI_FINDINGS.certManagerValueRefusedNamespace({ value: JSON.stringify(value), namespace })];
}
