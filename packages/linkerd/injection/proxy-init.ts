import type { Problem } from '#base/findings/problem';
import type { Value } from '#base/values';
import { INJECTION_FINDINGS } from './findings';

/** The values for the init container that redirects traffic. */
export interface ProxyInitValues {
  readonly cniEnabled?: Value;
  readonly proxyInit: {
    readonly iptablesMode?: Value;
    readonly closeWaitTimeoutSecs?: Value;
    readonly runAsRoot?: Value;
  };
}

/** The iptables variants in the init container (linkerd2, charts/partials/templates/_proxy-init.tpl). */
export const IPTABLES_MODES: readonly string[] = ['nft', 'legacy'];

/** Checks the init container, if there is one, for settings that the chart and the injector of a release refuse. */
export function checkProxyInit(
  { cniEnabled, proxyInit }: ProxyInitValues,
  { closeWaitNeedsRoot }: { readonly closeWaitNeedsRoot: boolean },
): readonly Problem[] {
  if (cniEnabled) return [];
  const { iptablesMode, closeWaitTimeoutSecs, runAsRoot } = proxyInit;
  const problems: Problem[] = [];
  if (typeof iptablesMode !== 'string' || !IPTABLES_MODES.includes(iptablesMode)) {
    problems.push(
      INJECTION_FINDINGS.injectedValueRefusedIptablesMode(
        {
          field: 'values.proxyInit.iptablesMode',
          value: JSON.stringify(iptablesMode ?? null),
          expected: '"nft" or "legacy", depending on the nodes',
        },
        { about: 'values.proxyInit.iptablesMode' },
      ),
    );
  }
  // Another check refuses a negative number, which root would not make valid.
  if (closeWaitNeedsRoot && closeWaitTimeoutSecs && !runAsRoot && !(Number(closeWaitTimeoutSecs) < 0)) {
    problems.push(
      INJECTION_FINDINGS.injectedValueRefusedInitWait(
        { seconds: String(closeWaitTimeoutSecs) },
        {
          about: 'values.proxyInit.closeWaitTimeoutSecs',
        },
      ),
    );
  }
  return problems;
}
