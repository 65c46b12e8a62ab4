import type { Problem } from '#base/findings/problem';
import { holdsText } from '#base/value-texts';
import { type Values, valueAt } from '#base/values';
import { INJECTION_FINDINGS } from '../injection/findings';
import { checkProxyTracing } from '../injection/proxy-tracing';

/** Reports missing settings of tracing that is enabled. */
export function checkTracing(values: Values): readonly Problem[] {
  return [...checkProxyTracing(values), ...checkControllerTracing(values)];
}

/** Reports missing settings if the control plane's own components send traces. */
export function checkControllerTracing(values: Values): readonly Problem[] {
  if (valueAt(values, 'controller.tracing.enabled') !== true) return [];
  const endpoints = ['controller.tracing.collector.endpoint', 'proxy.tracing.collector.endpoint'];
  if (endpoints.some((path) => holdsText(valueAt(values, path)))) return [];
  return [
    INJECTION_FINDINGS.injectedValueMissingTraceCollector(
      { enabled: 'controller.tracing.enabled', endpoints: endpoints.join(' or ') },
      {
        about: 'values.controller.tracing.enabled',
      },
    ),
  ];
}
