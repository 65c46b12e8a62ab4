import { TRUST_ANCHOR_DEFAULTS } from '#anchor/trust-anchor';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { FIELD_MANAGER, INJECTOR_DEPLOYMENT } from '#operator/api/names';
import { FileReader } from '../../gitops/changes/file-contents';
import { INDEX_FILE, parseIndex, type WrittenRing } from '../../gitops/synth/output/cluster-index';
import { ARGOCD_FOLDER } from '../../gitops/synth/output/file-names';
import { clusterFacts } from '../compare/cluster-contents';
import { clusterFiles, type Output } from '../compare/output';
import { destinationOf } from '../live/applications';
import { at, imageTags, listAt, present, textAt } from '../live/fields';

/** The intended state of all clusters, from an output. */
export interface FleetIntent {
  /** The rings with their sources, in the order of the platform; empty if the platform has no rings. */
  readonly rings: readonly WrittenRing[];
  /** Sorted by name. */
  readonly clusters: readonly ClusterIntent[];
  /** The namespace of Argo CD; absent if the output has no ApplicationSets. */
  readonly argocdNamespace?: string;
  /** The cluster that Argo CD runs in, if the output deploys to it. */
  readonly hub?: string;
  /** Names of files with objects in which Argo CD ignores fields: `configmap.linkerd-config.yaml`. */
  readonly ignored: readonly string[];
}

/** The intended state of one cluster, from an output. */
export interface ClusterIntent {
  readonly name: string;
  readonly ring?: WrittenRing;
  /** Absent if the output has no ApplicationSet for the cluster. */
  readonly source?: ApplicationSource;
  /** Release of the control plane: the tag of its image, or else its installed release; absent without either. */
  readonly release?: string;
  /** Namespace of the control plane; absent if the output does not install one. */
  readonly controlPlane?: string;
  /** The folders. Argo CD has one Application for each folder. */
  readonly folders: readonly string[];
  /** Namespaces of the mesh's own parts: those with Certificates or workloads. */
  readonly meshNamespaces: readonly string[];
  /** Namespaces in which pods get a proxy. */
  readonly injected: readonly string[];
  /** `namespace/name` of each Certificate. */
  readonly certificates: readonly string[];
  /** `Kind namespace/name` of the workloads of Linkerd, its extensions and the operator. */
  readonly workloads: readonly string[];
  /** `Kind name` of each configuration of webhooks. */
  readonly webhooks: readonly string[];
  readonly hasBundle: boolean;
  readonly hasTrustAnchor: boolean;
  /** Names of LinkerdConfigs. */
  readonly configs: readonly string[];
  /** `namespace/name` of each Link. */
  readonly links: readonly string[];
}

/** Fields are absent if they depend on a generator's parameters. */
interface ApplicationSource {
  readonly set: string;
  readonly project?: string;
  readonly repoUrl?: string;
  readonly revision?: string;
  /** Address or name of the cluster. */
  readonly destination?: string;
  readonly folder?: string;
}

/** Returns the faults of an output's indexes. With a fault, the intent would lack clusters or conditions. */
export function faultsIn(output: Output): readonly string[] {
  const { rings } = parseIndex(output.get(ARGOCD_FOLDER)?.get(INDEX_FILE) ?? '');
  return [...output].flatMap(([folder, texts]) => {
    const { damage, ring } = parseIndex(texts.get(INDEX_FILE) ?? '');
    if (damage !== undefined) return [`${folder}/${INDEX_FILE}: ${damage}`];
    if (ring === undefined || rings === undefined || rings.some(({ name }) => name === ring)) return [];
    return [`${folder}/${INDEX_FILE} has the ring ${ring}, which is not in ${ARGOCD_FOLDER}/${INDEX_FILE}`];
  });
}

/**
 * Reads the intent from an output.
 *
 * @param deployed the outputs of clusters with rings that deploy another source
 */
