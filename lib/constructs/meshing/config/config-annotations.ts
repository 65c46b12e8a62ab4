import { defined } from '#base/defined';
import { type Values, valueAt } from '#base/values';
import { checkAmounts, isSupported } from '#lib/checks/linkerd/annotation-check';
import { AMOUNTS, ANNOTATIONS, TRACE_ATTRIBUTE_PREFIX } from '#lib/checks/linkerd/annotation-table';
import { ENABLE_DEBUG_SIDECAR } from '#linkerd/annotations';
import type { Release } from '#linkerd/releases/release';
import type { MeshConfig } from './mesh-config';

/** Annotations by key. */
export type Annotations = Readonly<Record<string, string>>;

/**
 * Returns the annotations that give pods this configuration. Values that Linkerd refuses or ignores are left out: see
 * `checkMeshConfig`.
 */
export function configAnnotations(config: MeshConfig, release: Release): Annotations {
  const drafts = annotationDrafts(config, release);
  const features = release.groups.injector;
  const refused = AMOUNTS.filter((amount) => checkAmounts(drafts, amount).length > 0).flat();
  const isRight = ([key, text]: readonly [string, string]) =>
    !refused.includes(key) &&
    isSupported(key, text, features) &&
    (ANNOTATIONS.get(key)?.form.check(key, text) ?? []).length === 0;
  return Object.fromEntries(Object.entries(drafts).filter(isRight));
}

/** Returns the annotations for all settings, valid or not. */
export function annotationDrafts(config: MeshConfig, release: Release): Annotations {
  const { debugSidecar, traceAttributes = {}, proxy } = config;
  const { nativeSidecarAnnotation } = release.groups.injector;
  const text = (value: boolean | undefined) => (value === undefined ? undefined : String(value));
  return defined({
    ...Object.fromEntries(
      [...ANNOTATIONS.values()].map(({ key, prop, form }) => [key, textOf(config, prop, form.write)]),
    ),
    ...Object.fromEntries(
      Object.entries(traceAttributes).map(([name, value]) => [`${TRACE_ATTRIBUTE_PREFIX}${name}`, value]),
    ),
    [ENABLE_DEBUG_SIDECAR]: debugSidecar === undefined ? undefined : text(debugSidecar !== false),
    ...(nativeSidecarAnnotation === undefined ? {} : { [nativeSidecarAnnotation]: text(proxy?.nativeSidecar) }),
  });
}

function textOf(
  config: MeshConfig,
  prop: string | undefined,
  write: (value: unknown) => string | undefined,
): string | undefined {
  const value = prop === undefined ? undefined : valueAt(config as unknown as Values, prop);
  return value === undefined ? undefined : write(value);
}
