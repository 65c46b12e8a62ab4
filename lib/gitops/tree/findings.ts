import { counted } from '#base/counted';
import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';

const KEEP_ONE_COPY =
  'keep one copy: `npm ls cdk8s` shows which packages install cdk8s; ask for one version in your package.json, and run `npm dedupe`';

const NOTHING_WRITTEN = 'The rest of the output is unknown, so nothing is written';
const FIX_CODE = 'fix the code that throws, or the props that it gets';

type Patch = Named<'patch' | 'object'>;

function refused({ patch, object }: Patch): string {
  return `The patch ${patch} cannot change ${object}`;
}

const PATCH_REFUSED = 'The change would be lost, or made elsewhere in the object';

/** Findings about a tree of constructs, before it is rendered to files. */
export const TREE_FINDINGS = catalogue({
  'build-failed/building': {
    severity: 'error',
    what: ({ error }: { error: string }) => `Building the cluster failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
  },
  'build-failed/id': {
    severity: 'error',
    what: ({ id, scope, place }: Named<'id' | 'scope' | 'place'>) =>
      `The id "${id}" is used twice in ${scope}: the second time by ${place}`,
    why: 'Ids are unique within a scope; a mesh that is added twice would also be deployed twice',
    fix: 'give the second construct another id, or remove it',
  },
  'build-failed/duration': {
    severity: 'error',
    what: ({ text, place }: Named<'text' | 'place'>) => `Duration.parse("${text}") fails ${place}`,
    why: 'Duration.parse of cdk8s reads the notation of ISO 8601 only, such as PT48H',
    fix: ({ proposed }: Named<'proposed'>) => `write ${proposed}`,
  },
  'build-failed/preparing': {
    severity: 'error',
    what: ({ error }: { error: string }) => `Preparing the cluster failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
  },
  'build-failed/reading': {
    severity: 'error',
    what: ({ error }: { error: string }) => `Reading the cluster failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
  },
  'build-failed/construct': {
    severity: 'error',
    what: ({ error }: { error: string }) => `Reading the construct failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
  },
  'build-failed/object': {
    severity: 'error',
    what: ({ object, error }: { object: string; error: string }) => `Reading ${object} failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
  },
  'patch-refused/missing': {
    severity: 'error',
    what: ({ at, key, patch, object }: Patch & Named<'at' | 'key'>) =>
      `${refused({ patch, object })}: ${at} has no "${key}"`,
    why: PATCH_REFUSED,
    fix: ({ proposed }: Named<'proposed'>) => `add what is missing together with its content: ${proposed}`,
  },
  'patch-refused/slash': {
    severity: 'error',
    what: ({ at, key, patch, object }: Patch & Named<'at' | 'key'>) =>
      `${refused({ patch, object })}: ${at} has no "${key}"`,
    why: 'A slash in a JSON pointer separates keys',
    fix: ({ proposed }: Named<'proposed'>) => `write a slash that is part of a key as ~1: ${proposed}`,
  },
  'patch-refused/similar': {
    severity: 'error',
    what: ({ at, key, patch, object }: Patch & Named<'at' | 'key'>) =>
      `${refused({ patch, object })}: ${at} has no "${key}"`,
    why: PATCH_REFUSED,
    fix: ({ similar, proposed }: Named<'similar' | 'proposed'>) =>
      `if you meant "${similar}", write ${proposed}; otherwise add what is missing first`,
  },
  'patch-refused/source': {
    severity: 'error',
    what: ({ at, key, patch, object }: Patch & Named<'at' | 'key'>) =>
      `${refused({ patch, object })}: ${at} has no "${key}"`,
    why: PATCH_REFUSED,
    fix: ({ known }: Named<'known'>) => `name an existing member (${known}), or remove the patch`,
  },
  'patch-refused/value': {
    severity: 'error',
    what: ({ at, value, patch, object }: Patch & Named<'at' | 'value'>) =>
      `${refused({ patch, object })}: ${at} is ${value}, which has no members`,
    why: PATCH_REFUSED,
    fix: 'replace the value as a whole, or correct the pointer',
  },
  'patch-refused/index': {
    severity: 'error',
    what: ({ at, key, length, patch, object }: Patch & Named<'at' | 'key'> & { readonly length: number }) =>
      `${refused({ patch, object })}: ${at} is a list with ${counted(length, 'item')}, and has no item "${key}"`,
    why: 'The items of a list have numbers from 0; only add, copy and move accept the next number, or "-", for a new item at the end',
    fix: 'correct the number; where the order may change, set the field by a prop or a value instead',
  },
  'patch-refused/pointer': {
    severity: 'error',
    what: ({ pointer, patch, object }: Patch & Named<'pointer'>) =>
      `${refused({ patch, object })}: ${pointer} is not a JSON pointer`,
    why: 'A JSON pointer (RFC 6901) is empty or begins with a slash, and has ~ only in ~0, for ~, and ~1, for /',
    fix: ({ proposed }: Named<'proposed'>) => `write ${proposed}`,
  },
  'patch-refused/test': {
    severity: 'error',
    what: ({ actual, expected, patch, object }: Patch & Named<'actual' | 'expected'>) =>
      `${refused({ patch, object })}: it finds ${actual} instead of ${expected}`,
    why: 'A patch with a failed test must not be applied',
    fix: 'check what changed in the object, and adapt the patch and its test',
  },
  'transform-refused/throws': {
    severity: 'error',
    what: ({ object, error }: Named<'object' | 'error'>) => `transform throws for ${object}: ${error}`,
    why: NOTHING_WRITTEN,
    fix: 'fix the function; it is called for all objects of a cluster, of every kind',
  },
  'transform-refused/result': {
    severity: 'error',
    what: ({ object, value }: Named<'object' | 'value'>) => `transform returns ${value} for ${object}, not an object`,
    why: 'An object that is missing in the output would be deleted from the cluster, and others refer to it',
    fix: 'return the object, or nothing to keep it as it is; to remove it, remove the construct or the value that creates it',
  },
  'transform-refused/identity': {
    severity: 'error',
    what: ({ object, field, value }: Named<'object' | 'field' | 'value'>) =>
      `transform changes ${field} of ${object} to ${value}`,
    why: 'It would be a different object: references to it would break, and the AppProject may not permit it',
    fix: 'set names and namespaces by the props of the construct that creates it',
  },
  'transform-refused/permission': {
    severity: 'error',
    what: ({ object, field }: Named<'object' | 'field'>) => `transform changes ${field} of ${object}`,
    why: 'The sources, destinations and kinds that Argo CD may deploy follow from the output and from the props of the Platform',
    fix: 'set it by argocd of the Platform, such as permitAlso and sourceRepos',
  },
  'build-failed/argocd': {
    severity: 'error',
    what: ({ error }: { error: string }) =>
      `Generating the Argo CD objects from argocd of the Platform failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
  },
  'construct-invalid': {
    severity: 'error',
    what: ({ message }: { message: string }) => message,
    why: 'The construct itself reports it (node.addValidation): cdk8s would refuse it, too',
    fix: 'correct the props of the construct',
  },
  'dependency-foreign': {
    severity: 'error',
    what: ({ dependency }: { dependency: string }) =>
      `The construct depends on ${dependency}, which is not part of this cluster`,
    why: 'Clusters are synced independently: there is no order between objects of different clusters',
    fix: 'depend on constructs that were created in the same Cluster',
  },
  'cdk8s-duplicate': {
    severity: 'error',
    what: ({ subject }: { subject: string }) => `${subject} belongs to another copy of cdk8s than this library uses`,
    why: 'Each copy resolves only its own values, so the objects of the other copy cannot be written',
    fix: KEEP_ONE_COPY,
  },
  'cdk8s-duplicate/unread': {
    severity: 'error',
    what: ({ object, exception }: { object: string; exception: string }) =>
      `${object} belongs to another copy of cdk8s than this library uses, and cannot be read: ${exception}`,
    why: 'Each copy resolves only its own values, so the objects of the other copy cannot be written',
    fix: KEEP_ONE_COPY,
  },
  'namespace-metadata-contested': {
    severity: 'error',
    what: ({ namespace, key, value, other }: Record<'namespace' | 'key' | 'value' | 'other', string>) =>
      `Namespace ${namespace} gets ${key}: "${value}" here, and "${other}" from another construct`,
    why: 'Only one of the two values takes effect',
    fix: ({ key }: { key: string }) => `set ${key} of this namespace in one construct only`,
  },
  'mirror-refused/host': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not the host of a registry`,
    why: 'A mirror replaces the host of a registry, and no image has this host',
    fix: "write the host alone, as in { 'quay.io': … }; that of Docker Hub is docker.io",
  },
  'mirror-refused/parts': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not a map of charts and images`,
    why: 'A mirror has two parts: the repository of charts, and the registry of images',
    fix: "write { charts: 'oci://registry.example.com/charts', images: 'registry.example.com/mirror' }",
  },
  'mirror-refused/charts': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not the URL of a chart repository or registry`,
    why: 'Helm reads chart repositories at https:// or http:// and registries at oci://',
    fix: 'write https://charts.example.com, or a registry as oci://registry.example.com/charts, without a slash at the end',
  },
  'mirror-refused/images': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}, not a place in a registry`,
    why: 'The names of images begin with it, and kubelets would refuse these names',
    fix: 'write registry.example.com/mirror: without https://, a tag, or a slash at the end',
  },
});
