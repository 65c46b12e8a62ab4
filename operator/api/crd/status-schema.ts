import { COUNT, conditions, described, list, object, TEXT, TIME } from './status-parts';
import type { StructuralSchema } from './structural-schema';

const TEXTS: StructuralSchema = { type: 'array', items: TEXT };

/** Returns the schema of a LinkerdConfig's status. Lists are cut at a fixed length; the counts are not. */
export function statusSchema(): StructuralSchema {
  return object('The last observation.', {
    conditions: conditions(),
    configHash: described(
      'Short hash of the configuration of proxies. The annotation of workloads that restart for it begins with it.',
      TEXT,
    ),
    inProgress: list('Workloads (namespace/kind/name) that are restarting, and since when.', {
      workload: TEXT,
      since: TIME,
      unsettled: described('Its rollout was already incomplete before.', { type: 'boolean' }),
    }),
    injector: object('The configuration that the proxy injector uses, and since when.', {
      configHash: TEXT,
      since: TIME,
    }),
    injectorRestart: object('The configuration for which the proxy injector is restarting, and since when.', {
      configHash: TEXT,
      since: TIME,
    }),
    observedGeneration: described('The generation of the spec that this status describes.', {
      type: 'integer',
      format: 'int64',
    }),
    passedBy: object('Late restarts without evidence against the configuration. Other workloads continue.', {
      count: COUNT,
      restarts: list('The first of them.', { workload: TEXT, why: TEXT }),
    }),
    proxyVersion: described('The proxy version of new pods.', TEXT),
    trustAnchors: list('The roots of the configuration.', { notAfter: TIME, sha256: TEXT, subject: TEXT }),
    unmanagedPods: object('Pods that get the configuration only when you restart them.', {
      count: COUNT,
      pods: TEXTS,
    }),
    workloads: list(
      'Workloads with proxies that follow the configuration, and workloads that request it but have no proxies.',
      {
        injected: TEXTS,
        injectedCount: COUNT,
        namespace: TEXT,
        uninjected: TEXTS,
        uninjectedCount: COUNT,
      },
    ),
    valuesHash: described('Short hash of all current values, including those that proxies do not use.', TEXT),
  });
}
