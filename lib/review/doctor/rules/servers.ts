import { grouped } from '#base/grouped';
import { LabelIndex } from '#base/label-index';
import { isWhole, itemsOf } from '../../live/observation';
import { named } from '../../status/finding';
import { type DoctorInput, doctorFact, type Fact } from '../fact';
import { DOCTOR_FINDINGS } from '../findings';
import { workloadOfPod } from '../mesh';

const DENY = 'deny';

/** Checks for Servers of meshed pods that refuse every client, because no authorization targets them. */
export function checkServers({ seen }: DoctorInput): readonly Fact[] {
  if (!isWhole(seen.authorizations) || !isWhole(seen.servers)) return [];
  const permitted = new Set((itemsOf(seen.authorizations) ?? []).map(serverId));
  const closed = (itemsOf(seen.servers) ?? []).filter(
    ({ namespace, name, accessPolicy = DENY }) =>
      accessPolicy === DENY &&
      !permitted.has(serverId({ namespace })) &&
      !permitted.has(serverId({ namespace, server: name })),
  );
  const meshed = new LabelIndex(
    (itemsOf(seen.pods) ?? []).filter(({ proxy, isOver }) => proxy !== undefined && !isOver),
  );
  return [...grouped(closed.map((one) => [one.namespace, one] as const))].flatMap(([namespace, servers]) => {
    const guards = servers.map((server) => ({
      name: server.name,
      pods: meshed.select(namespace, server.podSelector),
    }));
    const used = guards.filter(({ pods }) => pods.length > 0);
    if (used.length === 0) return [];
    const problem = DOCTOR_FINDINGS.serverRefusesAll({
      namespace,
      servers: named(used.map(({ name }) => `Server ${name}`)),
    });
    const workloads = used.flatMap(({ pods }) => pods.map(workloadOfPod));
    return [doctorFact(problem, { breaks: { access: workloads } })];
  });
}

function serverId({ namespace, server = '*' }: { readonly namespace: string; readonly server?: string }): string {
  return `${namespace}/${server}`;
}
