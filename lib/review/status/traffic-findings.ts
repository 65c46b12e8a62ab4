import { catalogue } from '#base/findings/catalogue';
import type { Named } from '#base/named';
import { shellWord } from '#base/shell-word';

/** Findings about recent restarts and requests of proxies. */
export const TRAFFIC_FINDINGS = catalogue({
  'proxies-restarting': {
    severity: 'warning',
    what: ({ pods, namespace, workloads, reason }: Named<'pods' | 'namespace' | 'workloads' | 'reason'>) =>
      `In ${namespace}, the proxy of ${pods} restarted in the last ten minutes (${reason}): ${workloads}`,
    why: 'Each restart of a proxy ends the connections of its pod',
    fix: ({ kubectl, namespace, pod }: Named<'kubectl' | 'namespace' | 'pod'>) =>
      `run ${kubectl} -n ${shellWord(namespace)} logs pod/${shellWord(pod)} -c linkerd-proxy --previous`,
  },
  'policy-would-refuse': {
    severity: 'note',
    what: ({ namespace, count }: Named<'namespace'> & { readonly count: number }) =>
      `In ${namespace}, policies in audit would have refused requests and connections in the last hour (at most ${count})`,
    why: 'They would fail once the policies are enforced; at ports without HTTP, the number may include permitted clients',
    fix: 'list the clients as docs/policy.md describes, and allow the clients that should have access',
  },
});
