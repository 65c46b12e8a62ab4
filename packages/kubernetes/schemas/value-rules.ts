import type { Named } from '#base/named';
import { NAME_CHARACTERS, type NameFormTitle } from '../findings/findings';
import type { RuleTable } from '../findings/rule-words';

const ABSOLUTE = 'write it with a leading "/"';
const REMOVE = 'remove it';
const REMOVE_ONE = 'remove one of them';
const REMOVE_OTHERS = 'remove the others';
const REMOVE_SIGN = 'remove the sign';

const FORMAT_WORDS = {
  byte: 'base64',
  duration: 'a duration such as 10s',
  int32: 'from -2147483648 to 2147483647',
  int64: 'a whole number of 64 bits',
  quantity: 'a quantity: a number with an optional unit, "100m" or "64Mi" for instance',
} as const;

/** A format that the schemas in `imports/` name, and that the API server checks. */
export type SchemaFormatName = keyof typeof FORMAT_WORDS;

function formatWords({ expected }: Named<'expected'>): string {
  return Object.hasOwn(FORMAT_WORDS, expected)
    ? FORMAT_WORDS[expected as SchemaFormatName]
    : `of the format ${expected}`;
}

/** The rules of schemas. `expected` is the name of a format, names of fields, or text of the schema. */
export const SCHEMA_RULES = {
  'schema-description': {
    why: ({ expected }: Named<'expected'>) => `it must be ${expected}`,
    fix: ({ expected }: Named<'expected'>) => `write ${expected}`,
  },
  'schema-pattern': {
    why: ({ expected }: Named<'expected'>) => `it must match ${expected}`,
    fix: ({ expected }: Named<'expected'>) => `write a text that matches ${expected}`,
  },
  'schema-format': {
    why: (parameters: Named<'expected'>) => `it must be ${formatWords(parameters)}`,
    fix: (parameters: Named<'expected'>) => `write a value that is ${formatWords(parameters)}`,
  },
  'schema-one-field': {
    why: ({ expected }: Named<'expected'>) => `it must have exactly one of ${expected}`,
    fix: ({ expected }: Named<'expected'>) => `set exactly one of ${expected}`,
  },
  'schema-some-field': {
    why: ({ expected }: Named<'expected'>) => `it must have at least one of ${expected}`,
    fix: ({ expected }: Named<'expected'>) => `set at least one of ${expected}`,
  },
  'schema-keyword': {
    why: ({ expected }: Named<'expected'>) => `it ${expected}`,
    fix: 'change it as its schema requires',
  },
} as const satisfies RuleTable;

/** Rules for the key of a map, some of which also apply to values. */
export const KEY_RULES = {
  'label-key': {
    why: 'a key is a name of letters, digits, "-", "_" and ".", of at most 63 characters, after an optional DNS name and "/"',
    fix: 'write it as "name" or "example.com/name"',
  },
  'data-key': {
    why: 'a key has at most 253 letters, digits, "-", "_" and ".", and does not begin with ".."',
    fix: 'write a key such as "config.yaml"',
  },
  'container-resource': {
    why: 'it must be a resource of containers, or have a prefix: "example.com/gpu"',
    fix: 'use the name of such a resource',
  },
} as const satisfies RuleTable;

