import type { Problem } from '../../kubernetes/findings/problem';
import { matchesSelector } from '../../kubernetes/label-selector';
import { type Values, valueAt } from '../../kubernetes/values';
import { defaultsOf } from '../../linkerd/releases/chart-defaults';
import { type GivenRelease, releaseOf } from '../../linkerd/releases/release';
import type { NeededNamespace } from './injector-selector';

/**
 * The fate of a pod that should have a proxy and comes without: `deny` has the API server refuse it, and whoever made it
 * try again; `warn` lets it in with a warning and a mark in the audit log; `audit` leaves the mark only.
 */
export type ProxyRequirement = 'deny' | 'warn' | 'audit';

const VALIDATION_ACTIONS = new Map<unknown, readonly string[]>([
  ['deny', ['Deny']],
  ['warn', ['Warn', 'Audit']],
  ['audit', ['Audit']],
] satisfies [ProxyRequirement, string[]][]);

/** The validationActions of a binding; what is no requirement is reported, and here as good as any. */
export function validationActions(action: ProxyRequirement | false): readonly string[] {
  return VALIDATION_ACTIONS.get(action) ?? ['Deny'];
}

/** A control plane as far as it says about which pods its injector is asked. */
export interface InjectingMesh {
  readonly release: GivenRelease;
  /** All values of its chart, where they are known. */
  readonly effectiveValues?: Values;
}

/** A selector of the proxy injector's webhook. To be asked at synth. */
export function injectorSelector(
  { release, effectiveValues }: InjectingMesh,
  selector: 'namespaceSelector' | 'objectSelector',
): unknown {
  return valueAt(effectiveValues ?? defaultsOf(releaseOf(release)).controlPlane, `proxyInjector.${selector}`);
}

/** Reports an action that is none: untyped code, or a value read from elsewhere. */
export function checkProxyRequirement(namespace: string, action: ProxyRequirement): readonly Problem[] {
  if (VALIDATION_ACTIONS.has(action)) return [];
  return [
    {
      code: 'proxy-requirement-unknown',
      what: `requireProxy of namespace ${namespace} is ${JSON.stringify(action)}`,
      why: 'It says what becomes of pods without a proxy, and there is no such action',
      fix: `choose one of ${[...VALIDATION_ACTIONS.keys()].join(', ')}, or false`,
    },
  ];
}

/** Reports a namespace whose pods the injector is not asked about: none of them would ever start, or none be looked at. */
export function checkInjectorReaches(namespace: NeededNamespace, mesh: InjectingMesh): readonly Problem[] {
  const labels = { 'kubernetes.io/metadata.name': namespace.name, ...namespace.labels };
  if (matchesSelector(injectorSelector(mesh, 'namespaceSelector'), labels)) return [];
  return [
    {
      code: 'required-proxy-never-injected',
      what: `Pods in namespace ${namespace.name} are required to have a proxy`,
      why: 'The proxy injector is not asked about them: its namespaceSelector leaves the namespace out, by name or label',
      fix: `remove requireProxy of ${namespace.name}`,
    },
  ];
}

/** Reports required proxies in namespaces without whose pods the injector itself cannot start. */
export function checkNeededWithoutProxy(
  required: readonly string[],
  needed: readonly NeededNamespace[],
): readonly Problem[] {
  const caught = needed.map(({ name }) => name).filter((name) => required.includes(name));
  if (caught.length === 0) return [];
  return [
    {
      code: 'required-proxy-too-early',
      what: `Pods in ${caught.join(', ')} are required to have a proxy`,
      why: 'Nothing injects proxies before these pods run: the cluster would not come up, on the first day or after an outage',
      fix: `remove requireProxy of ${caught.join(' and ')}`,
    },
  ];
}
