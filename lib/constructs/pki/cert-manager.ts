import { Construct, type IConstruct } from 'constructs';
import type { Values as ChartValues } from '../../../imports/charts/cert-manager/v1.21.1';
import { HelmRelease } from '../../gitops/charts/helm-release';
import { mirroredImages } from '../../gitops/charts/mirrored-values';
import { plainValues } from '../../gitops/charts/plain-values';
import { addRule } from '../../gitops/tree/add-rule';
import { ensureNamespace } from '../../gitops/tree/namespace';
import { propOfName, propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf, part } from '../../kubernetes/known-keys';
import { checkDnsLabel } from '../../kubernetes/names';
import { type Values, valueAt } from '../../kubernetes/values';
import { checkPrivateKeys } from '../../linkerd/charts/private-keys';
import { type CertManagerVersion, certManagerChart, certManagerRelease } from '../../linkerd/releases/cert-manager';
import { PKI_FINDINGS } from './findings';

/** A cert-manager: one that is installed here, or one that the cluster already has. */
export interface ICertManager extends IConstruct {
  readonly version: CertManagerVersion;
  /** Namespace of its controller: that of the Secrets which ClusterIssuers read. */
  readonly namespace: string;
}

/** A cert-manager that the cluster already has. */
export interface ExistingCertManagerProps {
  /**
   * Its release, or the nearest older one of these: it decides which fields a Certificate may have.
   *
   * @default 'v1.21.1'
   */
  readonly version?: CertManagerVersion;

  /**
   * Namespace in which its ClusterIssuers look for Secrets (`--cluster-resource-namespace`; normally its own).
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
   * Namespace to install it in; made here. trust-manager and the mesh's anchors go there, too.
   *
   * @default 'cert-manager'
   */
  readonly namespace?: string;

  /**
   * Further values of the chart.
   *
   * @default - the chart's own
   */
  readonly values?: ChartValues;
}

/** A cert-manager, installed here or not. */
export const CERT_MANAGER = part('a CertManager', 'version', 'namespace');

const PROPS = keysOf<CertManagerProps>({ version: true, namespace: true, values: FREE });
const EXISTING = keysOf<ExistingCertManagerProps>({ version: true, namespace: true });

/**
 * cert-manager from its Helm chart, with its CRDs, which stay when the chart goes: with them would go every Certificate.
 *
 * Its leader election takes place in its own namespace instead of kube-system, where Argo CD then needs no rights.
 */
export class CertManager extends Construct implements ICertManager {
  /** The cert-manager that the cluster already has; emits nothing. */
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
    const { unknownValues } = certManagerRelease(this.version);
    const values = plainValues(this, given.values);

    ensureNamespace(this, this.namespace);
    const chart = certManagerChart(this.version, monitorNamespaces(values));
    new HelmRelease(this, 'chart', {
      chart,
      defaults: mirroredImages(this, chart),
      namespace: this.namespace,
      fromProps: {
        // Else the names of all objects, the webhook Service's too, would start with the Argo CD Application's.
        fullnameOverride: 'cert-manager',
        namespace: this.namespace,
        clusterResourceNamespace: this.namespace,
        crds: { enabled: true, keep: true },
        global: { leaderElection: { namespace: this.namespace } },
      },
      values,
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
    // Of an unknown release nothing can be built.
    certManagerRelease(this.version);
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

const WITHOUT_CONTROLLER = 'No certificate would be issued or renewed: the control plane would not start';
const WITHOUT_CAINJECTOR =
  'Nothing would write the CA of webhooks into their configurations: the API server would trust none of them, so that pods get no proxy or are refused';
const WITHOUT_WEBHOOK =
  "The API server asks cert-manager's webhook about each Certificate and Issuer, and refuses them while it does not answer";

/** Components that the chart can leave out, and a mesh cannot do without. */
const NEEDED: readonly (readonly [path: string, off: false | 0, reason: string])[] = [
  ['replicaCount', 0, WITHOUT_CONTROLLER],
  ['cainjector.enabled', false, WITHOUT_CAINJECTOR],
  ['cainjector.replicaCount', 0, WITHOUT_CAINJECTOR],
  ['webhook.replicaCount', 0, WITHOUT_WEBHOOK],
];

/** Reports which of cert-manager's components the values take away. */
function checkComponents(values: Values): readonly Problem[] {
  return NEEDED.filter(([path, off]) => valueAt(values, path) === off).map(([path, off, reason]) =>
    PKI_FINDINGS.certManagerValueRefusedComponent({ path, value: String(off), reason }),
  );
}
