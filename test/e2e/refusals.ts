/** The state of a cluster before the run. */
export interface ClusterFacts {
  /** Version of the API server, such as `v1.34.4`. */
  readonly version: string;
  /** Names of all CustomResourceDefinitions. */
  readonly definitions: readonly string[];
  /** Names of those that an earlier run created. */
  readonly earlierDefinitions: readonly string[];
  readonly namespaces: readonly { readonly name: string; readonly labels: Readonly<Record<string, string>> }[];
  /** Names of all webhook configurations. */
  readonly webhooks: readonly string[];
  /** Number of nodes that are ready and accept pods. */
  readonly nodes: number;
  /** Whether the user may do everything. */
  readonly isAdministrator: boolean;
  /** Charts that are needed and missing in the folder of charts. */
  readonly missingCharts: readonly string[];
}

/** The plan of the run. */
export interface Intention {
  /** Namespaces that the run creates. */
  readonly namespaces: readonly string[];
  /** The cluster has cert-manager and trust-manager. */
  readonly existingCertManager: boolean;
}

/** A reason not to start. */
export interface Refusal {
  readonly code:
    | 'certManagerFound'
    | 'certManagerMissing'
    | 'chartsMissing'
    | 'earlierRun'
    | 'meshFound'
    | 'namespaceFound'
    | 'noNodes'
    | 'rightsMissing'
    | 'tooOld';
  /** The reason, and what to do. */
  readonly text: string;
}

/** The label of all objects of a run. Its value is the name of the run. */
export const RUN_LABEL = 'cdk8s-linkerd/e2e';

/** The oldest Kubernetes that the newest release of Linkerd supports. */
const OLDEST_MINOR = 31;

/** Returns all reasons not to start in a cluster. */
export function refusals(facts: ClusterFacts, intention: Intention): readonly Refusal[] {
  return [
    ...checkVersion(facts),
    ...checkRights(facts),
    ...checkMesh(facts),
    ...checkCertManager(facts, intention),
    ...checkNamespaces(facts, intention),
    ...(facts.missingCharts.length === 0
      ? []
      : [
          refusal(
            'chartsMissing',
            `--charts has no ${facts.missingCharts.join(', ')}`,
            'get them with cdk8s-linkerd charts pull, or put their folders there',
          ),
        ]),
  ];
}

function checkVersion({ version, nodes }: ClusterFacts): readonly Refusal[] {
  const [, major = 0, minor = 0] = (/^v(\d+)\.(\d+)/.exec(version) ?? []).map(Number);
  const isOld = major < 1 || (major === 1 && minor < OLDEST_MINOR);
  return [
    ...(isOld ? [refusal('tooOld', `Kubernetes is ${version}`, `use a cluster of 1.${OLDEST_MINOR} or newer`)] : []),
    ...(nodes > 0 ? [] : [refusal('noNodes', 'no node is ready and takes pods', 'wait for one, or remove its taints')]),
  ];
}

function checkRights({ isAdministrator }: ClusterFacts): readonly Refusal[] {
  if (isAdministrator) return [];
  return [refusal('rightsMissing', 'you may not do everything in this cluster', 'use the account of an administrator')];
}

function checkMesh({ definitions, namespaces, webhooks }: ClusterFacts): readonly Refusal[] {
  const found = [
    ...definitions.filter((name) => /(?:^|\.)linkerd\.io$/.test(name)),
    ...webhooks.filter((name) => name.startsWith('linkerd-')),
    ...namespaces.filter(({ labels }) => 'linkerd.io/is-control-plane' in labels).map(({ name }) => name),
  ];
  if (found.length === 0) return [];
  return [
    refusal('meshFound', `there is a mesh: ${shown(found)}`, 'use another cluster; this run would break the mesh'),
  ];
}

function checkCertManager({ definitions }: ClusterFacts, { existingCertManager }: Intention): readonly Refusal[] {
  const found = definitions.filter((name) => /\.(?:cert-manager|trust\.cert-manager)\.io$/.test(name));
  const needed = ['certificates.cert-manager.io', 'bundles.trust.cert-manager.io'];
  const missing = needed.filter((name) => !found.includes(name));
  if (existingCertManager && missing.length > 0) {
    return [refusal('certManagerMissing', `the cluster has no ${shown(missing)}`, 'leave out --existing-cert-manager')];
  }
  if (existingCertManager || found.length === 0) return [];
  return [
    refusal('certManagerFound', `there is a cert-manager: ${shown(found)}`, 'use it with --existing-cert-manager'),
  ];
}

function checkNamespaces(facts: ClusterFacts, { namespaces }: Intention): readonly Refusal[] {
  const ofRun = facts.namespaces.filter(({ labels }) => RUN_LABEL in labels).map(({ name }) => name);
  const earlier = [...ofRun, ...facts.earlierDefinitions];
  const taken = facts.namespaces
    .map(({ name }) => name)
    .filter((name) => namespaces.includes(name) && !earlier.includes(name));
  return [
    ...(earlier.length === 0
      ? []
      : [refusal('earlierRun', `an earlier run left ${shown(earlier)}`, 'remove it with --steps removal')]),
    ...(taken.length === 0
      ? []
      : [refusal('namespaceFound', `these namespaces exist: ${shown(taken)}`, 'use another cluster, or remove them')]),
  ];
}

function refusal(code: Refusal['code'], reason: string, remedy: string): Refusal {
  return { code, text: `${reason}: ${remedy}` };
}

const MAX_SHOWN = 3;

function shown(names: readonly string[]): string {
  const rest = names.length - MAX_SHOWN;
  return `${names.slice(0, MAX_SHOWN).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
