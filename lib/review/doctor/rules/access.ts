import { grouped } from '#base/grouped';
import { matchesSelector } from '#base/label-selector';
import { isAmong } from '#lib/linkerd/policy/pod-sets';
import type { ObservedServer } from '../../live/mesh';
import { isWhole, itemsOf } from '../../live/observation';
import type { ObservedPod } from '../../live/workloads';
import type { DoctorInput } from '../fact';

/** A port at which pods refuse the API server, which is not in the mesh. */
export interface Denial {
  readonly port: string;
  /** The policy that refuses it: `Server shop/hook`, or the default policy of the pods. */
  readonly guard: string;
}

/** Policies that refuse every client outside the mesh. */
const MESHED_ONLY: readonly string[] = ['deny', 'all-authenticated', 'cluster-authenticated'];

/** Returns the Services that API servers call, `shop/hook`, and whose pods refuse them. What is unknown is permitted. */
export function denialsIn({ seen }: DoctorInput): ReadonlyMap<string, Denial> {
  if (![seen.servers, seen.authorizations].every((reading) => isWhole<unknown>(reading))) return new Map();
  const called = new Set(
    (itemsOf(seen.webhooks) ?? []).flatMap(({ hooks }) => hooks.flatMap(({ service }) => service ?? [])),
  );
  const slices = (itemsOf(seen.endpoints) ?? []).filter((one) => called.has(`${one.namespace}/${one.service}`));
  const pods = new Map(
    slices.length === 0 ? [] : (itemsOf(seen.pods) ?? []).map((pod) => [`${pod.namespace}/${pod.name}`, pod] as const),
  );
  const refusesStrangers = policiesOf(seen);
  return new Map(
    slices.flatMap(({ namespace, service, ports = [], pods: names = [] }) => {
      const own = names.flatMap((name) => pods.get(`${namespace}/${name}`) ?? []);
      const denials = own.flatMap((pod) => ports.flatMap((port) => refusesStrangers(pod, port) ?? []));
      return denials[0] === undefined ? [] : [[`${namespace}/${service}`, denials[0]] as const];
    }),
  );
}

function policiesOf(seen: DoctorInput['seen']): (pod: ObservedPod, port: number) => Denial | undefined {
  const servers = grouped((itemsOf(seen.servers) ?? []).map((one) => [one.namespace, one] as const));
  const open = (itemsOf(seen.authorizations) ?? []).filter(({ isMeshed }) => isMeshed !== true);
  const permitted = new Set(open.map(({ namespace, server }) => `${namespace}/${server ?? '*'}`));
  return ({ namespace, labels, proxy, inbound = {} }, port) => {
    const { policy = '', skipped = '', ports = {} } = inbound;
    if (proxy === undefined || isAmong(skipped, port)) return undefined;
    const isOfPort = (one: ObservedServer) => one.port === port || ports[one.port ?? ''] === port;
    const server = servers
      .get(namespace)
      ?.find((one) => isOfPort(one) && matchesSelector(one.podSelector, labels, 'nothing'));
    if (server === undefined) {
      const guard = `the default policy ${policy}`;
      return MESHED_ONLY.includes(policy) ? { port: `${port}`, guard } : undefined;
    }
    const isPermitted = [server.name, '*'].some((name) => permitted.has(`${namespace}/${name}`));
    const isClosed = MESHED_ONLY.includes(server.accessPolicy ?? 'deny');
    return isClosed && !isPermitted ? { port: `${port}`, guard: `Server ${namespace}/${server.name}` } : undefined;
  };
}
