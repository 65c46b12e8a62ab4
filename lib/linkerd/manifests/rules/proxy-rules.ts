import type { Values } from '../../../helm/values';
import type { Problem } from '../../../validation/problem';
import { tracingProblems } from '../../tracing-rules';
import type { ControlPlaneView } from '../control-plane-view';

const HEADER_LOGS: readonly (string | undefined)[] = ['', 'insecure', 'off'];

/** What the chart refuses about proxies. */
export function proxyProblems(values: Values, { proxy }: ControlPlaneView): readonly Problem[] {
  const problems = [...tracingProblems(values)];
  if (!HEADER_LOGS.includes(proxy.logHTTPHeaders)) {
    problems.push({
      what: `values.proxy.logHTTPHeaders is ${JSON.stringify(proxy.logHTTPHeaders ?? null)}`,
      why: 'Proxies either keep HTTP headers out of their logs, or log them with all the secrets in them',
      fix: `set proxy.logHTTPHeaders to "off" or to "insecure"`,
    });
  }
  return problems;
}
