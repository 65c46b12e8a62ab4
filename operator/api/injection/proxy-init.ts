import type { Problem } from '../kubernetes/problem';
import type { Value } from '../kubernetes/values-merge';
import { INJECTION_FINDINGS } from './findings';

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
    problems.push(
      INJECTION_FINDINGS.injectedValueInvalid(
        {
          field: 'values.proxyInit.iptablesMode',
          value: JSON.stringify(iptablesMode ?? null),
          expected: '"nft" or "legacy", as the nodes use',
          consequence: 'The init container has the tools of nftables and of legacy iptables, and no others',
        },
        { about: 'values.proxyInit.iptablesMode' },
      ),
    );
  }
  // A number below 0, which is refused by itself, would not become right by that.
  if (closeWaitTimeoutSecs && !runAsRoot && !(Number(closeWaitTimeoutSecs) < 0)) {
    problems.push(
      INJECTION_FINDINGS.initWaitWithoutRoot(
        { seconds: String(closeWaitTimeoutSecs) },
        {
          about: 'values.proxyInit.closeWaitTimeoutSecs',
        },
      ),
    );
  }
  return problems;
}
