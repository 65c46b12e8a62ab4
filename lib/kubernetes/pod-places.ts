import { pointer, valueAt } from './json-pointer';
import { apiGroup } from './scope';

/** The place of the pod's specification in the kinds that have one. */
export const POD_SPEC: Readonly<Record<string, string>> = {
  '/Pod': 'spec',
  '/PodTemplate': 'template.spec',
  '/ReplicationController': 'spec.template.spec',
  'apps/DaemonSet': 'spec.template.spec',
  'apps/Deployment': 'spec.template.spec',
  'apps/ReplicaSet': 'spec.template.spec',
  'apps/StatefulSet': 'spec.template.spec',
  'argoproj.io/Rollout': 'spec.template.spec',
  'batch/CronJob': 'spec.jobTemplate.spec.template.spec',
  'batch/Job': 'spec.template.spec',
};

/** An object, as far as its identity goes. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The place where an object says what its pods are like, as JSON pointers. */
export interface PodPlace {
  /** The metadata of the pods. */
  readonly metadata: string;
  /** The pods' spec; absent on namespaces. */
  readonly spec?: string;
}

const TEMPLATE: readonly string[] = ['/spec/template'];
const POD_TEMPLATE: readonly string[] = ['/spec/podTemplate'];

/** The places of pod templates in objects: the first path counts that the object has, or else the first. */
const TEMPLATES: Readonly<Record<string, readonly string[]>> = {
  '/Pod': [''],
  '/ReplicationController': TEMPLATE,
  'apps/DaemonSet': TEMPLATE,
  'apps/Deployment': TEMPLATE,
  'apps/ReplicaSet': TEMPLATE,
  'apps/StatefulSet': TEMPLATE,
  'argoproj.io/Rollout': TEMPLATE,
  'batch/CronJob': ['/spec/jobTemplate/spec/template'],
  'batch/Job': TEMPLATE,
  'agent.k8s.elastic.co/Agent': [
    '/spec/daemonSet/podTemplate',
    '/spec/deployment/podTemplate',
    '/spec/statefulSet/podTemplate',
  ],
  'apm.k8s.elastic.co/ApmServer': POD_TEMPLATE,
  'beat.k8s.elastic.co/Beat': ['/spec/daemonSet/podTemplate', '/spec/deployment/podTemplate'],
  'enterprisesearch.k8s.elastic.co/EnterpriseSearch': POD_TEMPLATE,
  'kibana.k8s.elastic.co/Kibana': POD_TEMPLATE,
  'logstash.k8s.elastic.co/Logstash': POD_TEMPLATE,
  'maps.k8s.elastic.co/ElasticMapsServer': POD_TEMPLATE,
};

/**
 * Returns the places where an object says what its pods are like: in one place as a rule, in none if it has no pods
 * that are known of, in several if it has several sets of pods. A namespace speaks for all pods in it.
 */
export function podPlaces(object: TypedObject): readonly PodPlace[] {
  if (isNamespace(object)) return [{ metadata: '/metadata' }];
  return templatesOf(`${apiGroup(object.apiVersion)}/${object.kind}`, object).map((template) => ({
    metadata: `${template}/metadata`,
    spec: `${template}/spec`,
  }));
}

/** Tells whether an object is a namespace. */
export function isNamespace({ apiVersion, kind }: TypedObject): boolean {
  return kind === 'Namespace' && apiGroup(apiVersion) === '';
}

/**
 * Tells whether Elastic's operator makes the pods, which then get no token of their service account unless asked for.
 */
export function isElastic({ apiVersion }: TypedObject): boolean {
  return apiGroup(apiVersion).endsWith('.k8s.elastic.co');
}

function templatesOf(kind: string, object: TypedObject): readonly string[] {
  if (kind === 'elasticsearch.k8s.elastic.co/Elasticsearch') {
    const sets = valueAt(object, '/spec/nodeSets');
    return Array.isArray(sets) ? sets.map((_, index) => pointer('/spec/nodeSets', index, 'podTemplate')) : [];
  }
  const paths = TEMPLATES[kind] ?? [];
  const parent = (path: string) => path.slice(0, path.lastIndexOf('/'));
  return [paths.find((path) => valueAt(object, parent(path)) !== undefined) ?? paths[0]].filter(
    (path) => path !== undefined,
  );
}
