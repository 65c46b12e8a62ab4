import type { Problem } from '../kubernetes/problem';
import type { Value } from '../kubernetes/values-merge';
import { violationOf } from '../kubernetes/violation';

/** The values that decide about the init container which redirects traffic. */
export interface ProxyInitValues {
  readonly cniEnabled?: Value;
  readonly proxyInit: {
    readonly iptablesMode?: Value;
    readonly closeWaitTimeoutSecs?: Value;
    readonly runAsRoot?: Value;
  };
}

/** The kinds of iptables that the init container has the tools of (linkerd2, charts/partials/templates/_proxy-init.tpl). */
export const IPTABLES_MODES: readonly string[] = ['nft', 'legacy'];

/** Checks the init container, where there is one, by what the chart and the injector refuse. */
export function checkProxyInit({ cniEnabled, proxyInit }: ProxyInitValues): readonly Problem[] {
  if (cniEnabled) return [];
  const { iptablesMode, closeWaitTimeoutSecs, runAsRoot } = proxyInit;
  const problems: Problem[] = [];
  if (typeof iptablesMode !== 'string' || !IPTABLES_MODES.includes(iptablesMode)) {
    problems.push({
      code: 'iptables-mode-unknown',
      violates: violationOf('value', 'proxyInit.iptablesMode'),
      about: 'values.proxyInit.iptablesMode',
      what: `values.proxyInit.iptablesMode is ${JSON.stringify(iptablesMode ?? null)}`,
      why: 'The init container has the tools of nftables and of legacy iptables, and no others',
      fix: 'set proxyInit.iptablesMode to "nft" or to "legacy", whichever the nodes have',
    });
  }
  // A number below 0, which is refused by itself, would not become right by that.
  if (closeWaitTimeoutSecs && !runAsRoot && !(Number(closeWaitTimeoutSecs) < 0)) {
    problems.push({
      code: 'close-wait-without-root',
      violates: violationOf('value', 'proxyInit.closeWaitTimeoutSecs'),
      about: 'values.proxyInit.closeWaitTimeoutSecs',
      what: `values.proxyInit.closeWaitTimeoutSecs is ${closeWaitTimeoutSecs}, but proxyInit.runAsRoot is not true`,
      why: 'Only root may set the kernel parameter nf_conntrack_tcp_timeout_close_wait: pods would not start',
      fix: 'set proxyInit.runAsRoot to true, or remove closeWaitTimeoutSecs',
    });
  }
  return problems;
}