export function fleetIntent(
  output: Output,
  deployed: ReadonlyMap<string, { readonly texts: ReadonlyMap<string, string> }> = new Map(),
): FleetIntent {
  const reader = new FileReader();
  const shared = output.get(ARGOCD_FOLDER);
  const { rings = [] } = parseIndex(shared?.get(INDEX_FILE) ?? '');
  const ringOf = ringsByCluster(output);
  const names = [...output.keys()].filter((name) => name !== ARGOCD_FOLDER).sort();
  const sets = objectsOf(shared ?? new Map(), /^applicationset\./, reader);
  const clusters = names.map((name) => {
    const source = sets.flatMap((set) => sourceOf(set, name))[0];
    const ring = ringOf.get(name);
    const intent = clusterIntent(name, deployed.get(name)?.texts ?? output.get(name) ?? new Map(), reader);
    return { ...intent, ...(ring && { ring }), ...(source && { source }) };
  });
  const namespace = sets[0]?.metadata.namespace;
  const hub = sets.flatMap((set) => hubOf(set, names))[0];
  const ignored = [...new Set(sets.flatMap(ignoredIn))];
  return {
    rings,
    clusters,
    ignored,
    ...(namespace !== undefined && { argocdNamespace: namespace }),
    ...(hub && { hub }),
  };
}

function ignoredIn(set: KubernetesObject): readonly string[] {
  return listAt(set, 'spec', 'template', 'spec', 'ignoreDifferences').flatMap((entry) => {
    const [kind, name] = [textAt(entry, 'kind'), textAt(entry, 'name')];
    return kind === undefined || name === undefined ? [] : [`${kind.toLowerCase()}.${name}.yaml`];
  });
}

const IN_CLUSTER = 'https://kubernetes.default.svc';

function hubOf(set: KubernetesObject, names: readonly string[]): readonly string[] {
  if (textAt(set, 'spec', 'template', 'spec', 'destination', 'server') !== IN_CLUSTER) return [];
  const template = textAt(set, 'spec', 'template', 'metadata', 'name') ?? '';
  return names.filter((name) => template.startsWith(`${name}-{{`));
}

function sourceOf(set: KubernetesObject, name: string): readonly ApplicationSource[] {
  const template = at(set, 'spec', 'template');
  const of = textAt(template, 'metadata', 'name') ?? '';
  if (!of.startsWith(`${name}-{{`) && !of.startsWith('{{')) return [];
  const constant = (text: string | undefined) => (text?.includes('{{') ? undefined : text);
  const folders = listAt(at(listAt(set, 'spec', 'generators')[0], 'git'), 'directories');
  return [
    present<ApplicationSource>({
      set: set.metadata.name,
      project: constant(textAt(template, 'spec', 'project')),
      repoUrl: constant(textAt(template, 'spec', 'source', 'repoURL')),
      revision: constant(textAt(template, 'spec', 'source', 'targetRevision')),
      destination: constant(destinationOf(at(template, 'spec', 'destination'))),
      folder: constant(folders.map((one) => textAt(one, 'path')).find((path) => path?.endsWith(`/${name}/*`)))?.slice(
        0,
        -2,
      ),
    }),
  ];
}

/** Files with objects of the kinds that rules need. The output names files after their objects. */
const TELLING =
  /^([^/]+)\/(?:templates\/)?(certificate|deployment|daemonset|bundle|trustanchor|linkerdconfig|link|mutatingwebhookconfiguration|validatingwebhookconfiguration|apiservice)\./;

const CONTROL_PLANE = ['linkerd-destination', 'linkerd-identity', INJECTOR_DEPLOYMENT];

const WORKLOADS = ['Deployment', 'DaemonSet'];

/** Returns the rings of an output, by the names of their clusters. */
export function ringsByCluster(output: Output): ReadonlyMap<string, WrittenRing> {
  const { rings = [] } = parseIndex(output.get(ARGOCD_FOLDER)?.get(INDEX_FILE) ?? '');
  return new Map(
    [...output].flatMap(([name, texts]) => {
      const ring = ringIn(texts, rings);
      return ring === undefined ? [] : [[name, ring]];
    }),
  );
}

