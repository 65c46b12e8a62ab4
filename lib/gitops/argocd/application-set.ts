import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { ApplicationSet as ApplicationSetObject } from '#imports/crds/argoproj.io';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { APPLICATION_SYNC_OPTIONS, COMPARE_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import { BOOLEAN, each, FREE, keysOf, LIST, NUMBER, needed, required, text } from '#kubernetes/options/known-keys';
import { addRule } from '../tree/add-rule';
import type { ClusterDestination } from '../tree/cluster';
import { manifest } from '../tree/manifest';
import { propsOf } from '../tree/prop-of-shape';
import type { ApplicationFolder } from './application-folder';
import { checkApplicationNames } from './application-names';
import {
  APPLICATION_SET_OPTIONS,
  type ApplicationSetOptions,
  checkApplicationSetOptions,
} from './application-set-options';
import { ARGOCD_FINDINGS } from './findings';
import { checkGitSource, type GitSource, type ResolvedGitSource, resolveGitSource } from './git-source';
import { ownMetadata } from './own-metadata';
import { retryPolicy } from './retry';
import { checkRings, RING_LABEL, type RingClusters } from './ring';
import { rollingSync, STAGE_LABEL, stageLabel } from './rolling-sync';
import { checkTarget, folderGenerator, placement, type Target } from './target';
import { type Manual, templatePatch } from './template-patch';

/** Props of ApplicationSet: which folders become Applications, and how. */
export interface ApplicationSetProps extends ApplicationSetOptions {
  /** Name of the ApplicationSet. */
  readonly name: string;
  /** Name of the AppProject of all its Applications, which must exist before the ApplicationSet. */
  readonly project: string;
  /** Where the folders are in Git. */
  readonly source: GitSource;
  /** The cluster, or the fleet of clusters, to deploy to. */
  readonly target: Target;

  /**
   * The known folders. Other folders in Git also become Applications: of plain manifests, in the last stage.
   *
   * @default - none
   */
  readonly folders?: readonly ApplicationFolder[];

  /**
   * The rings in order, with their clusters. A cluster without a ring counts as one of the last ring. A ring may have
   * its own revision and folder in Git, and a RollingSync proceeds ring by ring.
   *
   * @default - none: all clusters have one source
   */
  readonly rings?: readonly RingClusters[];
}

const TARGET = keysOf<Target>({
  cluster: true,
  destination: keysOf<ClusterDestination>({ server: true, name: true }),
  clusterLabels: FREE,
});
const PROPS = keysOf<ApplicationSetProps>({
  name: required(text('the name of the ApplicationSet')),
  project: true,
  source: needed('a map with repoUrl', keysOf<GitSource>({ repoUrl: true, revision: true, path: true })),
  target: needed('a map with cluster and destination, or with clusterLabels', TARGET),
  folders: each(
    keysOf<ApplicationFolder>({
      cluster: true,
      namespace: true,
      stage: NUMBER,
      chart: BOOLEAN,
      onlyDefinitions: BOOLEAN,
      onlyOutOfSync: BOOLEAN,
    }),
  ),
  rings: each(keysOf<RingClusters>({ name: true, revision: true, path: true, automated: BOOLEAN, clusters: LIST })),
  ...APPLICATION_SET_OPTIONS,
});

/**
 * An Argo CD ApplicationSet that generates an Application for each folder `<path>/<cluster>/<namespace>` in Git.
 *
 * @example
 * new ApplicationSet(home, 'folders', {
 *   name: 'mesh',
 *   project: 'mesh',
 *   source: { repoUrl: 'https://git.example.com/platform.git', path: 'dist' },
 *   target: { cluster: 'home', destination: { name: 'home' } },
 * });
 */
export class ApplicationSet extends Construct {
  readonly apiObject: ApiObject;

  constructor(scope: Construct, id: string, props: ApplicationSetProps) {
    super(scope, id);
    const given = propsOf<ApplicationSetProps>(this, PROPS, props);
    this.apiObject = manifest(this, 'resource', applicationSet(given));
    addRule(this, () => checkApplicationSet(given));
  }
}

const RESOURCES_FINALIZER = 'resources-finalizer.argocd.argoproj.io';

/** Returns the ApplicationSet as an object. */
export function applicationSet(props: ApplicationSetProps): ApplicationSetObject {
  const { namespace = 'argocd', applicationsSync = 'create-update', preserveResourcesOnDeletion = true } = props;
  const source = ringSource(props.source, props.rings);
  const folders = props.folders ?? [];
  const patch = templatePatch(folders, source.prefixOf, source.manual);
  // With RESOURCES_FINALIZER, the controller releases the Applications when the ApplicationSet is deleted. Without it,
  // the garbage collector deletes them, whatever applicationsSync says.
  const keepsApplications = applicationsSync === 'create-update' || applicationsSync === 'create-only';
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: {
      name: props.name,
      namespace,
      ...ownMetadata(props),
      ...(keepsApplications ? { finalizers: [RESOURCES_FINALIZER] } : {}),
    },
    spec: {
      goTemplate: true,
      goTemplateOptions: ['missingkey=error'],
      generators: [folderGenerator(props.target, source)],
      ...(props.strategy?.type === 'RollingSync'
        ? { strategy: rollingSync(folders, props.strategy, props.rings) }
        : {}),
      syncPolicy: { applicationsSync, preserveResourcesOnDeletion },
      template: applicationTemplate(props, source),
      ...(patch === undefined ? {} : { templatePatch: patch }),
    },
  };
}

