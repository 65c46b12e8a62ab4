import { catalogue } from '../../../operator/api/kubernetes/catalogue';

/** Findings about a tree of constructs, before it is rendered to files. */
export const TREE_FINDINGS = catalogue({
  'build-failed': {
    severity: 'error',
    what: ({ step, error }: { step: string; error: string }) => `${step} failed: ${error}`,
    why: 'The rest of the output is unknown, so nothing is written',
    fix: 'fix the code that throws, or the props that it was given',
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
    what: ({ subject, outcome }: { subject: string; outcome: string }) =>
      `${subject} belongs to another copy of cdk8s than the library uses${outcome}`,
    why: 'Each copy resolves only its own values, so the objects of the other copy cannot be written',
    fix: 'keep one copy: `npm ls cdk8s` shows which packages install cdk8s; ask for one version in your package.json, and run `npm dedupe`',
  },
  'namespace-metadata-contested': {
    severity: 'error',
    what: ({ namespace, key, value, other }: Record<'namespace' | 'key' | 'value' | 'other', string>) =>
      `Namespace ${namespace} gets ${key}: "${value}" here, and "${other}" from another construct`,
    why: 'Only one of the two values takes effect',
    fix: ({ key }: { key: string }) => `set ${key} of this namespace in one construct only`,
  },
  'mirror-refused': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) => `${field} is ${value}`,
    why: ({ rule }: { rule: string }) => rule,
    fix: ({ form }: { form: string }) => `write it as ${form}`,
  },
});
