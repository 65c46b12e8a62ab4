import { pointer, valueAtPointer } from '#base/json-pointer';
import { fieldPath, type SelectedField, selectFields } from '#base/select-fields';
import { apiGroup } from './scope';

/** The path of the pod's specification in the kinds that have one. */
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

const CONTAINERS = new Map(
  Object.entries(POD_SPEC).map(([kind, spec]) => [
    kind,
    ['initContainers[]', 'containers[]'].map((list) => fieldPath(`${spec}.${list}`)),
  ]),
);

/** Returns the containers of an object's pods, init containers first; none for kinds without pods. */
export function podContainers(object: TypedObject): readonly SelectedField[] {
  const paths = CONTAINERS.get(`${apiGroup(object.apiVersion)}/${object.kind}`) ?? [];
  return paths.flatMap((path) => selectFields(object, path));
}

/** The type of an object. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Where an object describes its pods, as JSON pointers. */
export interface PodPlace {
  /** The metadata of the pods. */
  readonly metadata: string;
  /** The pods' spec; absent on namespaces. */
  readonly spec?: string;
}

const TEMPLATE: readonly string[] = ['/spec/template'];
const POD_TEMPLATE: readonly string[] = ['/spec/podTemplate'];

/** The possible paths of the pod template, by kind: the first that exists is used, else the first one. */
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
 * Returns the places where an object describes its pods: usually one, none if it has no known pods, several if it has
 * several sets of pods. A namespace describes all pods in it.
 */
export function podPlaces(object: TypedObject): readonly PodPlace[] {
  if (isNamespace(object)) return [{ metadata: '/metadata' }];
  return templatesOf(`${apiGroup(object.apiVersion)}/${object.kind}`, object).map((template) => ({
    metadata: `${template}/metadata`,
    spec: `${template}/spec`,
  }));
}

/** Whether an object is a namespace. */
export function isNamespace({ apiVersion, kind }: TypedObject): boolean {
  return kind === 'Namespace' && apiGroup(apiVersion) === '';
}

/** Whether Elastic's operator creates the pods, which then get no token of their service account by default. */
export function isElastic({ apiVersion }: TypedObject): boolean {
  return apiGroup(apiVersion).endsWith('.k8s.elastic.co');
}

function templatesOf(kind: string, object: TypedObject): readonly string[] {
  if (kind === 'elasticsearch.k8s.elastic.co/Elasticsearch') {
    const sets = valueAtPointer(object, '/spec/nodeSets');
    return Array.isArray(sets) ? sets.map((_, index) => pointer('/spec/nodeSets', index, 'podTemplate')) : [];
  }
  const paths = TEMPLATES[kind] ?? [];
  const parent = (path: string) => path.slice(0, path.lastIndexOf('/'));
  return [paths.find((path) => valueAtPointer(object, parent(path)) !== undefined) ?? paths[0]].filter(
    (path) => path !== undefined,
  );
}
