import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { quantityOf } from '#base/quantity';
import { itemsOf } from '#base/select-fields';
import { type Values, valueAt } from '#base/values';
import { describeObject, type KubernetesObject, namespaceOf } from '#kubernetes/objects/kubernetes-object';
import * as keys from '#linkerd/annotations';
import { LINKERD_FINDINGS } from '#linkerd/findings';
import type { PodIndex } from '../policy/pod-index';
import { isMeshed, type PodSet, settingOf } from '../policy/pod-sets';

type Resource = 'cpu' | 'memory';
type Bound = 'requests' | 'limits';

/**
 * The amounts that a quota may require of each container of a pod (kubernetes, pkg/quota/v1/evaluator/core/pods.go,
 * validationSet).
 */
const REQUIRED: Readonly<Record<string, readonly [Bound, Resource]>> = {
  cpu: ['requests', 'cpu'],
  memory: ['requests', 'memory'],
  'requests.cpu': ['requests', 'cpu'],
  'requests.memory': ['requests', 'memory'],
  'limits.cpu': ['limits', 'cpu'],
  'limits.memory': ['limits', 'memory'],
};

const ANNOTATIONS: Readonly<Record<Bound, Readonly<Record<Resource, string>>>> = {
  requests: { cpu: keys.PROXY_CPU_REQUEST, memory: keys.PROXY_MEMORY_REQUEST },
  limits: { cpu: keys.PROXY_CPU_LIMIT, memory: keys.PROXY_MEMORY_LIMIT },
};

/** Amounts of a container, as text. */
type Amounts = Readonly<Record<Bound, Readonly<Partial<Record<Resource, string>>>>>;

/** The objects and values that decide which resources proxies have. */
export interface QuotaContext {
  readonly index: PodIndex;
  /** The values of the control plane's chart. */
  readonly values: Values;
  /** The LimitRanges of the cluster. */
  readonly limitRanges: readonly KubernetesObject[];
}

/** Reports a ResourceQuota or LimitRange that refuses the proxies of pods in its namespace. */
export function checkQuota(object: KubernetesObject, context: QuotaContext): readonly Problem[] {
  const namespace = namespaceOf(object);
  const meshed = context.index.in(namespace).filter((pods) => isMeshed(pods, context.index) === true);
  const rule = object.kind === 'ResourceQuota' ? checkResourceQuota : checkLimitRange;
  // Reported once: in most namespaces, all proxies have the same settings.
  const [first] = meshed.flatMap((pods) => rule(object, pods, context));
  return first === undefined ? [] : [first];
}

function checkResourceQuota(quota: KubernetesObject, pods: PodSet, context: QuotaContext): readonly Problem[] {
  const { hard, scopes, scopeSelector } = objectOf(quota.spec);
  // A quota with scopes counts only some pods.
  if (!isObject(hard) || scopes !== undefined || scopeSelector !== undefined) return [];
  const amounts = withDefaults(amountsOf(pods, context), defaultsIn(namespaceOf(quota), context));
  const missing = Object.keys(hard).filter((key) => {
    const [bound, resource] = Object.hasOwn(REQUIRED, key) ? (REQUIRED[key] ?? []) : [];
    return bound !== undefined && resource !== undefined && amounts[bound][resource] === undefined;
  });
  if (missing.length === 0) return [];
  const found = { quota: describeObject(quota), pods: describeObject(pods.object), missing: missing.sort().join(', ') };
  return [LINKERD_FINDINGS.proxyResourcesRefused({ ...found, namespace: pods.namespace })];
}

function amountsOf(pods: PodSet, { index, values }: QuotaContext): Amounts {
  const amount = (bound: Bound, resource: Resource) => {
    const set = settingOf(pods, ANNOTATIONS[bound][resource], index);
    if (set !== undefined && quantityOf(set) !== undefined) return { [resource]: set };
    const text = valueAt(values, `proxy.resources.${resource}.${bound === 'limits' ? 'limit' : 'request'}`);
    return text === undefined || text === null || text === '' ? {} : { [resource]: `${text}` };
  };
  const limits = { ...amount('limits', 'cpu'), ...amount('limits', 'memory') };
  // API servers set a missing request to the limit.
  return { limits, requests: { ...limits, ...amount('requests', 'cpu'), ...amount('requests', 'memory') } };
}

interface ContainerLimits {
  readonly object: KubernetesObject;
  readonly min: unknown;
  readonly max: unknown;
  readonly defaultLimit: unknown;
  readonly defaultRequest: unknown;
}

function containerLimits(range: KubernetesObject): readonly ContainerLimits[] {
  const { limits } = objectOf(range.spec);
  return itemsOf(limits).flatMap((item) => {
    if (!isObject(item) || item.type !== 'Container') return [];
    const { min, max, default: given, defaultRequest } = item;
    // As in kubernetes, pkg/apis/core/v1/defaults.go, SetDefaults_LimitRangeItem.
    const defaultLimit = { ...objectOf(max), ...objectOf(given) };
    return [
      {
        object: range,
        min,
        max,
        defaultLimit,
        defaultRequest: { ...objectOf(min), ...defaultLimit, ...objectOf(defaultRequest) },
      },
    ];
  });
}

function defaultsIn(namespace: string, { limitRanges }: QuotaContext): readonly ContainerLimits[] {
  return limitRanges.filter((range) => namespaceOf(range) === namespace).flatMap(containerLimits);
}

function withDefaults(amounts: Amounts, ranges: readonly ContainerLimits[]): Amounts {
  return ranges.reduce<Amounts>(
    ({ requests, limits }, { defaultLimit, defaultRequest }) => ({
      limits: { ...texts(defaultLimit), ...limits },
      requests: { ...texts(defaultRequest), ...requests },
    }),
    amounts,
  );
}

function texts(map: unknown): Readonly<Partial<Record<Resource, string>>> {
  const { cpu, memory } = objectOf(map);
  return {
    ...(cpu === undefined ? {} : { cpu: `${cpu}` }),
    ...(memory === undefined ? {} : { memory: `${memory}` }),
  };
}

function checkLimitRange(range: KubernetesObject, pods: PodSet, context: QuotaContext): readonly Problem[] {
  const amounts = amountsOf(pods, context);
  return containerLimits(range).flatMap((limits) => {
    const effective = withDefaults(amounts, [limits]);
    return (['cpu', 'memory'] as const).flatMap((resource) => [
      ...compare({ range, pods, resource, bound: 'min' }, effective.requests[resource], objectOf(limits.min)[resource]),
      ...compare({ range, pods, resource, bound: 'max' }, effective.limits[resource], objectOf(limits.max)[resource]),
    ]);
  });
}

interface Comparison {
  readonly range: KubernetesObject;
  readonly pods: PodSet;
  readonly resource: Resource;
  readonly bound: 'min' | 'max';
}

function compare(
  { range, pods, resource, bound }: Comparison,
  amount: string | undefined,
  allowed: unknown,
): readonly Problem[] {
  const [has, may] = [quantityOf(amount ?? ''), quantityOf(`${allowed ?? ''}`)];
  if (has === undefined || may === undefined || (bound === 'min' ? has >= may : has <= may)) return [];
  const found = {
    range: describeObject(range),
    pods: describeObject(pods.object),
    resource,
    amount: `${amount}`,
    allowed: `${allowed}`,
    namespace: pods.namespace,
  };
  return [
    bound === 'min'
      ? LINKERD_FINDINGS.proxyResourcesRefusedMinimum(found)
      : LINKERD_FINDINGS.proxyResourcesRefusedMaximum(found),
  ];
}
