import type { ApiObject } from 'cdk8s';
import { Construct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { AppProject as AppProjectObject } from '#imports/crds/argoproj.io';
import { checkDnsLabel, checkDnsSubdomain } from '#kubernetes/names';
import { SYNC_WAVE } from '#kubernetes/objects/argocd-annotations';
import { checkPermittedKind } from '#kubernetes/objects/group-kind';
import { each, FREE, keysOf, keysWithout, list, required, text } from '#kubernetes/options/known-keys';
import { checkUrlCredentials } from '#kubernetes/urls';
import { addRule } from '../tree/add-rule';
import { manifest } from '../tree/manifest';
import { propsOf } from '../tree/prop-of-shape';
import { ARGOCD_FINDINGS } from './findings';
import { checkOwnMetadata, ownMetadata } from './own-metadata';
import type { ClusterResource, Destination, NamespacedResource } from './permissions';
import { checkRoles, PROJECT_ROLES, type ProjectRole, projectRoles } from './project-roles';
import { checkSyncWindows, SYNC_WINDOWS, type SyncWindow, syncWindows } from './sync-windows';

/** Props of AppProject: what Applications may deploy, from which sources, and to which destinations. */
export interface AppProjectProps {
  /** Name of the AppProject; not `default`, which is Argo CD's own. */
  readonly name: string;

  /**
   * Namespace that Argo CD runs in.
   *
   * @default 'argocd'
   */
  readonly namespace?: string;

  /**
   * Repositories that Applications may deploy from. List the chart repository of an umbrella chart's dependency only if
   * Argo CD has credentials for it (argo-cd v3.5.1, reposerver/repository/repository.go, helmTemplate).
   */
  readonly sourceRepos: readonly string[];

  /** Namespaces of clusters that Applications may write to. */
  readonly destinations: readonly Destination[];

  /**
   * Cluster-scoped kinds that Applications may write: all objects of a kind, or one by name. Names require Argo CD 3.3.
   *
   * @default - none
   */
  readonly clusterResources?: readonly ClusterResource[];

  /**
   * Namespaced kinds that Applications may write. Argo CD neither deploys, shows nor prunes kinds that are not listed:
   * keep a kind until its last object is gone from the cluster.
   *
   * @default - none
   */
  readonly namespacedResources?: readonly NamespacedResource[];

  /**
   * Labels of the AppProject.
   *
   * @default - none
   */
  readonly labels?: Readonly<Record<string, string>>;

  /**
   * Annotations of the AppProject, such as subscriptions of notifications.
   *
   * @default - none
   */
  readonly annotations?: Readonly<Record<string, string>>;

  /**
   * Times at which Argo CD may sync, or may not.
   *
   * @default - always
   */
  readonly syncWindows?: readonly SyncWindow[];

  /**
   * Who may do what with the Applications of the project.
   *
   * @default - none
   */
  readonly roles?: readonly ProjectRole[];
}

const RESOURCE = keysOf<ClusterResource>({ group: true, kind: true, name: true });
const PROPS = keysOf<AppProjectProps>({
  name: required(text('the name of the project')),
  namespace: true,
  sourceRepos: required(list('a list of repositories')),
  destinations: required(each(keysOf<Destination>({ namespace: true, name: true, server: true }))),
  clusterResources: each(RESOURCE),
  namespacedResources: each(keysWithout(RESOURCE, 'name')),
  labels: FREE,
  annotations: FREE,
  syncWindows: SYNC_WINDOWS,
  roles: PROJECT_ROLES,
});

/**
 * An Argo CD AppProject that permits only what it lists.
 *
 * @example
 * new AppProject(home, 'project', {
 *   name: 'mesh',
 *   sourceRepos: ['https://git.example.com/platform.git'],
 *   destinations: [{ namespace: 'shop', name: 'home' }],
 *   namespacedResources: [{ group: 'apps', kind: 'Deployment' }],
 * });
 */
export class AppProject extends Construct {
  readonly apiObject: ApiObject;

  constructor(scope: Construct, id: string, props: AppProjectProps) {
    super(scope, id);
    const given = propsOf<AppProjectProps>(this, PROPS, props);
    this.apiObject = manifest(this, 'resource', appProject(given));
    // A Platform calls only checkAppProject: it checks the addresses and kinds in its own props.
    addRule(this, () => [
      ...checkAppProject(given),
      ...checkAddresses(given),
      ...checkKinds(given),
      ...checkOwnMetadata(given),
      ...checkSyncWindows(given.syncWindows),
      ...checkRoles(given.roles),
    ]);
  }
}

/**
 * Returns the AppProject as an object. Orphaned resources are not monitored: Argo CD would warn forever about the
 * Secrets of certificates and the ConfigMaps of bundles, which are in no manifest.
 */
export function appProject(props: AppProjectProps): AppProjectObject {
  return {
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'AppProject',
    metadata: {
      name: props.name,
      namespace: props.namespace ?? 'argocd',
      ...ownMetadata({ labels: props.labels }),
      // Created before an ApplicationSet in the same sync, which would wait for three minutes without its project.
      annotations: { ...props.annotations, [SYNC_WAVE]: '-1' },
    },
    spec: {
      sourceRepos: [...props.sourceRepos],
      destinations: [...props.destinations],
      clusterResourceWhitelist: (props.clusterResources ?? []).map(namedLiterally),
      // Empty, not absent: an absent list permits every kind.
      namespaceResourceWhitelist: [...(props.namespacedResources ?? [])],
      ...(props.syncWindows === undefined ? {} : { syncWindows: syncWindows(props.syncWindows) }),
      ...(props.roles === undefined ? {} : { roles: projectRoles(props.name, props.roles) }),
    },
  };
}

/**
 * Argo CD matches names as glob patterns (argo-cd v3.5.1, pkg/apis/application/v1alpha1/types.go,
 * IsGroupKindNamePermitted), and a ClusterRole may be named `*`. A backslash makes the next character literal.
 */
function namedLiterally({ name, ...kind }: ClusterResource): ClusterResource {
  return name === undefined ? kind : { ...kind, name: name.replace(/[*?[\]{}\\]/g, '\\$&') };
}

/** Reports a name or namespace that Argo CD would refuse, and the name of Argo CD's own project. */
export function checkAppProject({ name, namespace = 'argocd' }: AppProjectProps): readonly Problem[] {
  return [
    ...checkDnsSubdomain('The name of an AppProject', name),
    ...checkDnsLabel("Argo CD's namespace", namespace),
    ...checkNotDefault(name),
  ];
}

function checkAddresses({ sourceRepos, destinations }: AppProjectProps): readonly Problem[] {
  return [
    ...sourceRepos.flatMap((url, index) => checkUrlCredentials(`sourceRepos[${index}]`, url)),
    ...destinations.flatMap(({ server = '' }, index) => checkUrlCredentials(`destinations[${index}].server`, server)),
  ];
}

function checkKinds({ clusterResources = [], namespacedResources = [] }: AppProjectProps): readonly Problem[] {
  return [
    ...clusterResources.flatMap((kind, index) => checkPermittedKind(`clusterResources[${index}]`, kind)),
    ...namespacedResources.flatMap((kind, index) => checkPermittedKind(`namespacedResources[${index}]`, kind)),
  ];
}

function checkNotDefault(name: string): readonly Problem[] {
  if (name !== 'default') return [];
  return [ARGOCD_FINDINGS.defaultProjectTaken()];
}
