import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import type { Values as ChartValues } from '#imports/charts/cert-manager/v1.21.1';
import { checkDnsLabel } from '#kubernetes/names';
import { FREE, keysOf, part } from '#kubernetes/options/known-keys';
import { type CertManagerVersion, certManagerChart, certManagerRelease } from '#linkerd/releases/cert-manager';
import { checkPrivateKeys } from '#linkerd/renderers/private-keys';
import { HelmRelease } from '../../gitops/charts/helm-release';
import { mirroredImages } from '../../gitops/charts/mirrored-values';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { propOfName, propOfVersion, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import { withExtraObjects } from './extra-objects';
import { PKI_FINDINGS } from './findings';

/** A cert-manager: one that this library installs, or one that the cluster already has. */
export interface ICertManager extends IConstruct {
  readonly version: CertManagerVersion;
  /** Namespace of its controller, from which ClusterIssuers read Secrets. */
  readonly namespace: string;
}

/** A cert-manager that the cluster already has. */
export interface ExistingCertManagerProps {
  /**
   * The release, or the nearest older one that the type lists. It decides which fields a Certificate may have.
   *
   * @default 'v1.21.1'
   */
  readonly version?: CertManagerVersion;

  /**
   * Namespace in which its ClusterIssuers look for Secrets (`--cluster-resource-namespace`; by default cert-manager's).
   *
   * @default 'cert-manager'
   */
  readonly namespace?: string;
}

/** Props of CertManager. */
export interface CertManagerProps {
  /**
   * Release of the chart and of cert-manager itself.
   *
   * @default 'v1.21.1'
   */
  readonly version?: CertManagerVersion;

  /**
   * Namespace to install it in, which is created. trust-manager and the mesh's anchors use it, too.
   *
   * @default 'cert-manager'
   */
  readonly namespace?: string;

  /**
   * Additional values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: ChartValues;
}

/** A cert-manager, installed by this library or not. */
export const CERT_MANAGER = part('a CertManager', 'version', 'namespace');

const PROPS = keysOf<CertManagerProps>({ version: true, namespace: true, values: FREE });
const EXISTING = keysOf<ExistingCertManagerProps>({ version: true, namespace: true });

/**
 * cert-manager from its Helm chart, with its CRDs. The CRDs are kept when the chart is removed: deleting them would
 * delete every Certificate.
 *
 * Its leader election uses its own namespace, so that Argo CD needs no permissions in kube-system.
 *
 * @example
 * const certManager = new CertManager(home, 'cert-manager', { values: { prometheus: { podmonitor: { enabled: true } } } });
 */
export class CertManager extends Construct implements ICertManager {
  /** Returns the cert-manager that the cluster already has; emits nothing. */
  static fromExisting(scope: Construct, id: string, props: ExistingCertManagerProps = {}): ICertManager {
    return new ExistingCertManager(scope, id, props);
  }

  readonly version: CertManagerVersion;
  readonly namespace: string;

  constructor(scope: Construct, id: string, props: CertManagerProps = {}) {
    super(scope, id);
    const given = propsOf<CertManagerProps>(this, PROPS, props);
    this.version = given.version ?? 'v1.21.1';
    this.namespace = propOfName(this, 'namespace', given.namespace) ?? 'cert-manager';
    const { unknownValues } = propOfVersion(this, () => certManagerRelease(this.version));
    const values = plainValues(this, given.values);

    ensureNamespace(this, this.namespace);
    const chart = withExtraObjects(certManagerChart(this.version, monitorNamespaces(values)), values);
    new HelmRelease(this, 'chart', {
      chart,
      defaults: mirroredImages(this, chart),
      namespace: this.namespace,
      fromProps: {
        // Otherwise the names of all objects, including the webhook Service, would start with the Argo CD
        // Application's.
        fullnameOverride: 'cert-manager',
        namespace: this.namespace,
        clusterResourceNamespace: this.namespace,
        crds: { enabled: true, keep: true },
        global: { leaderElection: { namespace: this.namespace } },
      },
      values,
      // cert-manager's webhook creates this Secret; cainjector copies its CA into the webhook configurations.
      provides: [{ kind: 'Secret', namespace: this.namespace, name: 'cert-manager-webhook-ca' }],
    });

    addRule(this, () => [
      ...checkDnsLabel('namespace', this.namespace),
      ...checkKnownValues(this.version, unknownValues, values),
      ...checkComponents(values),
      ...checkPrivateKeys(values),
    ]);
  }
}

class ExistingCertManager extends Construct implements ICertManager {
  readonly version: CertManagerVersion;
  readonly namespace: string;

  constructor(scope: Construct, id: string, props: ExistingCertManagerProps) {
    super(scope, id);
    const given = propsOf<ExistingCertManagerProps>(this, EXISTING, props);
    this.version = given.version ?? 'v1.21.1';
    this.namespace = propOfName(this, 'namespace', given.namespace) ?? 'cert-manager';
    // Throws for an unknown release, which cannot be built.
    propOfVersion(this, () => certManagerRelease(this.version));
    declareReferences(this, { external: [{ kind: 'Namespace', name: this.namespace }] });
    addRule(this, () => checkDnsLabel('namespace', this.namespace));
  }
}

function monitorNamespaces(values: Values): readonly string[] {
  return ['prometheus.podmonitor.namespace', 'prometheus.servicemonitor.namespace']
    .map((path) => valueAt(values, path))
    .filter((namespace): namespace is string => typeof namespace === 'string' && namespace !== '');
}

function checkKnownValues(
  version: CertManagerVersion,
  unknownValues: readonly string[],
  values: Values,
): readonly Problem[] {
  return unknownValues
    .filter((path) => valueAt(values, path) !== undefined)
    .map((path) => PKI_FINDINGS.certManagerValueRefusedUnknown({ path, version }));
}

/** Components that the chart can leave out, but a mesh needs. */
const NEEDED = [
  ['replicaCount', 0, PKI_FINDINGS.certManagerValueRefusedController],
  ['cainjector.enabled', false, PKI_FINDINGS.certManagerValueRefusedCainjector],
  ['cainjector.replicaCount', 0, PKI_FINDINGS.certManagerValueRefusedCainjector],
  ['webhook.replicaCount', 0, PKI_FINDINGS.certManagerValueRefusedWebhook],
] as const;

function checkComponents(values: Values): readonly Problem[] {
  return NEEDED.filter(([path, off]) => valueAt(values, path) === off).map(([path, off, refuse]) =>
    refuse({ path, value: String(off) }),
  );
}
