import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Duration } from 'cdk8s';
import { parse } from 'yaml';
import type { Finding } from '#base/findings/finding';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { LinkerdControlPlane } from '#lib/constructs/control-plane/linkerd-control-plane';
import { Link, type LinkProps } from '#lib/constructs/multicluster/link';
import { Multicluster, type MulticlusterProps } from '#lib/constructs/multicluster/multicluster';
import { type OwnTrustAnchor, TrustAnchor, type TrustAnchorSource } from '#lib/constructs/pki/trust-anchor';
import { buildCluster, type ClusterDefinition, factsAbout } from '#lib/gitops/synth/build-cluster';
import type { Cluster, ClusterProps } from '#lib/gitops/tree/cluster';
import { ClusterReference } from '#lib/gitops/tree/cluster-reference';
import type { LinkerdVersion } from '#linkerd/releases/known-releases';
import { addPki } from '../../support/control-plane-fixture';

const pem = (name: string): string => readFileSync(join(__dirname, '../pki/fixtures', `${name}.pem`), 'utf8');

/** The issuer with the key of a root whose certificate is in Git. */
const CORPORATE = { kind: 'ClusterIssuer', name: 'corporate' } as const;

/** A root whose certificate is in Git, and whose key an external issuer has. */
export function root(name = 'anchor'): TrustAnchorSource {
  return TrustAnchor.fromPem({ certificates: pem(name), issuer: { name: 'corporate' } });
}

/** A trust anchor that the operator creates, and shares with other clusters. */
export function sharedAnchor(cluster: string, ...members: readonly string[]): OwnTrustAnchor {
  const operator = { cluster, members };
  return { duration: Duration.days(3650), renewBefore: Duration.days(365), rotation: 'operator', operator };
}

/** Warnings that do not concern links, or follow from the domain `cluster.local` of all these clusters. */
const OF_FIXTURE: ReadonlySet<string> = new Set([
  'certificate-alerts-missing',
  'trust-root-duplicate',
  'trust-anchor-unlabelled',
  'link-trust-domain-default',
]);

/** A cluster of a test. */
export interface Member {
  readonly props?: ClusterProps;
  readonly anchor?: TrustAnchorSource;
  readonly trustDomain?: string;
  readonly version?: LinkerdVersion;
  readonly values?: ConstructorParameters<typeof LinkerdControlPlane>[2]['values'];
  /** Absent for a cluster without the extension. */
  readonly multicluster?: Partial<MulticlusterProps<LinkerdVersion>> | false;
  /** Links, by the names of their targets. */
  readonly links?: Readonly<Record<string, Partial<LinkProps>>>;
  readonly further?: (cluster: Cluster, multicluster: Multicluster<LinkerdVersion> | undefined) => void;
}

/** Builds clusters that link to each other, without writing files. */
export function fleet(members: Readonly<Record<string, Member>>) {
  const references = new Map<string, ClusterReference>();
  const definitions = new Map<string, ClusterDefinition>();
  for (const [name, member] of Object.entries(members)) {
    const external = [CORPORATE, ...(member.props?.external ?? [])];
    const props = { destination: { name }, ...member.props, external };
    const definition = { name, props, build: (cluster: Cluster) => addMember(cluster, member, references) };
    definitions.set(name, definition);
    references.set(name, new ClusterReference(name, props, () => factsAbout(definition)));
  }
  const built = new Map<string, ReturnType<typeof buildCluster>>();
  const of = (name: string) => {
    const definition = definitions.get(name);
    if (definition === undefined) throw new Error(`no cluster ${name}`);
    const known = built.get(name) ?? buildCluster(definition);
    built.set(name, known);
    return known;
  };
  const found = (name: string, severity: Finding['severity']) =>
    of(name).findings.filter((one) => one.severity === severity);
  return {
    /** The codes of the errors of a cluster. */
    errors: (name: string) => found(name, 'error').map(({ problem }) => problem.code),
    problems: (name: string) => found(name, 'error').map(({ problem }) => problem),
    /** The codes of the warnings of a cluster, without those of OF_FIXTURE. */
    warnings: (name: string) =>
      found(name, 'warning')
        .map(({ problem }) => problem.code)
        .filter((code) => !OF_FIXTURE.has(code)),
    allWarnings: (name: string) => found(name, 'warning').map(({ problem }) => problem.code),
    files: (name: string) => of(name).files,
    /** An object of a cluster by its file. */
    object: (name: string, file: string): KubernetesObject => {
      const text = of(name).files.get(`linkerd-multicluster/${file}.yaml`);
      if (text === undefined) throw new Error(`no ${file} among ${[...of(name).files.keys()].join(', ')}`);
      return parse(text) as KubernetesObject;
    },
    link: (from: string, to: string) => {
      const text = of(from).files.get(`linkerd-multicluster/link.${to}.yaml`);
      return (parse(text ?? '{}') as { readonly spec?: Readonly<Record<string, unknown>> }).spec ?? {};
    },
  };
}

function addMember(cluster: Cluster, member: Member, references: ReadonlyMap<string, ClusterReference>): void {
  const { anchor = root(), trustDomain, version, values, links = {}, multicluster = {}, further } = member;
  const { pki, trust } = addPki(cluster, {
    trustAnchor: anchor,
    ...(trustDomain === undefined ? {} : { trustDomain }),
  });
  const controlPlane = new LinkerdControlPlane<LinkerdVersion>(cluster, 'linkerd', {
    pki,
    trust,
    crds: { gatewayApi: 'existing' },
    highAvailability: false,
    ...(version === undefined ? {} : { version }),
    ...(values === undefined ? {} : { values }),
  });
  const gateway = { addresses: [`gateway.${cluster.name}.example.com`] };
  const extension =
    multicluster === false
      ? undefined
      : new Multicluster<LinkerdVersion>(cluster, 'multicluster', { controlPlane, gateway, ...multicluster });
  for (const [name, props] of Object.entries(links)) {
    const target = references.get(name.replace(/ again$/, ''));
    if (extension === undefined || target === undefined) throw new Error(`no link to ${name}`);
    new Link(cluster, `to ${name}`, { multicluster: extension, target, ...props });
  }
  further?.(cluster, extension);
}