/** Rules for the value of a field. */
export const VALUE_RULES = {
  ...SCHEMA_RULES,
  ...KEY_RULES,

  // Names and numbers.
  'name-form': {
    why: ({ form }: { readonly form: NameFormTitle }) =>
      `a ${form} consists of ${NAME_CHARACTERS[form] ?? 'the characters that its format allows'}`,
    fix: ({ proposed }: Named<'proposed'>) => `write it as "${proposed}"`,
  },
  'name-length': {
    why: ({ form, length, most }: { form: NameFormTitle; length: number; most: number }) =>
      `it has ${length} characters, and a ${form} has at most ${most}`,
    fix: ({ proposed }: Named<'proposed'>) => `write it as "${proposed}", or use another name`,
  },
  empty: { why: 'it must not be empty', fix: 'set a value, or remove it' },
  'no-items': { why: 'it must have an item', fix: 'add an item' },
  'listed-once': { why: 'each item may be listed only once', fix: REMOVE_ONE },
  'at-least': {
    why: ({ least }: { least: number }) => `it must be ${least} or more`,
    fix: ({ least }: { least: number }) => `write a number of ${least} or more`,
  },
  range: {
    why: ({ least, most }: { least: number; most: number }) => `it must be from ${least} to ${most}`,
    fix: ({ least, most }: { least: number; most: number }) => `write a number from ${least} to ${most}`,
  },
  'number-or-percentage': {
    why: 'it is a whole number or a percentage',
    fix: 'write a number, or "25%" for instance',
  },
  'over-all': { why: 'a percentage is at most 100%', fix: 'write "100%" or less' },
  'quantity-negative': { why: 'a quantity must not be negative', fix: REMOVE_SIGN },
  'path-segment': { why: 'it must fit into a URL, without "/" and "%"', fix: 'use ":" or "-" instead' },
  'path-absolute': { why: 'the path must be absolute', fix: ABSOLUTE },
  'path-below': { why: 'the path must stay below its root', fix: 'write it without ".." and a leading "/"' },
  'path-backstep': { why: 'the path must not contain ".."', fix: 'write the path without ".."' },
  'path-of-kubelet': { why: 'names that begin with ".." are reserved for the kubelet', fix: 'write another name' },
  'ip-address': { why: 'it must be an IP address', fix: 'write an address such as 10.0.0.1' },
  network: { why: 'it must be a network in CIDR notation', fix: 'write a network such as 10.0.0.0/8' },
  'port-name': {
    why: 'the name of a port has at most 15 lower-case letters, digits and single "-", at least one of them a letter',
    fix: 'write a name such as "http"',
  },
  'environment-name': {
    why: 'the name of an environment variable has printable ASCII characters other than "="',
    fix: 'write a name such as LOG_LEVEL',
  },
  'header-name': { why: 'the name of a header has letters, digits and "-"', fix: 'write a name such as Accept' },
  finalizer: { why: 'a finalizer has a domain and a name', fix: 'write "example.com/name"' },
  'group-of-kind': {
    why: 'it must be the API group of the kind',
    fix: ({ expected }: Named<'expected'>) => `write "${expected}"`,
  },

  // Webhooks and admission policies.
  'wildcard-alone': { why: ({ list }: Named<'list'>) => `"*" matches all ${list}`, fix: REMOVE_OTHERS },
  'wildcard-covers': { why: 'a "*" covers other items of the list', fix: 'remove the items that "*" covers' },
  'webhook-name': {
    why: 'the name of a webhook is a DNS name of at least three parts',
    fix: 'write "name.example.com"',
  },
  'review-versions': { why: 'API servers send v1 or v1beta1', fix: 'add v1' },
  'webhook-url': {
    why: 'it must be https://host/path, without user, query and fragment',
    fix: 'write "https://host/path", or refer to a service',
  },
  'webhook-path': { why: 'the segments of the path must be DNS names', fix: 'write a path such as "/mutate"' },
  'expression-blank': { why: 'an expression must not be blank', fix: 'write a CEL expression' },
  'message-lines': { why: 'a message is one line and not blank', fix: 'write it on one line' },
  'api-version': { why: 'it must be the API version of a kind', fix: 'write "v1" or "example.com/v1"' },
  kind: { why: 'it must be the name of a kind', fix: 'write the kind, such as "ConfigMap"' },
  'audit-key': {
    why: 'the name of the policy, "/" and the key together must be the key of an annotation',
    fix: 'write a name of letters, digits, "-", "_" and "."',
  },
  'deny-and-warn': { why: 'Deny already reports what Warn would', fix: 'keep one of Deny and Warn' },
  'cel-identifier': { why: 'it must be an identifier of CEL', fix: 'write a name of letters, digits and "_"' },
  'api-service-name': {
    why: 'the name is the version, "." and the group',
    fix: ({ expected }: Named<'expected'>) => `write "${expected}"`,
  },

  // Pods.
  'success-threshold': { why: 'liveness and startup probes must succeed at the first success', fix: 'write 1' },
  'mount-propagation': { why: 'only a privileged container may use it', fix: 'write HostToContainer' },
  'mount-recursion': { why: 'the mount must be read-only and must not be propagated', fix: 'set readOnly: true' },
  'volume-unknown': { why: 'the pod has no volume of that name', fix: 'add it, or use the name of a volume' },
  'claim-unknown': {
    why: 'the pod has no resource claim of that name',
    fix: 'add it to resourceClaims, or use the name of a claim',
  },
  'container-unknown': {
    why: 'the pod has no container of that name',
    fix: 'write the name of a container of the pod',
  },
  'pod-field': {
    why: 'only some fields of a pod are available to its containers',
    fix: ({ known }: Named<'known'>) => `write one of ${known}, or metadata.labels['key']`,
  },
  'resource-field': { why: 'it must be a limit or a request', fix: 'write limits.cpu for instance' },
  divisor: { why: 'it must be a unit of the resource', fix: 'write 1' },
  'privilege-escalation': {
    why: ({ setting }: Named<'setting'>) => `${setting} is set, which already allows everything`,
    fix: ({ setting }: Named<'setting'>) => `remove ${setting}`,
  },
  'profile-name': { why: 'it must be the name of a profile, without white space around it', fix: 'write the name' },
  'host-port': { why: 'with hostNetwork, it must equal containerPort', fix: REMOVE },
  'search-domain': { why: 'a search domain is a DNS name', fix: 'write a name such as svc.cluster.local' },
  'sysctl-name': { why: 'it must be the name of a sysctl', fix: 'write a name such as net.core.somaxconn' },
  'whole-units': { why: 'the resource is counted in whole units', fix: 'write a whole number' },
  'page-size': { why: 'it must be a multiple of the page size in its name', fix: 'write a multiple of the page size' },
  'limit-missing': { why: 'the resource needs an equal limit', fix: 'set a limit of the same amount' },
  'limit-differs': {
    why: 'the request and the limit of the resource must be equal',
    fix: ({ limit }: Named<'limit'>) => `write ${limit}`,
  },
  'limit-exceeded': {
    why: ({ limit }: Named<'limit'>) => `it is more than the limit of ${limit}`,
    fix: ({ limit }: Named<'limit'>) => `write ${limit} or less`,
  },
  'data-source-group': { why: 'without apiGroup, it must be a PersistentVolumeClaim', fix: 'set apiGroup' },
  'access-modes': { why: 'ReadWriteOncePod excludes all other modes', fix: REMOVE_OTHERS },

  // Placement of pods.
  'one-number': {
    why: ({ operator }: Named<'operator'>) => `${operator} compares with one number`,
    fix: 'write one value',
  },
  'one-name': { why: 'it compares with one name', fix: 'write one name' },
  'label-in-both': { why: 'the same label is in matchLabelKeys', fix: 'remove it from one of them' },
  'topology-key': { why: 'pods are spread by the values of a node label', fix: 'name a label of nodes' },
  'toleration-key': {
    why: 'without a key, a toleration matches all taints, which requires operator: Exists',
    fix: 'set the key, or operator: Exists',
  },

  // Services, Ingresses, routes and NetworkPolicies.
  'service-address': { why: ({ type }: Named<'type'>) => `a Service of type ${type} needs an address`, fix: REMOVE },
  'first-address': { why: 'its first address must be clusterIP', fix: REMOVE },
  'special-address': {
    why: 'it must not be a special-purpose address',
    fix: 'write an address at which nodes are reached',
  },
  'host-address': { why: 'it must be a DNS name, not an IP address', fix: 'write a DNS name that resolves to it' },
  'ingress-path': { why: 'a path must be unambiguous', fix: 'write it without "//", "/.", "/.." and "%2f"' },
  'ingress-class': {
    why: ({ annotation }: Named<'annotation'>) => `the annotation kubernetes.io/ingress.class is "${annotation}"`,
    fix: 'remove the annotation',
  },
  'route-path': { why: 'a path is absolute and unambiguous', fix: 'write it without "//", "/.", "/.." and "#"' },
  'route-parents': { why: 'each parent may be listed once', fix: 'give them different sectionNames, or remove one' },
  'end-port': {
    why: 'the range starts at port, which must be a number',
    fix: 'write a number that is not below port',
  },
  'network-outside': {
    why: ({ network }: Named<'network'>) => `it is not in ${network}`,
    fix: ({ network }: Named<'network'>) => `write a network within ${network}`,
  },

  // Workloads.
  'selector-empty': { why: 'an empty selector selects all pods', fix: 'add matchLabels' },
  'selector-mismatch': {
    why: 'it does not select the pods of its own template',
    fix: 'set the labels that it selects in template.metadata.labels',
  },
  'update-stuck': { why: 'maxSurge is 0, too, so no pod could be replaced', fix: 'set one of them to 1 or more' },
  'daemon-set-stuck': {
    why: 'in a DaemonSet, exactly one of maxSurge and maxUnavailable must be 0',
    fix: 'set one of them to 1 or more',
  },
  'daemon-set-surge': {
    why: 'in a DaemonSet, exactly one of maxSurge and maxUnavailable must be 0',
    fix: 'set maxUnavailable: 0, or remove maxSurge',
  },
  deadline: {
    why: ({ ready }: { ready: number }) => `it must be more than minReadySeconds, which is ${ready}`,
    fix: 'set it to a larger number',
  },
  'managed-by': { why: 'it must be a domain, "/" and a name', fix: 'write "example.com/controller"' },
  'job-restarts': { why: 'the pods of a Job must end, and the default is Always', fix: 'write OnFailure or Never' },
  'fail-index': { why: 'it requires backoffLimitPerIndex', fix: 'write FailJob' },
  'exit-codes': {
    why: 'the exit codes must be in ascending order, and In does not accept 0',
    fix: 'write them in order, without 0',
  },
  'time-zone': { why: 'it must be the name of a time zone', fix: 'write a name such as Europe/Zurich' },
} as const satisfies RuleTable;
