import { isMap } from '#base/values';
import {
  at,
  conditionIn,
  conditionsOf,
  listAt,
  MAX_NAMES,
  nameIn,
  type ObservedCondition,
  present,
  type Time,
  type Trouble,
  textAt,
  timeAt,
} from './fields';

/** An Application of Argo CD. */
export interface ObservedApplication {
  readonly name: string;
  readonly project: string;
  readonly repoUrl: string;
  /** Address or name of the cluster. */
  readonly destination: string;
  readonly path: string;
  readonly targetRevision: string;
  readonly sync: string;
  readonly health: string;
  readonly healthSince?: Time;
  /** The commit that Argo CD compared with the cluster. */
  readonly revision?: string;
  /** When Argo CD last compared the Application with the cluster. */
  readonly reconciled?: Time;
  readonly isSyncing: boolean;
  readonly isAutomated: boolean;
  /** The last sync, if it failed. */
  readonly failure?: Trouble;
  /** Conditions that are errors. */
  readonly errors: readonly ObservedCondition[];
  /** Conditions that warn about objects of the Application. */
  readonly warnings: readonly ObservedCondition[];
  /** Objects that are out of sync or unhealthy: `Deployment linkerd/linkerd-destination`. */
  readonly resources: readonly string[];
  /** The namespaces of all objects of the Application. */
  readonly namespaces: readonly string[];
}

export function observeApplication(object: unknown): ObservedApplication {
  const resources = listAt(object, 'status', 'resources');
  const places = resources.flatMap((one) => textAt(one, 'namespace') ?? []);
  const automated = at(object, 'spec', 'syncPolicy', 'automated');
  return present<ObservedApplication>({
    name: nameIn(object),
    project: textAt(object, 'spec', 'project') ?? '',
    repoUrl: textAt(object, 'spec', 'source', 'repoURL') ?? '',
    destination: destinationOf(at(object, 'spec', 'destination')) ?? '',
    path: textAt(object, 'spec', 'source', 'path') ?? '',
    targetRevision: textAt(object, 'spec', 'source', 'targetRevision') ?? '',
    sync: textAt(object, 'status', 'sync', 'status') ?? 'Unknown',
    health: textAt(object, 'status', 'health', 'status') ?? 'Unknown',
    healthSince: timeAt(object, 'status', 'health', 'lastTransitionTime'),
    revision: textAt(object, 'status', 'sync', 'revision'),
    reconciled: timeAt(object, 'status', 'reconciledAt'),
    isSyncing: ['Running', 'Terminating'].includes(textAt(object, 'status', 'operationState', 'phase') ?? ''),
    isAutomated: isMap(automated) && automated.enabled !== false,
    failure: failureOf(object),
    errors: conditionsOf(object).filter(({ type }) => type.endsWith('Error')),
    warnings: conditionsOf(object).filter(({ type }) => OWN_WARNINGS.includes(type)),
    resources: resources.filter(isBad).slice(0, MAX_NAMES).map(resourceId),
    namespaces: [...new Set([textAt(object, 'spec', 'destination', 'namespace') ?? '', ...places])].slice(0, MAX_NAMES),
  });
}

/** Returns the address or the name of the cluster of a destination. */
export function destinationOf(destination: unknown): string | undefined {
  return textAt(destination, 'server') ?? textAt(destination, 'name');
}

/** Other warnings are about objects that belong to no Application. */
const OWN_WARNINGS = ['SharedResourceWarning', 'RepeatedResourceWarning', 'ExcludedResourceWarning'];

/** A failed sync counts only until Argo CD has synced another revision. */
function failureOf(object: unknown): Trouble | undefined {
  const operation = at(object, 'status', 'operationState');
  if (!['Failed', 'Error'].includes(textAt(operation, 'phase') ?? '')) return undefined;
  const synced = textAt(object, 'status', 'sync', 'revision');
  const failed = textAt(operation, 'syncResult', 'revision') ?? synced;
  if (textAt(object, 'status', 'sync', 'status') === 'Synced' && failed !== synced) return undefined;
  return present<Trouble>({ message: textAt(operation, 'message') ?? '', since: timeAt(operation, 'finishedAt') });
}

function isBad(resource: unknown): boolean {
  const sync = textAt(resource, 'status');
  const health = textAt(resource, 'health', 'status');
  return (
    (sync !== undefined && sync !== 'Synced') || (health !== undefined && !['Healthy', 'Suspended'].includes(health))
  );
}

function resourceId(resource: unknown): string {
  const [namespace, name] = [textAt(resource, 'namespace'), textAt(resource, 'name') ?? ''];
  return `${textAt(resource, 'kind') ?? ''} ${namespace === undefined ? name : `${namespace}/${name}`}`;
}

/** An ApplicationSet of Argo CD. */
export interface ObservedApplicationSet {
  readonly name: string;
  /** The condition ErrorOccurred: why the ApplicationSet cannot generate its Applications. */
  readonly error?: ObservedCondition;
}

export function observeApplicationSet(object: unknown): ObservedApplicationSet {
  return present<ObservedApplicationSet>({ name: nameIn(object), error: conditionIn(object, 'True', 'ErrorOccurred') });
}
