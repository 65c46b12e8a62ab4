import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { ApplicationSet as ApplicationSetObject } from '../../../imports/crds/argoproj.io';
import type { Problem } from '../../kubernetes/findings/problem';
import { each, FREE, keysOf, needed, required, text } from '../../kubernetes/known-keys';
import { checkDnsLabel, checkDnsSubdomain } from '../../kubernetes/names';
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
import { applicationTemplate } from './application-template';
import { ARGOCD_FINDINGS } from './findings';
import { checkGitSource, type GitSource } from './git-source';
import { checkRings, type RingClusters } from './ring';
import { ringSource } from './ring-sources';
import { rollingSync } from './rolling-sync';
import { checkTarget, folderGenerator, type Target } from './target';
import { templatePatch } from './template-patch';

/** Props of ApplicationSet: which folders become Applications, and how. */
export interface ApplicationSetProps extends ApplicationSetOptions {
  /** Name of the ApplicationSet. */
  readonly name: string;
  /** Name of the AppProject of all its Applications; it has to exist before the ApplicationSet. */
  readonly project: string;
  /** The place of the folders in Git. */
  readonly source: GitSource;
  /** The cluster, or the fleet of clusters, that the folders are for. */
  readonly target: Target;

  /**
   * All that is known of the folders. Folders in Git that are not listed become Applications too, of plain manifests
   * and in the last stage.
   *
   * @default - nothing
   */
  readonly folders?: readonly ApplicationFolder[];

  /**
   * The rings, in their order, with the clusters that are in each. A cluster that is in none counts to the last one. A
   * ring has its own revision and folder in Git where it says so, and a RollingSync goes ring by ring.
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
      stage: true,
      chart: true,
      onlyDefinitions: true,
      onlyOutOfSync: true,
    }),
  ),
  rings: each(keysOf<RingClusters>({ name: true, revision: true, path: true, clusters: true })),
  ...APPLICATION_SET_OPTIONS,
});

/** An Argo CD ApplicationSet that makes one Application of each folder `<path>/<cluster>/<namespace>` in Git. */
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

/** The ApplicationSet as an object. */
export function applicationSet(props: ApplicationSetProps): ApplicationSetObject {
  const { namespace = 'argocd', applicationsSync = 'create-update', preserveResourcesOnDeletion = true } = props;
  const source = ringSource(props.source, props.rings);
  const folders = props.folders ?? [];
  const patch = templatePatch(folders, source.prefixOf);
  // Its controller then lets the Applications go when the ApplicationSet is deleted; without it the garbage collector
  // takes them along, whatever applicationsSync says.
  const keepsApplications = applicationsSync === 'create-update' || applicationsSync === 'create-only';
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'ApplicationSet',
    metadata: { name: props.name, namespace, ...(keepsApplications ? { finalizers: [RESOURCES_FINALIZER] } : {}) },
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

/** Reports what would make Argo CD refuse the ApplicationSet, or never sync what it generates. */
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

/** Checks that no cluster is in two rings. */
function checkOneRing(rings: readonly RingClusters[]): readonly Problem[] {
  const ringOf = new Map<string, string>();
  return rings.flatMap(({ name, clusters }) =>
    clusters.flatMap((cluster) => {
      const other = ringOf.get(cluster) ?? name;
      ringOf.set(cluster, other);
      if (other === name) return [];
      return [ARGOCD_FINDINGS.clusterInTwoRings({ cluster, one: other, other: name })];
    }),
  );
}
