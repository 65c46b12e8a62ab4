import type { Problem } from '#base/findings/problem';
import { isObject, objectOf } from '#base/is-object';
import { valueAtPointer } from '#base/json-pointer';
import { itemsOf } from '#base/select-fields';
import { describeObject, type KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { podPlaces, type TypedObject } from '#kubernetes/objects/pod-places';
import { apiGroup } from '#kubernetes/objects/scope';
import { NATIVE_SIDECAR, NATIVE_SIDECAR_ALPHA, NATIVE_SIDECAR_BETA } from '#linkerd/annotations';
import { MESHED_PODS_FINDINGS } from './findings';

/** The control plane that injects proxies into jobs, as far as it is known. */
export interface JobMesh {
  /** Undefined if unknown. */
  readonly release?: {
    readonly version: string;
    /** The annotation that makes a pod's proxy a native sidecar; absent if it cannot be one. */
    readonly nativeSidecarAnnotation?: string | undefined;
    /** By default, proxies of the release are native sidecars. */
    readonly isNativeByDefault: boolean;
  };
  /**
   * Proxies of this control plane are native sidecars, unless an annotation of the pod or namespace decides otherwise;
   * undefined if unknown.
   */
  readonly isNative: boolean | undefined;
}

/** Whether the pods of an object should end. */
export function isJob({ apiVersion, kind }: TypedObject): boolean {
  return apiGroup(apiVersion) === 'batch' && (kind === 'Job' || kind === 'CronJob');
}

const OF_ANY_RELEASE: readonly string[] = [NATIVE_SIDECAR, NATIVE_SIDECAR_BETA, NATIVE_SIDECAR_ALPHA];

/**
 * Reports an injected job that never ends: a proxy that is an ordinary container keeps running after the job's
 * containers, and Kubernetes waits for it.
 *
 * @param settingOf - returns an annotation of the job's pods, or of their namespace
 */
export function checkJobEnds(
  job: KubernetesObject,
  settingOf: (annotation: string) => unknown,
  { release, isNative }: JobMesh,
): readonly Problem[] {
  const annotation = release?.nativeSidecarAnnotation;
  const read = release === undefined ? OF_ANY_RELEASE : annotation === undefined ? [] : [annotation];
  const decided = read.map(settingOf).find((value) => value !== undefined);
  if ((decided === undefined ? isNative : decided === 'true') !== false || podSpecs(job).every(endsProxy)) return [];
  const found = { job: describeObject(job) };
  if (release === undefined) return [MESHED_PODS_FINDINGS.jobNeverEndsUnknownRelease(found)];
  const { version, isNativeByDefault } = release;
  if (annotation === undefined) return [MESHED_PODS_FINDINGS.jobNeverEndsWithoutNativeSidecars({ ...found, version })];
  const known = { ...found, version, annotation };
  if (!isNativeByDefault) return [MESHED_PODS_FINDINGS.jobNeverEndsDefault(known)];
  return [
    decided === undefined
      ? MESHED_PODS_FINDINGS.jobNeverEndsControlPlane(known)
      : MESHED_PODS_FINDINGS.jobNeverEndsTurnedOff({ ...found, version }),
  ];
}

function podSpecs(job: KubernetesObject): readonly unknown[] {
  return podPlaces(job).map(({ spec }) => valueAtPointer(job, spec ?? ''));
}

/** Shell commands that end the proxy: by linkerd-await, or by the proxy's own endpoint at its admin port. */
const ENDS_PROXY = [/linkerd-await\s(?:.*\s)?(?:--shutdown|-S)\s/, /:\d+\/shutdown\b/];

/** Whether a container of the pod stops the proxy when it is done. */
export function endsProxy(podSpec: unknown): boolean {
  return itemsOf(objectOf(podSpec).containers).some((container) => {
    if (!isObject(container)) return false;
    const [command, args] = [textsOf(container.command), textsOf(container.args)];
    return runsLinkerdAwait([...command, ...args]) || [...command, ...args].some(isEndingScript);
  });
}

function textsOf(list: unknown): readonly string[] {
  return itemsOf(list).filter((text) => typeof text === 'string');
}

function runsLinkerdAwait([program, ...options]: readonly string[]): boolean {
  const end = options.indexOf('--');
  const own = end === -1 ? options : options.slice(0, end);
  return (
    program?.endsWith('linkerd-await') === true && own.some((option) => option === '--shutdown' || option === '-S')
  );
}

/** Only a script has spaces: the arguments of programs have none. */
function isEndingScript(text: string): boolean {
  return /\s/.test(text) && ENDS_PROXY.some((pattern) => pattern.test(text));
}
