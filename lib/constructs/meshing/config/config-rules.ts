import type { Problem } from '#base/findings/problem';
import { type Values, valueAt } from '#base/values';
import { checkAnnotationKey } from '#kubernetes/names';
import { checkGoDuration, type DurationLike, goDurationOf, milliseconds } from '#kubernetes/options/duration-like';
import { ANNOTATIONS, PARTLY_SUPPORTED, TRACE_ATTRIBUTE_PREFIX } from '#lib/checks/linkerd/annotation-table';
import { checkAnnotationsByMesh } from '#lib/checks/linkerd/mesh-settings-check';
import { CLOSE_WAIT_TIMEOUT } from '#linkerd/annotations';
import { checkOneLine } from '#linkerd/injection/text-forms';
import { DEFAULT_PORTS } from '#linkerd/ports';
import { checkAmount } from '#linkerd/proxy-values/quantity';
import { type Release, releaseOf } from '#linkerd/releases/release';
import { MESHING_FINDINGS } from '../findings';
import { hasNativeSidecars, type Mesh } from '../mesh';
import { annotationDrafts } from './config-annotations';
import type { MeshConfig } from './mesh-config';
import type { ProxyConfig } from './proxy-config';

/**
 * Reports settings that Linkerd would ignore, or that would keep pods from starting.
 *
 * @param of - pods inherit not all settings of their namespace; a rule for Namespaces reports the others
 */
export function checkMeshConfig(config: MeshConfig, mesh: Mesh, of: 'pods' | 'namespace' = 'pods'): readonly Problem[] {
  const { proxy = {} } = config;
  return [
    ...checkValues(config, releaseOf(mesh.release)),
    ...checkTraceAttributes(config.traceAttributes),
    ...checkRanges(proxy),
    ...checkDurations(proxy),
    ...checkWaitBeforeExit(proxy, mesh),
    ...checkEffects(config, mesh, of),
    ...checkSupport(config, releaseOf(mesh.release)),
  ];
}

/** Checks each setting by the rule for its annotation. */
function checkValues(config: MeshConfig, release: Release): readonly Problem[] {
  return Object.entries(annotationDrafts(config, release)).flatMap(([key, text]) => {
    const { prop, form } = ANNOTATIONS.get(key) ?? {};
    return prop === undefined || form === undefined ? [] : form.check(prop, text);
  });
}

function checkTraceAttributes(attributes: MeshConfig['traceAttributes'] = {}): readonly Problem[] {
  return Object.entries(attributes).flatMap(([name, value]) => [
    ...checkAnnotationKey('the annotation of a trace attribute', `${TRACE_ATTRIBUTE_PREFIX}${name}`),
    ...checkOneLine(`traceAttributes.${name}`, value),
  ]);
}

function checkRanges({ cpu = {}, memory = {}, ephemeralStorage = {} }: ProxyConfig): readonly Problem[] {
  return Object.entries({ cpu, memory, ephemeralStorage }).flatMap(([field, { request, limit }]) =>
    request === undefined || limit === undefined
      ? []
      : checkAmount(`proxy.${field}`, { request, limit }, false).filter(({ code }) => code === 'request-over-limit'),
  );
}

function checkDurations(proxy: ProxyConfig): readonly Problem[] {
  const { connectTimeout, discoveryCacheTimeout } = proxy;
  const durations: readonly (readonly [string, DurationLike | undefined, seconds?: 'seconds'])[] = [
    ['proxy.shutdownGracePeriod', proxy.shutdownGracePeriod],
    ['proxy.connectTimeout.inbound', connectTimeout?.inbound],
    ['proxy.connectTimeout.outbound', connectTimeout?.outbound],
    ['proxy.waitBeforeExit', proxy.waitBeforeExit, 'seconds'],
    ['proxy.closeWaitTimeout', proxy.closeWaitTimeout, 'seconds'],
    ['proxy.discoveryCacheTimeout.inbound', discoveryCacheTimeout?.inbound, 'seconds'],
    ['proxy.discoveryCacheTimeout.outbound', discoveryCacheTimeout?.outbound, 'seconds'],
  ];
  return durations.flatMap(([field, duration, seconds]) => {
    if (duration === undefined) return [];
    const problems = checkGoDuration(field, duration);
    return problems.length > 0 || seconds === undefined ? problems : checkWholeSeconds(field, duration);
  });
}

function checkWholeSeconds(field: string, duration: DurationLike): readonly Problem[] {
  const ms = milliseconds(duration);
  if (ms % 1000 === 0) return [];
  return [MESHING_FINDINGS.settingRefusedSeconds({ field, milliseconds: ms, seconds: Math.ceil(ms / 1000) })];
}

function checkWaitBeforeExit({ waitBeforeExit, nativeSidecar }: ProxyConfig, mesh: Mesh): readonly Problem[] {
  const native = nativeSidecar ?? hasNativeSidecars(mesh);
  const duration = goDurationOf(waitBeforeExit);
  if (duration === undefined || milliseconds(duration) === 0 || !native) return [];
  const wait = duration.toHumanString();
  const { version, groups } = releaseOf(mesh.release);
  return [
    groups.controlPlane.templates.nativeSidecarRefusesWait
      ? MESHING_FINDINGS.settingRefusedWaitFails({ wait, version })
      : MESHING_FINDINGS.settingRefusedWait({ wait }),
  ];
}

/** Checks the settings against those of the mesh. */
function checkEffects(
  config: MeshConfig,
  { release: given, effectiveValues }: Mesh,
  of: 'pods' | 'namespace',
): readonly Problem[] {
  const { [CLOSE_WAIT_TIMEOUT]: timeout, ...inherited } = annotationDrafts(config, releaseOf(given));
  return checkAnnotationsByMesh({
    annotations:
      of === 'namespace' || timeout === undefined ? inherited : { ...inherited, [CLOSE_WAIT_TIMEOUT]: timeout },
    values: effectiveValues ?? { proxy: { ports: DEFAULT_PORTS } },
    nameOf: (annotation) => ANNOTATIONS.get(annotation)?.prop ?? annotation,
  });
}

/** A release silently ignores settings that it does not support. */
function checkSupport(config: MeshConfig, { version, groups: { injector } }: Release): readonly Problem[] {
  return PARTLY_SUPPORTED.filter(({ isKnown }) => !isKnown(injector)).flatMap(({ prop, only, finding }) => {
    const value = prop === undefined ? undefined : valueAt(config as unknown as Values, prop);
    if (prop === undefined || value === undefined || (only !== undefined && only !== String(value))) return [];
    return [finding({ field: prop, value: String(JSON.stringify(value)), version })];
  });
}
