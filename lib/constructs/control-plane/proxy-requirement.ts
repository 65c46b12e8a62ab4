import type { Problem } from '../../kubernetes/findings/problem';
import { matchesSelector } from '../../kubernetes/label-selector';
import { type Values, valueAt } from '../../kubernetes/values';
import { defaultsOf } from '../../linkerd/releases/chart-defaults';
import { type GivenRelease, releaseOf } from '../../linkerd/releases/release';
import { CONTROL_PLANE_FINDINGS } from './findings';
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
  const known = [...VALIDATION_ACTIONS.keys()].join(', ');
  return [
    CONTROL_PLANE_FINDINGS.requireProxyRefusedAction({ namespace, action: String(JSON.stringify(action)), known }),
  ];
}

/** Reports a namespace whose pods the injector is not asked about: none of them would ever start, or none be looked at. */
export function checkInjectorReaches(namespace: NeededNamespace, mesh: InjectingMesh): readonly Problem[] {
  const labels = { 'kubernetes.io/metadata.name': namespace.name, ...namespace.labels };
  if (matchesSelector(injectorSelector(mesh, 'namespaceSelector'), labels)) return [];
  return [CONTROL_PLANE_FINDINGS.requireProxyRefusedNeverInjected({ namespace: namespace.name })];
}

/** Reports required proxies in namespaces without whose pods the injector itself cannot start. */
export function checkNeededWithoutProxy(
  required: readonly string[],
  needed: readonly NeededNamespace[],
): readonly Problem[] {
  const caught = needed.map(({ name }) => name).filter((name) => required.includes(name));
  return caught.length === 0
    ? []
    : [CONTROL_PLANE_FINDINGS.requireProxyRefusedTooEarly({ namespaces: caught.join(', ') })];
}