function ringIn(texts: ReadonlyMap<string, string>, rings: readonly WrittenRing[]): WrittenRing | undefined {
  const { ring: name } = parseIndex(texts.get(INDEX_FILE) ?? '');
  return name === undefined ? undefined : (rings.find((one) => one.name === name) ?? { name });
}

function clusterIntent(name: string, texts: ReadonlyMap<string, string>, reader: FileReader): ClusterIntent {
  const cluster = clusterFiles(texts);
  const { installed, namespaces, injected } = clusterFacts(cluster, reader);
  const objects = objectsOf(cluster.files, TELLING, reader);
  const ofKind = (...kinds: readonly string[]) => objects.filter(({ kind }) => kinds.includes(kind));
  const [anchor] = ofKind('TrustAnchor');
  const controlPlane = namespaces.controlPlane;
  const workloads = ofKind(...WORKLOADS).filter(isOfMesh);
  const destination = workloads.find(({ metadata }) => metadata.name === 'linkerd-destination');
  const release = imageTags(destination).destination ?? installed?.releases.controlPlane;
  return {
    name,
    ...(release !== undefined && { release }),
    ...(controlPlane !== undefined && { controlPlane }),
    folders: [...new Set([...cluster.files.keys()].flatMap((path) => path.match(/^[^/]+(?=\/)/)?.[0] ?? []))].sort(),
    meshNamespaces: sortedNames([
      ...ofKind('Certificate').map(namespaceIn),
      ...workloads.map(namespaceIn),
      ...Object.values(namespaces),
      ...(anchor === undefined ? [] : [certManagerNamespace(anchor)]),
    ]),
    injected,
    certificates: ofKind('Certificate').map(idOf),
    workloads: sortedNames([
      ...workloads.map((one) => `${one.kind} ${idOf(one)}`),
      // If Helm renders the control plane, the output does not contain its workloads.
      ...(controlPlane === undefined ? [] : CONTROL_PLANE.map((one) => `Deployment ${controlPlane}/${one}`)),
    ]),
    webhooks: objects
      .filter(({ kind }) => /WebhookConfiguration$|^APIService$/.test(kind))
      .map(({ kind, metadata }) => `${kind} ${metadata.name}`),
    hasBundle: ofKind('Bundle').length > 0,
    hasTrustAnchor: anchor !== undefined,
    configs: ofKind('LinkerdConfig').map(({ metadata }) => metadata.name),
    links: ofKind('Link').map(idOf),
  };
}

function isOfMesh({ metadata: { labels = {} } }: KubernetesObject): boolean {
  return (
    labels['app.kubernetes.io/part-of'] === 'Linkerd' ||
    labels['app.kubernetes.io/name'] === FIELD_MANAGER ||
    Object.keys(labels).some((key) => /^(?:linkerd\.io\/(?:control-plane-ns|extension|cni-resource))$/.test(key))
  );
}

function certManagerNamespace(anchor: KubernetesObject): string {
  const namespace = at(anchor, 'spec', 'certManagerNamespace');
  return typeof namespace === 'string' ? namespace : TRUST_ANCHOR_DEFAULTS.certManagerNamespace;
}

function namespaceIn({ metadata }: KubernetesObject): string {
  return metadata.namespace ?? 'default';
}

function idOf(object: KubernetesObject): string {
  return `${namespaceIn(object)}/${object.metadata.name}`;
}

function sortedNames(names: readonly (string | undefined)[]): readonly string[] {
  return [...new Set(names.flatMap((name) => name ?? []))].sort();
}

function objectsOf(files: ReadonlyMap<string, string>, path: RegExp, reader: FileReader): readonly KubernetesObject[] {
  return [...files].flatMap(([name, text]) => {
    if (!path.test(name)) return [];
    const contents = reader.read(name, text);
    return contents.is === 'object' ? [contents.object] : [];
  });
}