function checkApplicationSet(props: ApplicationSetProps): readonly Problem[] {
  return [
    ...checkDnsSubdomain('The name of an ApplicationSet', props.name),
    ...checkDnsLabel("Argo CD's namespace", props.namespace ?? 'argocd'),
    ...checkDnsSubdomain('project', props.project),
    ...checkGitSource(props.source),
    ...checkRings(props.rings ?? [], props.source.path),
    ...checkOneRing(props.rings ?? []),
    ...checkTarget(props.target),
    ...checkApplicationSetOptions(props),
    ...checkApplicationNames(props.folders ?? []),
  ];
}

function checkOneRing(rings: readonly RingClusters[]): readonly Problem[] {
  const ringOf = new Map<string, string>();
  return rings.flatMap(({ name, clusters }) =>
    clusters.flatMap((cluster) => {
      const other = ringOf.get(cluster) ?? name;
      ringOf.set(cluster, other);
      if (other === name) return [];
      return [ARGOCD_FINDINGS.ringRefusedSharedCluster({ cluster, one: other, other: name })];
    }),
  );
}

interface ApplicationTemplateProps extends ApplicationSetOptions {
  readonly project: string;
  readonly target: Target;
  readonly folders?: readonly ApplicationFolder[];
}

/** The project is a constant, so that no folder can choose its own permissions; other strings are Go templates. */
function applicationTemplate(
  props: ApplicationTemplateProps,
  { repoUrl, revision, ring, prefixOf, manual }: ClusterSource,
): ApplicationSetObject['spec']['template'] {
  const { name, destination } = placement(props.target);
  const rolling = props.strategy?.type === 'RollingSync';
  const labels = {
    ...props.labels,
    ...(ring === undefined ? {} : { [RING_LABEL]: ring }),
    ...(rolling ? { [STAGE_LABEL]: stageLabel(props.folders ?? [], prefixOf) } : {}),
  };
  const ignored = props.ignoreDifferences ?? [];
  return {
    metadata: {
      name,
      // Argo CD compares with the result of a dry-run apply, so that defaults of the API server are no differences.
      annotations: { ...props.annotations, [COMPARE_OPTIONS]: 'ServerSideDiff=true' },
      ...(Object.keys(labels).length > 0 ? { labels } : {}),
    },
    spec: {
      project: props.project,
      source: { repoURL: repoUrl, targetRevision: revision, path: '{{.path.path}}' },
      destination,
      syncPolicy: {
        ...(manual === 'all' ? {} : { automated: { prune: true, selfHeal: true, allowEmpty: false } }),
        retry: retryPolicy(props.retry),
        syncOptions: [...APPLICATION_SYNC_OPTIONS],
      },
      ...(ignored.length > 0 ? { ignoreDifferences: [...ignored] } : {}),
    },
  };
}

/** Revision and folder may be Go templates over the name of a fleet's cluster. */
interface ClusterSource extends ResolvedGitSource {
  /** The name of the ring, as a Go template; undefined without rings. */
  readonly ring?: string;
  /** The clusters whose Applications are not synced automatically. */
  readonly manual: Manual;
  prefixOf(cluster: string): string;
}

/**
 * Returns the source of several clusters in rings. A cluster without a ring counts as one of the last ring, which gets
 * changes last: Argo CD may have clusters that are not in the output.
 */
export function ringSource(source: GitSource, rings: readonly RingClusters[] = []): ClusterSource {
  const own = resolveGitSource(source);
  const last = rings.at(-1);
  if (last === undefined) return { ...own, manual: 'none', prefixOf: () => own.prefix };
  const sources = new Map(rings.map((ring) => [ring, resolveGitSource(ofRing(source, ring))]));
  const ofCluster = new Map(rings.flatMap((ring) => ring.clusters.map((cluster) => [cluster, ring] as const)));
  const sourceOf = (ring: RingClusters) => sources.get(ring) ?? own;
  const byRing = (read: (ring: RingClusters) => string) => byCluster(ofCluster, read, read(last));
  return {
    repoUrl: own.repoUrl,
    revision: byRing((ring) => sourceOf(ring).revision),
    prefix: byRing((ring) => sourceOf(ring).prefix),
    ring: byRing(({ name }) => name),
    manual: manualOf(byRing(({ automated }) => (automated === false ? 'all' : 'none'))),
    prefixOf: (cluster) => sourceOf(ofCluster.get(cluster) ?? last).prefix,
  };
}

/** Converts a Go template that yields `all` or `none` for a cluster into a condition. */
function manualOf(text: string): Manual {
  if (text === 'none' || text === 'all') return text;
  return { condition: `eq (${text.replace(/^\{\{ | \}\}$/g, '')}) "all"` };
}

function ofRing({ repoUrl, revision, path }: GitSource, ring: Omit<RingClusters, 'clusters'>): GitSource {
  return { repoUrl, revision: ring.revision ?? revision, path: ring.path ?? path };
}

function byCluster(
  rings: ReadonlyMap<string, RingClusters>,
  read: (ring: RingClusters) => string,
  otherwise: string,
): string {
  const named = [...rings].map(([name, ring]) => [name, read(ring)] as const);
  const entries = named.filter(([, value]) => value !== otherwise).sort(([a], [b]) => (a < b ? -1 : 1));
  if (entries.length === 0) return otherwise;
  const words = entries.flat().map((text) => JSON.stringify(text));
  return `{{ get (dict ${words.join(' ')}) .name | default ${JSON.stringify(otherwise)} }}`;
}
