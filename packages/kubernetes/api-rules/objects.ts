import type { RuleTable } from './check';
import {
  all,
  type Check,
  duplicate,
  each,
  type Fields,
  fields,
  forbidden,
  invalid,
  invalidKey,
  listIn,
  object,
  objectIn,
  own,
  required,
  textAt,
  tooLong,
} from './check';
import { dnsSubdomain, isDataKey, labelKey, matching, notEmpty, oneOf, orEmpty, pathSegment } from './scalars';

/** Maximum size of a ConfigMap or a Secret in bytes (k8s.io/kubernetes/pkg/apis/core, MaxSecretSize). */
const MAX_DATA = 1024 * 1024;

/** Checks the keys and the total size of data; base64 values count by their decoded size. */
function data(plain: string, encoded: string): Check {
  return object((holder, findings) => {
    const texts = objectIn(holder, plain);
    const coded = objectIn(holder, encoded);
    for (const [field, values] of [[plain, texts] as const, [encoded, coded] as const]) {
      for (const key of Object.keys(values)) {
        if (!isDataKey(key)) findings.refuse(invalidKey('data-key'), field, key);
      }
    }
    // `stringData` of a Secret overrides `data` of the same key.
    const effective = plain === 'stringData' ? without(coded, texts) : coded;
    const size = sizeOf(texts, 'utf8') + sizeOf(effective, 'base64');
    if (size <= MAX_DATA) return;
    findings.refuseWhole(tooLong(size, MAX_DATA, 'bytes', 'data'), 'data');
  });
}

function sizeOf(values: Fields, encoding: BufferEncoding): number {
  return Object.values(values).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? Buffer.byteLength(value, encoding) : 0),
    0,
  );
}

function without(values: Fields, others: Fields): Fields {
  return Object.fromEntries(Object.entries(values).filter(([key]) => !Object.hasOwn(others, key)));
}

const KEYS_OF_TYPE: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

const secretType: Check = object((secret, findings) => {
  const type = own(secret, 'type');
  if (typeof type !== 'string') return;
  const keys = { ...objectIn(secret, 'data'), ...objectIn(secret, 'stringData') };
  const missing = (Object.hasOwn(KEYS_OF_TYPE, type) ? (KEYS_OF_TYPE[type] ?? []) : []).filter(
    (key) => !isGiven(keys, key, type),
  );
  const isBasic = type === 'kubernetes.io/basic-auth';
  if (isBasic && !Object.hasOwn(keys, 'username') && !Object.hasOwn(keys, 'password')) missing.push('username');
  for (const key of missing) findings.refuseWhole(required(`data["${key}"]`, 'secret-type', { type }));
  const account = own(objectIn(objectIn(secret, 'metadata'), 'annotations'), 'kubernetes.io/service-account.name');
  if (type === 'kubernetes.io/service-account-token' && (account === undefined || account === '')) {
    findings.refuseWhole(
      required('metadata.annotations["kubernetes.io/service-account.name"]', 'secret-account', { type }),
    );
  }
});

function isGiven(keys: Fields, key: string, type: string): boolean {
  return type === 'kubernetes.io/ssh-auth' ? textAt(keys, key) !== undefined : Object.hasOwn(keys, key);
}

const bothBags: Check = object((map, findings) => {
  const binary = objectIn(map, 'binaryData');
  for (const key of Object.keys(objectIn(map, 'data'))) {
    if (!Object.hasOwn(binary, key)) continue;
    findings.refuse(duplicate(key, 'key-in-both'), 'data', key);
  }
});

const RBAC = 'rbac.authorization.k8s.io';

const rule = (isNamespaced: boolean): Check =>
  object((value, findings) => {
    const urls = listIn(value, 'nonResourceURLs');
    const about = ['apiGroups', 'resources', 'resourceNames'].filter((field) => listIn(value, field).length > 0);
    if (listIn(value, 'verbs').length === 0) {
      findings.refuseWhole(required('verbs', 'role-rule'));
    }
    if (urls.length > 0) {
      if (isNamespaced) {
        findings.refuse(forbidden('role-urls'), 'nonResourceURLs');
      } else if (about.length > 0) {
        findings.refuseWhole(forbidden('urls-with-resources', { others: about.join(', ') }), 'nonResourceURLs');
      }
      return;
    }
    for (const field of ['apiGroups', 'resources']) {
      if (about.includes(field)) continue;
      findings.refuseWhole(required(field, 'role-rule'));
    }
  });

/** A ServiceAccount is in the core group; users and groups are in the RBAC group, which is their default. */
const subjectGroup: Check = object((value, findings) => {
  const expected = own(value, 'kind') === 'ServiceAccount' ? '' : RBAC;
  const group = own(value, 'apiGroup');
  if (typeof group !== 'string' || group === expected || group === '') return;
  findings.refuse(invalid(group, 'group-of-kind', { expected }), 'apiGroup');
});

const subject = (isNamespaced: boolean): Check =>
  all(
    subjectGroup,
    object((value, findings) => {
      const isAccount = own(value, 'kind') === 'ServiceAccount';
      if (isAccount && !isNamespaced && textAt(value, 'namespace') === undefined) {
        findings.refuseWhole(required('namespace', 'account-namespace'));
      }
      findings.at('name', own(value, 'name'), isAccount ? dnsSubdomain : notEmpty);
    }),
  );

const roleRef = (...kinds: readonly string[]): Check =>
  fields({ apiGroup: orEmpty(oneOf(RBAC)), kind: oneOf(...kinds), name: all(notEmpty, pathSegment) });

const FINALIZERS = /^(?:kubernetes|.+\/.+)$/s;

/** Rules of objects without a spec. */
export const OBJECT_RULES: RuleTable = {
  ConfigMap: all(data('data', 'binaryData'), bothBags),
  Secret: all(data('stringData', 'data'), secretType),
  ServiceAccount: fields({
    secrets: each(
      object((reference, findings) => {
        if (Object.hasOwn(reference, 'name')) return;
        findings.refuseWhole(required('name', 'item-name'));
      }),
    ),
  }),
  Role: fields({ rules: each(rule(true)) }),
  ClusterRole: all(
    fields({
      rules: each(rule(false)),
      aggregationRule: object((aggregation, findings) => {
        if (listIn(aggregation, 'clusterRoleSelectors').length > 0) return;
        findings.refuseWhole(required('clusterRoleSelectors', 'role-selector'));
      }),
    }),
  ),
  RoleBinding: fields({ roleRef: roleRef('Role', 'ClusterRole'), subjects: each(subject(true)) }),
  ClusterRoleBinding: fields({ roleRef: roleRef('ClusterRole'), subjects: each(subject(false)) }),
  NamespaceSpec: fields({
    finalizers: each(all(labelKey, matching(FINALIZERS, 'finalizer'))),
  }),
};
