import { COUNT, conditions, described, list, object, TEXT, TIME } from './status-parts';
import type { StructuralSchema } from './structural-schema';

const TEXTS: StructuralSchema = { type: 'array', items: TEXT };

/** The status of a LinkerdConfig. Lists are cut at a fixed length; the counts are not. */
export function statusSchema(): StructuralSchema {
  return object('What was last observed.', {
    conditions: conditions(),
    configHash: described(
      'Short hash of the configuration that proxies get. The annotation of what is restarted for it begins with it.',
      TEXT,
    ),
    inProgress: list('Workloads (namespace/kind/name) that restart now, and since when.', {
      workload: TEXT,
      since: TIME,
      unsettled: described('Its rollout was not complete before either.', { type: 'boolean' }),
    }),
    injector: object('Since when the proxy injector injects which configuration.', {
      configHash: TEXT,
      since: TIME,
    }),
    injectorRestart: object('For which configuration the proxy injector restarts, and since when.', {
      configHash: TEXT,
      since: TIME,
    }),
    observedGeneration: described('The generation of the spec that this status is about.', {
      type: 'integer',
      format: 'int64',
    }),
    passedBy: object('Those of them that took too long and do not speak against the configuration: others go on.', {
      count: COUNT,
      restarts: list('The first of them.', { workload: TEXT, why: TEXT }),
    }),
    proxyVersion: described('The version of the proxies that new pods get.', TEXT),
    trustAnchors: list('The roots of the configuration.', { notAfter: TIME, sha256: TEXT, subject: TEXT }),
    unmanagedPods: object('Pods that follow the configuration only when somebody restarts them.', {
      count: COUNT,
      pods: TEXTS,
    }),
    workloads: list('What has proxies and follows the configuration, and what asks for it and has none.', {
      injected: TEXTS,
      injectedCount: COUNT,
      namespace: TEXT,
      uninjected: TEXTS,
      uninjectedCount: COUNT,
    }),
    valuesHash: described('Short hash of all values in force, with those that no proxy gets.', TEXT),
  });
}
