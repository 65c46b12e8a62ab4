import type { StructuralSchema } from './structural-schema';

const TEXT: StructuralSchema = { type: 'string' };
const TEXTS: StructuralSchema = { type: 'array', items: TEXT };
const TIME: StructuralSchema = { type: 'string', format: 'date-time' };
const COUNT: StructuralSchema = { type: 'integer', format: 'int32' };

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

/** metav1.Condition, with the limits that Kubernetes gives it. */
function conditions(): StructuralSchema {
  return {
    type: 'array',
    items: {
      type: 'object',
      required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
      properties: {
        lastTransitionTime: TIME,
        message: { type: 'string', maxLength: 32_768 },
        observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
        reason: { type: 'string', minLength: 1, maxLength: 1_024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' },
        status: { type: 'string', enum: ['False', 'True', 'Unknown'] },
        type: { type: 'string', maxLength: 316 },
      },
    },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['type'],
  };
}

function object(description: string, properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return { description, type: 'object', properties };
}

function list(description: string, properties: Readonly<Record<string, StructuralSchema>>): StructuralSchema {
  return { description, type: 'array', items: { type: 'object', properties } };
}

function described(description: string, schema: StructuralSchema): StructuralSchema {
  return { description, ...schema };
}
