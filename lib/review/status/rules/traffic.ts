import { MINUTE } from '../../../../packages/base/time-units';
import { type Look, named, type StatusFinding, statusFinding } from '../finding';
import { STATUS_FINDINGS } from '../findings';
import { isWhole, itemsOf } from '../observation';
import { TRAFFIC_FINDINGS } from '../traffic-findings';

/** Checks links to other clusters, gateways and policies. */
export function checkTraffic(look: Look): readonly StatusFinding[] {
  return [...checkLinks(look), ...checkGateways(look), ...checkPolicies(look)];
}

function checkLinks({ intent, seen }: Look): readonly StatusFinding[] {
  if (seen.links.is !== 'read' && seen.links.is !== 'absent') return [];
  const found = new Set((itemsOf(seen.links) ?? []).map(({ namespace, name }) => `${namespace}/${name}`));
  return intent.links.flatMap((link) =>
    found.has(link) || !isWhole(seen.links) ? [] : [statusFinding(STATUS_FINDINGS.linkMissing({ link }))],
  );
}

/** The time that a cloud may take for the address of a new load balancer. */
const ADDRESSING = 10 * MINUTE;

function checkGateways({ seen, now, kubectl }: Look): readonly StatusFinding[] {
  return (itemsOf(seen.gateways) ?? []).flatMap(({ namespace, name, addresses, created = 0 }) => {
    if (addresses.length > 0 || now - created < ADDRESSING) return [];
    const gateway = `${namespace}/${name}`;
    return [statusFinding(STATUS_FINDINGS.gatewayWithoutAddress({ gateway, kubectl, namespace, name }), created)];
  });
}

const AUDIT = 'audit';

function checkPolicies({ seen }: Look): readonly StatusFinding[] {
  const audited = new Map<string, string[]>();
  for (const { name, inboundPolicy } of itemsOf(seen.namespaces) ?? []) {
    if (inboundPolicy === AUDIT) audited.set(name, ['its default']);
  }
  for (const { namespace, name, accessPolicy } of itemsOf(seen.servers) ?? []) {
    if (accessPolicy !== AUDIT) continue;
    const others = audited.get(namespace);
    if (others === undefined) audited.set(namespace, [`Server ${name}`]);
    else others.push(`Server ${name}`);
  }
  return [...audited]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([namespace, servers]) => {
      const count = seen.audited?.get(namespace);
      return [
        statusFinding(STATUS_FINDINGS.policyInAudit({ namespace, servers: named(servers) })),
        ...(count === undefined ? [] : [statusFinding(TRAFFIC_FINDINGS.policyWouldRefuse({ namespace, count }))]),
      ];
    });
}
