import { catalogue } from '#base/findings/catalogue';

const KEEP_ONE_COPY =
  'keep one copy: `npm ls cdk8s` shows which packages install cdk8s; ask for one version in your package.json, and run `npm dedupe`';

const NOTHING_WRITTEN = 'The rest of the output is unknown, so nothing is written';
const FIX_CODE = 'fix the code that throws, or the props that it was given';

/** Findings about a tree of constructs, before it is rendered to files. */
export const TREE_FINDINGS = catalogue({
  'build-failed/building': {
    severity: 'error',
    what: ({ error }: { error: string }) => `Building the cluster failed: ${error}`,
    why: NOTHING_WRITTEN,
    fix: FIX_CODE,
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
    why: 'Images are found by the host of their registry, and no image has this one',
    fix: "write the host alone, as in { 'quay.io': … }; that of Docker Hub is docker.io",
  },
  'mirror-refused/parts': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not a map of charts and images`,
    why: 'It has two parts: where charts are, and where images are',
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
