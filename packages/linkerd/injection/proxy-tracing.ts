import type { Problem } from '#base/findings/problem';
import { holdsText } from '#base/value-texts';
import { type Values, valueAt } from '#base/values';
import { INJECTION_FINDINGS } from './findings';

const IDENTITY = 'proxy.tracing.collector.meshIdentity';

/** Checks that nothing is missing for the tracing of proxies, if the values enable it. */
export function checkProxyTracing(values: Values): readonly Problem[] {
  if (valueAt(values, 'proxy.tracing.enabled') !== true) return [];
  const problems: Problem[] = [];
  if (!holdsText(valueAt(values, 'proxy.tracing.collector.endpoint'))) {
    problems.push(
      INJECTION_FINDINGS.injectedValueMissingTraceCollector(
        { enabled: 'proxy.tracing.enabled', endpoints: 'proxy.tracing.collector.endpoint' },
        {
          about: 'values.proxy.tracing.collector.endpoint',
        },
      ),
    );
  }
  const missing = ['serviceAccountName', 'namespace'].filter(
    (key) => !holdsText(valueAt(values, `${IDENTITY}.${key}`)),
  );
  if (missing.length > 0) {
    problems.push(
      INJECTION_FINDINGS.injectedValueMissingTraceIdentity(
        {
          path: IDENTITY,
          missing: missing.join(' and '),
          fields: missing.map((key) => `${IDENTITY}.${key}`).join(' and '),
        },
        { about: `values.${IDENTITY}` },
      ),
    );
  }
  return problems;
}
