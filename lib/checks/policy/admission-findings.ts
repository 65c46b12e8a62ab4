import { catalogue } from '#base/findings/catalogue';

type At = Readonly<Record<'field' | 'value', string>>;

const is = ({ field, value }: At) => `${field} is ${value}`;

const REFUSED = "Linkerd's policy webhook refuses the object";
const IGNORED = "Linkerd's policy controller ignores the whole route";
const SPLIT =
  'create an AuthorizationPolicy for each reference: a policy requires everything that it lists, and several policies are alternatives';

/** Findings about policies that Linkerd's webhook refuses, or its policy controller ignores. */
export const POLICY_ADMISSION_FINDINGS = catalogue({
  'policy-refused/target': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: ({ targets }: { targets: string }) => `target one of these, by group and kind: ${targets}`,
  },
  'policy-refused/target-namespace': {
    severity: 'error',
    what: is,
    why: `${REFUSED}: it cannot target another namespace`,
    fix: 'target the namespace of the policy',
  },
  'policy-refused/authentication': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'refer to MeshTLSAuthentication, NetworkAuthentication or ServiceAccount',
  },
  'policy-refused/identities': {
    severity: 'error',
    what: is,
    why: `${REFUSED}: a client has only one identity`,
    fix: SPLIT,
  },
  'policy-refused/networks': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: SPLIT,
  },
  'policy-refused/identity': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'write a DNS name, "*" with a suffix, or spiffe://…',
  },
  'policy-refused/identity-namespace': {
    severity: 'error',
    what: is,
    why: `${REFUSED}: a namespace is not namespaced`,
    fix: 'remove namespace',
  },
  'policy-refused/identity-kind': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'refer to a ServiceAccount or a Namespace',
  },
  'policy-refused/unsupported': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: ({ supported }: { supported: string }) => `write one of ${supported}`,
  },
  'policy-refused/port': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'write a number from 1 to 65535',
  },
  'policy-refused/network-missing': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'name a network',
  },
  'policy-refused/network': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'write an address block such as 10.0.0.0/8',
  },
  'policy-refused/exception-of-all': {
    severity: 'error',
    what: is,
    why: ({ network }: { network: string }) => `${REFUSED}: it excludes all of ${network}`,
    fix: 'exclude a smaller block, or remove the network',
  },
  'policy-refused/exception-outside': {
    severity: 'error',
    what: is,
    why: ({ network }: { network: string }) => `${REFUSED}: it is not within ${network}`,
    fix: ({ network }: { network: string }) => `exclude a part of ${network}`,
  },
  'policy-refused/path': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: ({ proposed }: { proposed: string }) => `write "${proposed}"`,
  },
  'policy-refused/egress-port': {
    severity: 'error',
    what: ({ field }: { field: string }) => `${field} is missing`,
    why: REFUSED,
    fix: 'set the port of the external hosts',
  },
  'policy-refused/route-namespace': {
    severity: 'error',
    what: is,
    why: IGNORED,
    fix: 'attach it to a Server in its own namespace',
  },
  'policy-refused/route-port': {
    severity: 'error',
    what: is,
    why: IGNORED,
    fix: 'remove it: a Server has one port',
  },
  'policy-refused/route-section': {
    severity: 'error',
    what: is,
    why: IGNORED,
    fix: 'remove it',
  },
  'policy-refused/rate-target': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'target a Server',
  },
  'policy-refused/rate': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'write a number of 1 or more',
  },
  'policy-refused/rate-above-total': {
    severity: 'error',
    what: is,
    why: ({ total }: { total: number }) => `${REFUSED}: it is more than the total, ${total}`,
    fix: ({ total }: { total: number }) => `write ${total} or less`,
  },
  'policy-refused/client': {
    severity: 'error',
    what: is,
    why: REFUSED,
    fix: 'refer to a ServiceAccount',
  },
});
