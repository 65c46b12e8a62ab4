import { grouped } from '#base/grouped';
import { MINUTE } from '#base/time-units';
import { isWhole, itemsOf } from '../../live/observation';
import { named, type StatusFinding, type StatusInput, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { TRAFFIC_FINDINGS } from '../traffic-findings';

/** Checks links to other clusters, gateways and policies. */
export function checkTraffic(input: StatusInput): readonly StatusFinding[] {
  return [...checkLinks(input), ...checkGateways(input), ...checkPolicies(input)];
}

function checkLinks({ intent, seen }: StatusInput): readonly StatusFinding[] {
  if (seen.links.is !== 'read' && seen.links.is !== 'absent') return [];
  const found = new Set((itemsOf(seen.links) ?? []).map(({ namespace, name }) => `${namespace}/${name}`));
  return intent.links.flatMap((link) =>
    found.has(link) || !isWhole(seen.links) ? [] : [statusFinding(STATUS_FINDINGS.linkMissing({ link }))],
  );
}

/** The time that a cloud may take for the address of a new load balancer. */
const ADDRESSING = 10 * MINUTE;

function checkGateways({ seen, now, kubectl }: StatusInput): readonly StatusFinding[] {
  return (itemsOf(seen.gateways) ?? []).flatMap(({ namespace, name, addresses, created = 0 }) => {
    if (addresses.length > 0 || now - created < ADDRESSING) return [];
    const gateway = `${namespace}/${name}`;
    return [statusFinding(STATUS_FINDINGS.gatewayWithoutAddress({ gateway, kubectl, namespace, name }), created)];
  });
}

const AUDIT = 'audit';

function checkPolicies({ seen }: StatusInput): readonly StatusFinding[] {
  const namespaces = (itemsOf(seen.namespaces) ?? []).filter(({ inboundPolicy }) => inboundPolicy === AUDIT);
  const servers = (itemsOf(seen.servers) ?? []).filter(({ accessPolicy }) => accessPolicy === AUDIT);
  const audited = grouped([
    ...namespaces.map(({ name }) => [name, 'its default'] as const),
    ...servers.map(({ namespace, name }) => [namespace, `Server ${name}`] as const),
  ]);
  return [...audited]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([namespace, policies]) => {
      const count = seen.audited?.get(namespace);
      return [
        statusFinding(STATUS_FINDINGS.policyInAudit({ namespace, servers: named(policies) })),
        ...(count === undefined ? [] : [statusFinding(TRAFFIC_FINDINGS.policyWouldRefuse({ namespace, count }))]),
      ];
    });
}
