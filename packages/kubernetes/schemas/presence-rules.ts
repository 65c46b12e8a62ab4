import type { Named } from '#base/named';
import type { RuleTable } from '../findings/rule-words';

const ADD = 'add it';
const KEEP_ONE = 'keep one of them';
const REMOVE = 'remove it';
const REMOVE_ONE = 'remove one of them';

/** Rules that require a field, or one of several. */
export const REQUIRED_RULES = {
  schema: { why: 'its schema requires it', fix: ({ field }: Named<'field'>) => `add ${field}` },
  spec: { why: 'an object without a spec describes nothing', fix: 'add the spec' },
  'one-of-several': { why: 'one of them is needed', fix: 'add one of them' },
  'item-name': { why: 'it identifies the item of the list', fix: 'add the name' },

  // References.
  'service-reference': { why: 'it is part of the reference to a Service', fix: ADD },
  'key-reference': { why: 'the key belongs to a ConfigMap or a Secret', fix: 'add the name' },
  'variables-reference': { why: 'the variables are those of a ConfigMap or a Secret', fix: 'add the name' },
  'mount-reference': { why: 'it identifies the source of the volume', fix: ADD },
  'account-namespace': { why: 'a ServiceAccount is in a namespace', fix: 'add the namespace' },
  'claim-name': { why: 'each pod has a volume of this name', fix: 'add the name' },
  'resource-container': { why: 'a volume does not belong to one container', fix: 'add the containerName' },

  // Admission, roles and Secrets.
  'request-rule': { why: 'without it, the rule matches nothing', fix: ADD },
  'role-rule': { why: 'without it, the rule allows nothing', fix: ADD },
  'role-selector': { why: 'without a selector, it aggregates nothing', fix: 'add a selector' },
  'policy-rule': { why: 'without a rule, the policy matches nothing', fix: 'add a rule' },
  'policy-effect': { why: 'without either, the policy does nothing', fix: 'add a validation' },
  'binding-policy': { why: 'a binding refers to a policy', fix: 'add the policyName' },
  'binding-action': { why: 'without an action, the binding does nothing', fix: 'add Deny' },
  'secret-type': {
    why: ({ type }: Named<'type'>) => `a Secret of type ${type} requires it`,
    fix: 'add it, or remove the type',
  },
  'secret-account': {
    why: ({ type }: Named<'type'>) => `a Secret of type ${type} names its ServiceAccount`,
    fix: 'add the annotation',
  },

  // Pods.
  'nothing-to-run': { why: 'without it, there is nothing to run', fix: ADD },
  'node-profile': {
    why: 'type is Localhost',
    fix: ({ profile }: Named<'profile'>) => `name the ${profile} profile of the node`,
  },
  nameservers: { why: 'dnsPolicy is None', fix: 'set dnsConfig.nameservers' },
  'huge-pages': { why: 'huge pages require one of them', fix: 'add cpu or memory' },
  'operator-values': {
    why: ({ operator }: Named<'operator'>) => `${operator} compares with values`,
    fix: 'add a value, or use Exists or DoesNotExist',
  },
  'claim-modes': { why: 'a PersistentVolumeClaim requires access modes', fix: 'add ReadWriteOnce' },
  'claim-size': { why: 'a PersistentVolumeClaim requires a size', fix: 'set resources.requests.storage' },

  // Services, Ingresses and routes.
  'service-ports': {
    why: 'without a port, the Service accepts no connections',
    fix: 'add a port, or clusterIP: None',
  },
  'port-names': { why: 'a Service with several ports must name each of them', fix: 'add the name' },
  'external-name': { why: 'type is ExternalName', fix: 'set externalName' },
  'ingress-effect': { why: 'without either, the Ingress does nothing', fix: 'add a rule' },
  'backend-port': { why: 'a Service may have several ports', fix: 'add the port' },
  'filter-type': { why: ({ type }: Named<'type'>) => `a filter of type ${type} requires it`, fix: ADD },

  // Jobs.
  'manual-selector': { why: 'manualSelector is true', fix: 'add the selector' },
  'indexed-completions': { why: 'completionMode is Indexed', fix: 'set completions' },
} as const satisfies RuleTable;

