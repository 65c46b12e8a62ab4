import { App } from 'cdk8s';
import type { Construct, IConstruct } from 'constructs';
import type { Values } from '#base/values';
import { LinkerdCni } from '#lib/constructs/control-plane/linkerd-cni';
import { LinkerdControlPlane } from '#lib/constructs/control-plane/linkerd-control-plane';
import { CertManager } from '#lib/constructs/pki/cert-manager';
import { CertManagerPKI } from '#lib/constructs/pki/cert-manager-pki';
import { TrustBundle } from '#lib/constructs/pki/trust-bundle';
import { TrustManager } from '#lib/constructs/pki/trust-manager';
import { Cluster } from '#lib/gitops/tree/cluster';
import { releaseOf } from '#lib/gitops/tree/releases';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { ruleErrorsIn } from '../../support/findings';
import { plainObjects } from '../../support/plain-app';

/** An empty cluster. */
export function cluster(domain?: string): Cluster {
  return new Cluster(new App(), 'test', { domain });
}

/** A control plane with its PKI. */
export function controlPlane<V extends LinkerdVersion>(
  scope: Construct,
  version: V,
  props: { readonly highAvailability?: boolean; readonly cni?: boolean } = {},
): LinkerdControlPlane<V> {
  const certManager = new CertManager(scope, 'cert-manager');
  const trustManager = new TrustManager(scope, 'trust-manager', { certManager });
  const pki = new CertManagerPKI(scope, 'pki', { certManager });
  const trust = new TrustBundle(scope, 'trust', { pki, trustManager });
  const cni = props.cni === true ? new LinkerdCni(scope, 'cni', { version }) : undefined;
  return new LinkerdControlPlane(scope, 'linkerd', {
    delivery: 'helm',
    pki,
    trust,
    version,
    cni,
    highAvailability: props.highAvailability ?? false,
  });
}

/** Returns the errors of rules at and below a construct. */
export function problemsOf(construct: IConstruct): readonly string[] {
  return ruleErrorsIn(construct);
}

/** Returns the values of the first chart of a name at or below a construct. */
export function valuesOf(construct: IConstruct, chart: string): Values {
  const release = construct.node
    .findAll()
    .flatMap((child) => releaseOf(child) ?? [])
    .find((r) => r.chart.name === chart);
  if (release === undefined) throw new Error(`no release of ${chart}`);
  return release.values;
}

/** The fields of a Kubernetes object that tests read. */
export interface Emitted {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Record<string, string>;
    readonly annotations?: Record<string, string>;
  };
  readonly spec: Record<string, unknown>;
}

/** Returns the emitted objects of a namespace and the Namespace by `Kind/name`. */
export function objectsIn(chart: Cluster, namespace: string): Record<string, Emitted> {
  const objects = (plainObjects(chart) as Emitted[]).filter(
    ({ kind, metadata }) => metadata.namespace === namespace || (kind === 'Namespace' && metadata.name === namespace),
  );
  return Object.fromEntries(objects.map((object) => [`${object.kind}/${object.metadata.name}`, object]));
}
