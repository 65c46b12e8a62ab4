import { catalogue } from '#base/findings/catalogue';
import type { Problem } from '#base/findings/problem';
import { shownValue } from '#base/findings/shown-value';

/** Findings about the Argo CD objects. */
export const ARGOCD_FINDINGS = catalogue({
  'argocd-value-refused': {
    severity: 'error',
    what: ({ field, value }: Record<'field' | 'value', string>) => `${field} is ${value}`,
    why: 'Argo CD would refuse the object, or interpret the value differently',
    fix: ({ expected }: { expected: string }) => `give ${expected}`,
  },

  'default-project-taken': {
    severity: 'error',
    what: 'The AppProject is named "default"',
    why: 'It would replace the project "default" of Argo CD: every Application that sets no project would lose its permissions',
    fix: 'choose another name, or leave project out',
  },
  'name-too-long/project': {
    severity: 'error',
    what: ({ length }: { length: number }) => `argocd.project has ${length} characters`,
    why: ({ most }: { most: number }) =>
      `The names of the ApplicationSets and of their files begin with it, and file systems accept at most ${most} characters`,
    fix: ({ excess }: { excess: number }) => `shorten it by ${excess} characters`,
  },
  'name-too-long/application': {
    severity: 'error',
    what: ({ folder, name, length }: { folder: string; name: string; length: number }) =>
      `The Application of ${folder} would be named "${name}", which has ${length} characters`,
    why: ({ most }: { most: number }) =>
      `If Argo CD tracks objects by label, it labels them with the name of the Application, and a label has at most ${most} characters`,
    fix: ({ cluster, namespace, excess }: { cluster: string; namespace: string; excess: number }) =>
      `shorten the name of the cluster (${cluster}) or of the namespace (${namespace}) by ${excess} characters`,
  },
  'name-too-long/helm-release': {
    severity: 'error',
    what: ({ folder, name, length }: { folder: string; name: string; length: number }) =>
      `The Helm release of ${folder} would be named "${name}", which has ${length} characters`,
    why: ({ most }: { most: number }) => `Helm refuses a release whose name has more than ${most} characters`,
    fix: ({ excess }: { excess: number }) => `shorten the name of the namespace by ${excess} characters`,
  },
  'application-name-collision': {
    severity: 'error',
    what: ({ one, other, name }: Record<'one' | 'other' | 'name', string>) =>
      `The folders ${one} and ${other} would both be deployed by an Application named "${name}"`,
    why: 'Argo CD would deploy only one of the two folders, or alternate between them',
    fix: 'rename one of the two clusters or namespaces',
  },
  'rolling-sync-refused/policy': {
    severity: 'error',
    what: ({ applicationsSync }: { applicationsSync: string }) =>
      `applicationsSync is "${applicationsSync}", and strategy is RollingSync`,
    why: 'A rolling sync starts each sync by updating the Application, which this policy forbids: nothing would ever be synced',
    fix: 'leave applicationsSync at "create-update", or set "sync"',
  },
  'rolling-sync-refused/max-update': {
    severity: 'error',
    what: ({ maxUpdate }: { maxUpdate: string }) =>
      `strategy.maxUpdate is ${maxUpdate}, neither a whole number above 0 nor a percentage`,
    why: 'maxUpdate limits how many Applications sync at a time: with zero the rollout never proceeds, and Argo CD ignores a value that it cannot parse',
    fix: "set a whole number of 1 or more, or a percentage between '1%' and '100%'",
  },
  'retry-refused': {
    severity: 'error',
    what: ({ field, value, expected }: { field: string; value: string; expected: string }) =>
      `retry.${field} is ${value}, not ${expected}`,
    why: 'The first sync of a mesh needs several attempts, because one Application installs the CRDs that another one uses. Argo CD multiplies the pause between attempts by factor, up to maxDuration: with this value it would not retry, retry without a pause, or ignore duration',
    fix: ({ field, expected }: { field: string; expected: string }) => `set retry.${field} to ${expected}`,
  },
  'ring-refused/shared-cluster': {
    severity: 'error',
    what: ({ cluster, one, other }: Record<'cluster' | 'one' | 'other', string>) =>
      `The cluster ${cluster} is in the rings ${one} and ${other}`,
    why: 'It would receive a change twice, or together with the wrong ring',
    fix: ({ cluster }: { cluster: string }) => `remove ${cluster} from one of the two rings`,
  },
  'ring-refused/repeated': {
    severity: 'error',
    what: ({ name }: { name: string }) => `Two rings are named "${name}"`,
    why: 'A cluster refers to its ring by name, and this name is ambiguous',
    fix: 'give each ring a name of its own',
  },
  'ring-refused/nested': {
    severity: 'error',
    what: ({ inner, outer }: { inner: string; outer: string }) =>
      `The folder "${inner}" is inside "${outer}", and clusters are read from both`,
    why: 'Argo CD would read a folder of one ring as a cluster or a namespace of another',
    fix: ({ example }: { example: string }) => `give the rings folders next to each other, such as "${example}"`,
  },
  'ring-refused/unmeasured': {
    severity: 'error',
    what: ({ name }: { name: string }) => `health of the ring ${name} has successRate, but no prometheus`,
    why: 'The success rate would not be measured, and `status --ring` would never report the ring as healthy',
    fix: "add prometheus: { namespace: 'monitoring', name: 'prometheus-operated' }, or remove successRate",
  },
  'ring-refused/rate': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, not a number above 0 and up to 1`,
    why: 'With another value every cluster of the ring would count as healthy, or none',
    fix: 'write it as a number: 0.99',
  },
  'ring-refused/prometheus': {
    severity: 'error',
    what: ({ field, value }: { field: string; value: string }) =>
      `${field} is ${value}, which does not name the Service of a Prometheus`,
    why: '`cdk8s-linkerd status` queries Prometheus through its Service',
    fix: "write it as { namespace: 'monitoring', name: 'prometheus-operated', port: 9090 }",
  },
  'destination-refused': {
    severity: 'error',
    what: ({ cluster, field, value }: Record<'cluster' | 'field' | 'value', string>) =>
      `The destination of cluster ${cluster} has the ${field} "${value}"`,
    why: 'Argo CD would not find the cluster, or would let the project deploy to another one, since it interprets wildcards and braces',
    fix: "set destination.server to the URL of the cluster's API server, such as https://10.0.0.1:6443, or destination.name to the name that `argocd cluster list` shows",
  },
  'destination-refused/shared': {
    severity: 'error',
    what: ({ one, other, destination }: Record<'one' | 'other' | 'destination', string>) =>
      `The clusters ${one} and ${other} both have the destination "${destination}"`,
    why: 'Argo CD would deploy two meshes to one cluster, and each sync of one would undo the other',
    fix: ({ other }: { other: string }) => `set destination of the Cluster ${other} to its own address in Argo CD`,
  },
  'destination-refused/two-addresses': {
    severity: 'error',
    what: ({ cluster, server, name }: Record<'cluster' | 'server' | 'name', string>) =>
      `The destination of cluster ${cluster} has both the server "${server}" and the name "${name}"`,
    why: 'Argo CD refuses an Application whose destination has two addresses',
    fix: 'keep one of destination.server and destination.name',
  },
  'destination-refused/fleet': {
    severity: 'error',
    what: ({ name, destination }: { name: string; destination: string }) =>
      `The cluster ${name} has the destination "${destination}", and fleet is set`,
    why: 'A fleet deploys the folder that has the name of the registered cluster, and the output has no folder of that name',
    fix: ({ name, destination }: { name: string; destination: string }) =>
      `name the Cluster "${destination}", or register it in Argo CD as "${name}"`,
  },
  'destination-unused': {
    severity: 'warning',
    what: ({ cluster, server }: { cluster: string; server: string }) =>
      `destination.server of the cluster ${cluster} is "${server}", which is ignored, because fleet is set`,
    why: 'A fleet deploys each folder to the registered cluster of the same name, at the address that Argo CD has for it',
    // The same text for all clusters, so that a report prints it once.
    fix: 'remove destination, and check that `argocd cluster list` shows the cluster with its name and that address',
  },
  'repository-refused/url-missing': {
    severity: 'error',
    what: 'repoUrl is missing',
    why: 'Argo CD would not know from which repository to deploy the output',
    fix: "set repoUrl to the repository's URL, such as https://git.example.com/platform.git",
  },
  'repository-refused/url': {
    severity: 'error',
    what: ({ url }: { url: string }) => `repoUrl is "${url}", not a Git URL that Argo CD accepts`,
    why: 'Argo CD accepts https://, http://, ssh:// and file:// URLs and git@host:path, and interprets wildcards and braces',
    fix: 'write the URL that git clone accepts, such as https://git.example.com/platform.git',
  },
  'repository-refused/path': {
    severity: 'error',
    what: ({ field, path }: { field: string; path: string }) =>
      `${field} is "${path}", not a path from the root of the repository`,
    why: 'Argo CD matches folders by their path from the root of the repository, without a slash at either end, "." or "..", or wildcards, and skips hidden folders',
    fix: ({ example }: { example: string }) => `write it as "${example}"`,
  },
  'repository-refused/revision': {
    severity: 'error',
    what: ({ field, revision }: { field: string; revision: string }) =>
      `${field} is "${revision}", not the name of a branch or tag, or a commit`,
    why: 'Argo CD would follow another revision, or none',
    fix: "name the branch, or leave revision out to follow the repository's default branch",
  },
  'ignore-difference-refused/pointer': {
    severity: 'error',
    what: ({ field, pointer }: { field: string; pointer: string }) => `${field} has the JSON pointer "${pointer}"`,
    why: 'A JSON pointer starts with a slash: with this one, Argo CD would ignore nothing, or another field',
    fix: ({ suggestion }: { suggestion: string }) => `write it as "${suggestion}"`,
  },
  'ignore-difference-refused/field-missing': {
    severity: 'error',
    what: ({ field, kind }: { field: string; kind: string }) => `${field} (${kind}) names no field`,
    why: 'Argo CD would ignore nothing',
    fix: 'add jsonPointers, jqPathExpressions or managedFieldsManagers, or remove the entry',
  },
  'template-in-expression': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} contains "{{"`,
    why: 'The ApplicationSet controller reads it as the start of a Go template and generates no Application',
    fix: 'write the expression with spaces between the braces',
  },
});

/** Returns the problem of a value for an object of Argo CD, which may be of any type. */
export function refusedValue(field: string, value: unknown, expected: string): Problem {
  return ARGOCD_FINDINGS.argocdValueRefused({ field, value: shownValue(value), expected });
}
