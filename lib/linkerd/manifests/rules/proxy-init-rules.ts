import type { Problem } from '../../../validation/problem';
import type { ControlPlaneView } from '../control-plane-view';

/** What the chart refuses about the init container that redirects traffic, where there is one. */
export function proxyInitProblems({ cniEnabled, proxyInit }: ControlPlaneView): readonly Problem[] {
  if (cniEnabled) return [];
  const { iptablesMode, closeWaitTimeoutSecs, runAsRoot } = proxyInit;
  const problems: Problem[] = [];
  if (iptablesMode !== 'nft' && iptablesMode !== 'legacy') {
    problems.push({
      what: `values.proxyInit.iptablesMode is ${JSON.stringify(iptablesMode ?? null)}`,
      why: 'The init container has the tools of nftables and of legacy iptables, and no others',
      fix: 'set proxyInit.iptablesMode to "nft" or to "legacy", whichever the nodes have',
    });
  }
  if (closeWaitTimeoutSecs && !runAsRoot) {
    problems.push({
      what: `values.proxyInit.closeWaitTimeoutSecs is ${closeWaitTimeoutSecs}, but proxyInit.runAsRoot is not true`,
      why: 'Only root may set the kernel parameter nf_conntrack_tcp_timeout_close_wait: pods would not start',
      fix: 'set proxyInit.runAsRoot to true, or remove closeWaitTimeoutSecs',
    });
  }
  return problems;
}
