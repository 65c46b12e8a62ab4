import { type Values, valueAt } from '../helm/values';
import type { Problem } from '../validation/problem';

const IDENTITY = 'proxy.tracing.collector.meshIdentity';
const WITHOUT_COLLECTOR = 'The chart refuses tracing without a collector to send traces to: Helm fails';

/** What is missing for tracing that the values switch on. */
export function tracingProblems(values: Values): readonly Problem[] {
  return [...proxyTracing(values), ...controllerTracing(values)];
}

function proxyTracing(values: Values): readonly Problem[] {
  if (valueAt(values, 'proxy.tracing.enabled') !== true) return [];
  const problems: Problem[] = [];
  if (isBlank(values, 'proxy.tracing.collector.endpoint')) {
    problems.push({
      what: 'values.proxy.tracing.enabled is true, but proxy.tracing.collector.endpoint is empty',
      why: WITHOUT_COLLECTOR,
      fix: 'set the endpoint to <service>.<namespace>:<OTLP gRPC port>',
    });
  }
  const missing = ['serviceAccountName', 'namespace'].filter((key) => isBlank(values, `${IDENTITY}.${key}`));
  if (missing.length > 0) {
    problems.push({
      what: `values.proxy.tracing.enabled is true, but ${IDENTITY} lacks ${missing.join(' and ')}`,
      why: 'Proxies send traces by mTLS only, to a collector whose identity they know beforehand',
      fix: `set ${missing.map((key) => `${IDENTITY}.${key}`).join(' and ')} to those of the collector's service account`,
    });
  }
  return problems;
}

function controllerTracing(values: Values): readonly Problem[] {
  if (valueAt(values, 'controller.tracing.enabled') !== true) return [];
  const endpoints = ['controller.tracing.collector.endpoint', 'proxy.tracing.collector.endpoint'];
  if (!endpoints.every((path) => isBlank(values, path))) return [];
  return [
    {
      what: `values.controller.tracing.enabled is true, but ${endpoints.join(' and ')} are empty`,
      why: WITHOUT_COLLECTOR,
      fix: `set one of them to <service>.<namespace>:<OTLP gRPC port>`,
    },
  ];
}

function isBlank(values: Values, path: string): boolean {
  const value = valueAt(values, path);
  return typeof value !== 'string' || value.trim() === '';
}
