import { all, type Check, each, type Fields, fields, listIn, object, objectIn, own, REFUSES, textAt } from './check';
import type { RuleTable } from './rule-table';
import {
  DATA_KEY_RULE,
  dnsSubdomain,
  isDataKey,
  labelKey,
  matching,
  notEmpty,
  oneOf,
  orEmpty,
  pathSegment,
} from './scalars';

/** Most bytes of a ConfigMap or a Secret (k8s.io/kubernetes/pkg/apis/core, MaxSecretSize). */
const MAX_DATA = 1024 * 1024;

/** Keys and the size of all values; those in base64 count as what they stand for. */
function data(plain: string, encoded: string): Check {
  return object((holder, findings) => {
    const texts = objectIn(holder, plain);
    const coded = objectIn(holder, encoded);
    for (const [field, values] of [[plain, texts] as const, [encoded, coded] as const]) {
      for (const key of Object.keys(values)) {
        if (!isDataKey(key))
          findings.refuse({ code: 'data-key-refused', says: 'is no key', ...DATA_KEY_RULE }, field, key);
      }
    }
    // The text of a Secret goes before its data of the same key.
    const effective = plain === 'stringData' ? without(coded, texts) : coded;
    const size = sizeOf(texts, 'utf8') + sizeOf(effective, 'base64');
    if (size <= MAX_DATA) return;
    findings.refuseWhole({
      code: 'data-too-large',
      says: `holds ${size} bytes`,
      why: `${REFUSES}: it holds at most ${MAX_DATA}`,
      fix: 'split it, or put the data into an image',
    });
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

/** Types of Secrets that have certain keys. */
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
  if (missing.length > 0) {
    findings.refuseWhole({
      code: 'secret-incomplete',
      says: `is of type ${type}, and has no ${missing.join(' and ')}`,
      why: `${REFUSES}: Secrets of that type do`,
      fix: 'add it, or remove the type',
    });
  }
  const account = own(objectIn(objectIn(secret, 'metadata'), 'annotations'), 'kubernetes.io/service-account.name');
  if (type === 'kubernetes.io/service-account-token' && (account === undefined || account === '')) {
    findings.refuseWhole({
      code: 'secret-incomplete',
      says: `is of type ${type}, and does not name its ServiceAccount`,
      why: REFUSES,
      fix: 'add the annotation kubernetes.io/service-account.name',
    });
  }
});

function isGiven(keys: Fields, key: string, type: string): boolean {
  return type === 'kubernetes.io/ssh-auth' ? textAt(keys, key) !== undefined : Object.hasOwn(keys, key);
}

const bothBags: Check = object((map, findings) => {
  const binary = objectIn(map, 'binaryData');
  for (const key of Object.keys(objectIn(map, 'data'))) {
    if (!Object.hasOwn(binary, key)) continue;
    findings.refuse(
      {
        code: 'repeated-item',
        says: 'is in binaryData, too',
        why: `${REFUSES}: it would be one of both`,
        fix: 'remove one of them',
      },
      'data',
      key,
    );
  }
});

const RBAC = 'rbac.authorization.k8s.io';

const rule = (isNamespaced: boolean): Check =>
  object((value, findings) => {
    const urls = listIn(value, 'nonResourceURLs');
    const about = ['apiGroups', 'resources', 'resourceNames'].filter((field) => listIn(value, field).length > 0);
    if (listIn(value, 'verbs').length === 0) {
      findings.refuseWhole({
        code: 'field-missing',
        says: 'has no verbs',
        why: `${REFUSES}: it would allow nothing`,
        fix: 'add the verbs',
      });
    }
    if (urls.length > 0) {
      if (isNamespaced) {
        findings.refuse(
          { code: 'field-not-allowed', says: 'is set', why: `${REFUSES} in a Role`, fix: 'write a ClusterRole' },
          'nonResourceURLs',
        );
      } else if (about.length > 0) {
        findings.refuseWhole({
          code: 'fields-clash',
          says: `has nonResourceURLs and ${about.join(' and ')}`,
          why: `${REFUSES}: a rule is about one or the other`,
          fix: 'make two rules of it',
        });
      }
      return;
    }
    for (const field of ['apiGroups', 'resources']) {
      if (about.includes(field)) continue;
      findings.refuseWhole({
        code: 'field-missing',
        says: `has no ${field}`,
        why: `${REFUSES}: it would allow nothing`,
        fix: `add the ${field}`,
      });
    }
  });

/** A ServiceAccount is of the core group, users and groups are of that of roles, which is their default. */
const subjectGroup: Check = object((value, findings) => {
  const expected = own(value, 'kind') === 'ServiceAccount' ? '' : RBAC;
  const group = own(value, 'apiGroup');
  if (typeof group !== 'string' || group === expected || group === '') return;
  findings.refuseValue(group, `${REFUSES}: it is the group of the kind`, `write "${expected}"`, 'apiGroup');
});

const subject = (isNamespaced: boolean): Check =>
  all(
    subjectGroup,
    object((value, findings) => {
      const isAccount = own(value, 'kind') === 'ServiceAccount';
      if (isAccount && !isNamespaced && textAt(value, 'namespace') === undefined) {
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no namespace',
          why: `${REFUSES}: ServiceAccounts are in namespaces`,
          fix: 'add the namespace',
        });
      }
      findings.at('name', own(value, 'name'), isAccount ? dnsSubdomain : notEmpty);
    }),
  );

const roleRef = (...kinds: readonly string[]): Check =>
  fields({ apiGroup: orEmpty(oneOf(RBAC)), kind: oneOf(...kinds), name: all(notEmpty, pathSegment) });

const FINALIZERS = /^(?:kubernetes|.+\/.+)$/s;

/** Objects without a spec of their own. */
export const OBJECT_RULES: RuleTable = {
  ConfigMap: all(data('data', 'binaryData'), bothBags),
  Secret: all(data('stringData', 'data'), secretType),
  ServiceAccount: fields({
    secrets: each(
      object((reference, findings) => {
        if (Object.hasOwn(reference, 'name')) return;
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no name',
          why: `${REFUSES}: items of the list are told apart by it`,
          fix: 'add the name',
        });
      }),
    ),
  }),
  Role: fields({ rules: each(rule(true)) }),
  ClusterRole: all(
    fields({
      rules: each(rule(false)),
      aggregationRule: object((aggregation, findings) => {
        if (listIn(aggregation, 'clusterRoleSelectors').length > 0) return;
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no clusterRoleSelectors',
          why: `${REFUSES}: it would select nothing`,
          fix: 'add a selector',
        });
      }),
    }),
  ),
  RoleBinding: fields({ roleRef: roleRef('Role', 'ClusterRole'), subjects: each(subject(true)) }),
  ClusterRoleBinding: fields({ roleRef: roleRef('ClusterRole'), subjects: each(subject(false)) }),
  NamespaceSpec: fields({
    finalizers: each(
      all(labelKey, matching(FINALIZERS, 'a finalizer has a domain and a name', 'write "example.com/name"')),
    ),
  }),
};