/** Rules that exclude a field, alone or together with others. */
export const FORBIDDEN_RULES = {
  'one-of-several': {
    why: ({ other }: Named<'other'>) => `${other} is set, and only one of them may be`,
    fix: KEEP_ONE,
  },

  // Admission and roles.
  'insecure-api': { why: 'it excludes a caBundle and requires a service', fix: REMOVE },
  'ca-without-service': { why: 'only an APIService with a service may have it', fix: REMOVE },
  'role-urls': { why: 'a Role is namespaced, and URLs are not', fix: 'write a ClusterRole' },
  'urls-with-resources': {
    why: ({ others }: Named<'others'>) => `the rule has ${others}, and a rule cannot have both URLs and resources`,
    fix: 'write two rules',
  },

  // Pods.
  'init-container': {
    why: 'an init container that ends cannot have it',
    fix: 'remove it, or set restartPolicy: Always',
  },
  'readiness-grace': { why: 'the kubelet does not stop a container that is not ready', fix: REMOVE },
  'node-profile': { why: 'only type: Localhost allows it', fix: 'set type: Localhost, or remove it' },
  'host-users': { why: 'hostUsers is false', fix: REMOVE_ONE },
  'os-unset': { why: 'os.name is not set', fix: 'set os.name' },
  'ephemeral-containers': { why: 'ephemeral containers are added to running pods', fix: REMOVE },
  'of-containers': { why: 'only a container may have it, not a pod as a whole', fix: 'set it in a container' },
  'operator-without-values': {
    why: ({ operator }: Named<'operator'>) => `${operator} does not compare with values`,
    fix: ({ instead }: Named<'instead'>) => `remove the values, or use ${instead}`,
  },
  'selector-missing': { why: 'it narrows the labelSelector, which is missing', fix: 'add the labelSelector' },
  'min-domains': { why: 'only whenUnsatisfiable: DoNotSchedule allows it', fix: REMOVE },
  'eviction-delay': {
    why: 'it delays an eviction, which only NoExecute causes',
    fix: 'set effect: NoExecute, or remove it',
  },
  'any-value': { why: 'Exists matches all values', fix: 'remove it, or set operator: Equal' },

  // Services, routes and NetworkPolicies.
  'only-of-type': { why: ({ type }: Named<'type'>) => `only a Service of type ${type} may have it`, fix: REMOVE },
  'not-of-type': { why: ({ type }: Named<'type'>) => `a Service of type ${type} cannot have it`, fix: REMOVE },
  'node-port': { why: 'a Service of type ClusterIP cannot have a node port', fix: 'set type: NodePort, or remove it' },
  'external-traffic': { why: 'only a Service that is reachable from outside the cluster may have it', fix: REMOVE },
  'health-check': { why: 'it requires type: LoadBalancer and externalTrafficPolicy: Local', fix: REMOVE },
  'filter-type': {
    why: ({ type }: Named<'type'>) => `the type of the filter is ${type}`,
    fix: ({ needed }: Named<'needed'>) => `remove it, or set type: ${needed}`,
  },
  'redirected-requests': { why: 'a filter redirects the requests, so no backend gets them', fix: REMOVE_ONE },
  'peer-labels': { why: 'the peer also selects pods by labels', fix: 'write two peers' },

  // Workloads.
  'runs-forever': { why: 'the pods of this kind run forever', fix: 'remove it, or create a Job' },
  'update-type': {
    why: ({ type }: Named<'type'>) => `the type is ${type}`,
    fix: 'remove it, or set type: RollingUpdate',
  },
  'job-selector': { why: 'Kubernetes generates the selector of a Job', fix: 'remove it, or set manualSelector: true' },
  'cron-job-selector': { why: 'Kubernetes generates the selector of each Job of a CronJob', fix: REMOVE },
  'indexed-only': { why: 'only a Job with completionMode: Indexed may have it', fix: REMOVE },
  'never-restarted': {
    why: 'only a Job with restartPolicy: Never may have it',
    fix: 'set restartPolicy: Never, or remove it',
  },
} as const satisfies RuleTable;

/** Rules that require a unique value. */
export const UNIQUE_RULES = {
  schema: {
    why: ({ other }: Named<'other'>) => `${other} has the same value`,
    fix: ({ field, other }: Named<'field' | 'other'>) => `keep one of ${other} and ${field}`,
  },
  'name-once': { why: 'each name may be used only once', fix: REMOVE_ONE },
  'name-taken': { why: 'another item has this name', fix: 'use another name' },
  'port-taken': { why: 'another port has the same number', fix: 'use another number' },
  'path-taken': { why: 'another source writes the same path', fix: 'write another path' },
  'key-in-both': { why: 'binaryData has the same key', fix: REMOVE_ONE },
} as const satisfies RuleTable;

/** What to do about a text, a list or a map that is too long. */
export const SIZE_FIXES = {
  annotations: 'move the text into a ConfigMap',
  data: 'split it, or move the data into an image',
  'policy-types': 'keep one of each',
  list: 'remove some items',
  name: 'write a shorter name',
} as const;

/** The unit of a size. */
export type SizeUnit = 'bytes' | 'characters' | 'items';
