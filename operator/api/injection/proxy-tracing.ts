import type { Problem } from '../kubernetes/problem';
import { valueAt } from '../kubernetes/value-at';
import type { Values } from '../kubernetes/values-merge';
import { violationOf } from '../kubernetes/violation';
import { holdsText } from '../value-texts';

const IDENTITY = 'proxy.tracing.collector.meshIdentity';

/** Checks that nothing is missing for the tracing of proxies, where the values switch it on. */
export function checkProxyTracing(values: Values): readonly Problem[] {
  if (valueAt(values, 'proxy.tracing.enabled') !== true) return [];
  const problems: Problem[] = [];
  if (!holdsText(valueAt(values, 'proxy.tracing.collector.endpoint'))) {
    problems.push({
      code: 'trace-collector-missing',
      violates: violationOf('value', 'proxy.tracing.collector.endpoint'),
      about: 'values.proxy.tracing.collector.endpoint',
      what: 'values.proxy.tracing.enabled is true, but proxy.tracing.collector.endpoint is empty',
      why: 'Without a collector to send traces to, the chart refuses to make proxies: Helm fails, and the injector does for each pod',
      fix: 'set the endpoint to <service>.<namespace>:<OTLP gRPC port>',
    });
  }
  const missing = ['serviceAccountName', 'namespace'].filter(
    (key) => !holdsText(valueAt(values, `${IDENTITY}.${key}`)),
  );
  if (missing.length > 0) {
    problems.push({
      code: 'trace-identity-missing',
      violates: violationOf('value', IDENTITY),
      about: `values.${IDENTITY}`,
      what: `values.proxy.tracing.enabled is true, but ${IDENTITY} lacks ${missing.join(' and ')}`,
      why: 'Proxies send traces by mTLS only, to a collector whose identity they know beforehand',
      fix: `set ${missing.map((key) => `${IDENTITY}.${key}`).join(' and ')} to those of the collector's service account`,
    });
  }
  return problems;
}
