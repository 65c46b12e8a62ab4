import { catalogue } from '#base/findings/catalogue';

const isNoSubnet = ({ field, value }: { field: string; value: string }) =>
  `${field} is "${value}", not a subnet in CIDR notation`;
const WRITE_SUBNET = 'write an address, a slash and the length of the prefix, such as "10.0.0.0/8"';

/** Findings about values that proxies and their init containers parse. */
export const PROXY_VALUE_FINDINGS = catalogue({
  'log-filter-refused': {
    severity: 'error',
    what: ({ field, filter, wrong }: Record<'field' | 'filter' | 'wrong', string>) =>
      `${field} is "${filter}", which has no known level in ${wrong}`,
    why: 'The proxy reads it as the name of a module and logs nothing from other modules, or ignores it; the network validator may not start',
    fix: ({ levels }: { levels: string }) =>
      `use one of ${levels}, alone or after a module and "=", such as "warn,linkerd=debug"`,
  },
  'port-refused/list': {
    severity: 'error',
    what: ({ field, list, wrong }: Record<'field' | 'list' | 'wrong', string>) =>
      `${field} is "${list}", with ${wrong} instead of ports`,
    why: 'The programs that read it stop, or ignore the port',
    fix: 'list ports from 1 to 65535 and ranges, such as "3306,4000-4100"',
  },
  'duration-refused/proxy': {
    severity: 'error',
    what: ({ field, text }: { field: string; text: string }) => `${field} is "${text}", not a duration`,
    why: 'The proxy, or the network validator, does not start if it cannot parse it',
    fix: 'write a whole number and one of the units ms, s, m, h and d, such as "5m"',
  },
  'quantity-refused/invalid': {
    severity: 'error',
    what: ({ field, quantity }: { field: string; quantity: string }) =>
      `${field} is "${quantity}", not a quantity of 0 or more`,
    why: 'As an annotation, the proxy injector ignores it; in a pod, Kubernetes refuses it',
    fix: ({ example }: { example: string }) => `write a number with an optional unit, such as "${example}"`,
  },
  'quantity-refused/fraction': {
    severity: 'error',
    what: ({ field, quantity, bytes }: { field: string; quantity: string; bytes: number }) =>
      `${field} is ${quantity}, which is ${bytes} bytes`,
    why: 'Memory and storage are counted in whole bytes ("m" means a thousandth): the container would have next to no memory and be killed at its start',
    fix: ({ field }: { field: string }) => `write ${field} with a binary unit, such as "250Mi"`,
  },
  'request-over-limit': {
    severity: 'error',
    what: ({ field, request, limit }: Record<'field' | 'request' | 'limit', string>) =>
      `${field}.request is ${request}, more than ${field}.limit of ${limit}`,
    why: 'Kubernetes refuses every pod with such a container',
    fix: ({ field, request }: { field: string; request: string }) =>
      `set ${field}.limit to ${request} or more, or lower ${field}.request`,
  },
  'address-refused/skipped-subnet': {
    severity: 'error',
    what: isNoSubnet,
    why: 'The init container that redirects the traffic of the pod fails, and the pod never starts',
    fix: WRITE_SUBNET,
  },
  'address-refused/skipped-subnets': {
    severity: 'error',
    what: isNoSubnet,
    why: 'Every meshed pod reads this value, and none would start',
    fix: WRITE_SUBNET,
  },
  'address-refused/webhook-client': {
    severity: 'error',
    what: isNoSubnet,
    why: 'The API server refuses the NetworkPolicy',
    fix: WRITE_SUBNET,
  },
  'address-refused/client-network': {
    severity: 'error',
    what: isNoSubnet,
    why: "Linkerd's policy webhook refuses the object",
    fix: WRITE_SUBNET,
  },
  'address-refused/node-network': {
    severity: 'error',
    what: isNoSubnet,
    why: "Linkerd's policy controller does not start",
    fix: WRITE_SUBNET,
  },
});
