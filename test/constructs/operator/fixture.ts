import { Duration } from 'cdk8s';
import { parse } from 'yaml';
import type { Problem } from '#base/findings/problem';
import { deepFreeze } from '#kubernetes/objects/plain-data';
import {
  type CertManagerPKIProps,
  type Cluster,
  type ClusterProps,
  LinkerdCni,
  type LinkerdCniProps,
  LinkerdControlPlane,
  type LinkerdControlPlaneProps,
  MultusAttach,
  ReconcilerOperator,
  type ReconcilerOperatorProps,
} from '#lib';
import { buildCluster } from '#lib/gitops/synth/build-cluster';
import { addPki } from '../../support/control-plane-fixture';
import { errorsIn, warningsIn } from '../../support/findings';

/** An object as parsed from a file. */
// biome-ignore lint/suspicious/noExplicitAny: tests read objects of all kinds
export type Written = any;

/** The result of a synthesis. */
export interface Built {
  /** Objects by `<namespace>/<file without .yaml>`. */
  readonly objects: ReadonlyMap<string, Written>;
  readonly problems: readonly string[];
  /** The problems with their codes and parameters. */
  readonly errors: readonly Problem[];
  readonly warnings: readonly Problem[];
}

/** Parsed objects by their text: most objects of a cluster are also in the cluster of the next test. */
const read = new Map<string, Written>();

function written(text: string): Written {
  if (!read.has(text)) read.set(text, deepFreeze(parse(text)));
  return read.get(text);
}

/** Synthesizes a cluster without writing files. */
export function build(construct: (cluster: Cluster) => void, props: ClusterProps = {}): Built {
  const { files, findings } = buildCluster({ name: 'home', props, build: construct });
  const manifests = [...files].filter(([path]) => path.endsWith('.yaml'));
  return {
    objects: new Map(
      manifests.map(([path, text]) => [path.replace('/templates/', '/').replace(/\.yaml$/, ''), written(text)]),
    ),
    problems: errorsIn(findings).map(({ message }) => message),
    errors: findings.filter(({ severity }) => severity === 'error').map(({ problem }) => problem),
    warnings: warningsIn(findings).map(({ problem }) => problem),
  };
}

/** The control plane in the cluster of an operator. */
export interface Surroundings {
  readonly controlPlane?: Partial<LinkerdControlPlaneProps<'edge-26.8.3'>>;
  /** Default: BY_HAND. The operator is meshed only if it rotates no trust anchor. */
  readonly pki?: Partial<CertManagerPKIProps>;
  /** Props of the CNI plugin. Default: no CNI plugin. */
  readonly cni?: LinkerdCniProps<'edge-26.8.3'>;
  /** Namespaces whose pods Multus attaches to the CNI plugin. Default: no Multus. */
  readonly attached?: readonly string[];
}

/** A PKI whose trust anchor is rotated by hand. */
export const BY_HAND: Partial<CertManagerPKIProps> = {
  trustAnchor: { duration: Duration.days(3650), renewBefore: Duration.days(365), rotation: 'manual' },
};

/** Adds a control plane to a cluster with an existing cert-manager and trust-manager. */
export function addControlPlane(cluster: Cluster, { controlPlane, pki = BY_HAND, cni, attached }: Surroundings = {}) {
  const linkerd = new LinkerdControlPlane(cluster, 'linkerd', {
    ...addPki(cluster, pki),
    crds: { gatewayApi: 'existing' },
    cni: cni && new LinkerdCni(cluster, 'cni', cni),
    ...controlPlane,
  });
  if (attached !== undefined) {
    new MultusAttach(cluster, 'multus', { controlPlane: linkerd, namespaces: attached });
  }
  return linkerd;
}

/** A cluster with an operator. */
export function buildOperator(
  props: Partial<ReconcilerOperatorProps> = {},
  surroundings: Surroundings = {},
  more: (operator: ReconcilerOperator, cluster: Cluster) => void = () => {},
): Built {
  return build((cluster) => {
    const controlPlane = addControlPlane(cluster, surroundings);
    more(new ReconcilerOperator(cluster, 'operator', { controlPlane, ...props }), cluster);
  });
}
