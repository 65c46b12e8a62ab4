import type { Problem } from '../../kubernetes/findings/problem';
import { valueAt } from '../../kubernetes/json-pointer';
import { describeObject, type KubernetesObject } from '../../kubernetes/kubernetes-object';
import { podPlaces, type TypedObject } from '../../kubernetes/pod-places';
import { apiGroup } from '../../kubernetes/scope';
import { INJECT } from '../../linkerd/annotations';
import { releaseOf } from '../../linkerd/releases/release';
import type { Annotations } from './config/config-annotations';
import { MESHING_FINDINGS } from './findings';
import { runsLinkerdAwait } from './linkerd-await';
import { hasNativeSidecars, type Mesh } from './mesh';

/** Tells whether the object's pods are to end by themselves. */
export function isJob({ apiVersion, kind }: TypedObject): boolean {
  return apiGroup(apiVersion) === 'batch' && (kind === 'Job' || kind === 'CronJob');
}

/** The job's own annotation about injection, if it has one. */
export function ownInjection(job: KubernetesObject): string | undefined {
  return podAnnotations(job)[INJECT];
}

/**
 * Reports what keeps a meshed job from ever ending: a proxy that is an ordinary container runs on when the job's
 * containers are done, and Kubernetes waits for it.
 *
 * @param inherited annotations of the job's namespace
 */
export function checkJobEnds(job: KubernetesObject, inherited: Annotations, mesh: Mesh): readonly Problem[] {
  const release = releaseOf(mesh.release);
  const annotations = { ...inherited, ...podAnnotations(job) };
  const mode = annotations[INJECT];
  if (mode === undefined || mode === 'disabled') return [];
  const { nativeSidecarAnnotation } = release.groups.injector;
  const decided = nativeSidecarAnnotation === undefined ? undefined : annotations[nativeSidecarAnnotation];
  const isNative = decided === undefined ? hasNativeSidecars(mesh) : decided === 'true';
  if (isNative || podSpecs(job).every(runsLinkerdAwait)) return [];
  const isOffHere = decided !== undefined;
  const remedy =
    nativeSidecarAnnotation === undefined
      ? 'keep it out of the mesh by exclude(), or inject it with linkerdAwait'
      : hasNativeSidecars({ release })
        ? `make its proxy a native sidecar: remove proxy.nativeSidecar: false${isOffHere ? '' : ' from the values of the control plane, or inject() the job itself'}`
        : `make its proxy a native sidecar: inject() the job itself, or set proxy.nativeSidecar to true, since the default of ${release.version} is false`;
  return [MESHING_FINDINGS.jobNeverEnds({ job: describeObject(job), version: release.version, remedy })];
}

function podAnnotations(job: KubernetesObject): Annotations {
  const [place] = podPlaces(job);
  return (place === undefined ? undefined : (valueAt(job, `${place.metadata}/annotations`) as Annotations)) ?? {};
}

function podSpecs(job: KubernetesObject): readonly unknown[] {
  return podPlaces(job).map(({ spec }) => valueAt(job, spec ?? ''));
}
