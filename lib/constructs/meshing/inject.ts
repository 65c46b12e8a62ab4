import type { ApiObject } from 'cdk8s';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf } from '../../gitops/tree/api-objects';
import { apiObjectOf, describeApiObject, type Meshable } from '../../gitops/tree/meshable';
import type { Problem } from '../../kubernetes/findings/problem';
import { obstacleOn, putAt } from '../../kubernetes/json-pointer';
import { keysOf, readOptions } from '../../kubernetes/known-keys';
import type { KubernetesObject } from '../../kubernetes/kubernetes-object';
import { isElastic, isNamespace, podPlaces } from '../../kubernetes/pod-places';
import { INJECT, type InjectMode, RECONCILE } from '../../linkerd/annotations';
import { type Release, releaseOf } from '../../linkerd/releases/release';
import { annotatePods } from './annotate';
import { type Annotations, configAnnotations } from './config/config-annotations';
import { checkMeshConfig } from './config/config-rules';
import { shapedConfig } from './config/config-shape';
import { MESH_CONFIG_KEYS, type MeshConfig } from './config/mesh-config';
import { MESHING_FINDINGS } from './findings';
import { checkInjectable } from './injection-rules';
import { checkJobEnds, isJob } from './job-end';
import { LINKERD_AWAIT, type LinkerdAwait, wrapInLinkerdAwait } from './linkerd-await';
import type { Mesh } from './mesh';
import { checkMeshedNamespace } from './meshed-namespace';
import { nativeSidecarAnnotations } from './native-sidecar';

/** The differences of one object's pods from the mesh's defaults. */
export interface InjectConfig extends MeshConfig {
  /**
   * Runs a job's command under linkerd-await, which ends the proxy along with the job. Only in 2.14, and there a must;
   * to be given when the job has its containers. Later releases need nothing: their proxy is a native sidecar.
   *
   * @default - none
   */
  readonly linkerdAwait?: LinkerdAwait;

  /**
   * The place where the object has the metadata of its pods, as a JSON pointer: `/spec/podTemplate/metadata` for
   * instance. For kinds that are not known here.
   *
   * @default - the pod template of Kubernetes' workloads, of Argo Rollouts and of Elastic's kinds
   */
  readonly podMetadata?: string;

  /**
   * Tells whether the operator restarts the pods, a few at a time and within their disruption budgets, when the
   * configuration of the mesh changes: by the label `config.linkerd.io/reconcile: auto`. Without a LinkerdConfig in the
   * cluster nothing happens. Not for jobs, single pods and namespaces.
   *
   * @default - they keep the proxies that they have until they restart by themselves
   */
  readonly restart?: 'auto' | undefined;
}

const INJECT_CONFIG = keysOf<InjectConfig>({
  ...MESH_CONFIG_KEYS,
  linkerdAwait: LINKERD_AWAIT,
  podMetadata: true,
  restart: true,
});

/** The change of an object's pods. */
export interface Injection {
  readonly mode: InjectMode;
  readonly config: InjectConfig;
}

/** Annotates an object's pods, patches what else injection needs, and has all of it checked at synth. */
export function injectPods(target: Meshable, { mode, config: given }: Injection, mesh: Mesh): void {
  const release = releaseOf(mesh.release);
  const { options, problems: unknown } = readOptions<InjectConfig>(INJECT_CONFIG, given);
  const { config, problems: misshapen } = shapedConfig(options);
  const object = apiObjectOf(target);
  const annotations = {
    ...jobAnnotations(object, mode, release),
    ...configAnnotations(config, release),
    [INJECT]: mode,
  };
  const problems = [
    ...unknown,
    ...misshapen,
    ...annotatePods(target, {
      annotations,
      labels: restartLabels(config.restart),
      podMetadata: config.podMetadata,
    }),
    ...checkRestart(object, config.restart),
    ...applyLinkerdAwait(object, config.linkerdAwait, release),
  ];
  if (mode !== 'disabled' && isElastic(object)) mountServiceAccountTokens(object);
  addRule(target, () =>
    mode === 'disabled'
      ? problems
      : [
          ...problems,
          ...checkMeshConfig(effectiveConfig(object, config, release), mesh),
          ...checkInjected(object, mesh),
        ],
  );
}

/** The configuration of an object's pods, with what jobs are given where theirs says nothing. */
function effectiveConfig(object: ApiObject, config: MeshConfig, release: Release): MeshConfig {
  if (!isJob(object) || release.groups.injector.nativeSidecarAnnotation === undefined) return config;
  return { ...config, proxy: { ...config.proxy, nativeSidecar: config.proxy?.nativeSidecar ?? true } };
}

function checkInjected(object: ApiObject, mesh: Mesh): readonly Problem[] {
  return jsonOf(object).flatMap((json) => [
    ...(isNamespace(json) ? checkMeshedNamespace(object, mesh) : checkInjectable(json)),
    ...(isJob(json) ? checkJobEnds(json, {}, mesh) : []),
  ]);
}

/** The label of pods that the operator restarts. */
export function restartLabels(restart: InjectConfig['restart']): Annotations {
  return restart === undefined ? {} : { [RECONCILE]: restart };
}

const NEVER_RESTARTED: readonly string[] = ['CronJob', 'Job', 'Namespace', 'Pod'];

function checkRestart(object: ApiObject, restart: InjectConfig['restart']): readonly Problem[] {
  if (restart === undefined) return [];
  if (restart !== 'auto') {
    const parameters = { restart: JSON.stringify(restart), object: describeApiObject(object) };
    return [MESHING_FINDINGS.restartRefusedMode(parameters)];
  }
  const isRestarted = !NEVER_RESTARTED.includes(object.kind);
  return isRestarted ? [] : [MESHING_FINDINGS.restartRefusedObject({ object: describeApiObject(object) })];
}

/** Annotations of jobs: the end of one must not hang on a default of the control plane. */
function jobAnnotations(object: ApiObject, mode: InjectMode, release: Release): Annotations {
  return mode === 'disabled' || !isJob(object) ? {} : nativeSidecarAnnotations(release);
}

function applyLinkerdAwait(object: ApiObject, options: LinkerdAwait | undefined, release: Release): readonly Problem[] {
  if (options === undefined) return [];
  const name = describeApiObject(object);
  if (!isJob(object)) return [MESHING_FINDINGS.linkerdAwaitRefusedObject({ object: name })];
  if (release.groups.injector.nativeSidecarAnnotation !== undefined) {
    return [MESHING_FINDINGS.linkerdAwaitRefusedRelease({ object: name, version: release.version })];
  }
  return wrapInLinkerdAwait(object, options);
}

/**
 * Elastic's operator turns the tokens off unless told otherwise, and without one Linkerd injects no proxy where
 * `identity.serviceAccountTokenProjection` is off
 * (https://www.elastic.co/guide/en/cloud-on-k8s/current/k8s-service-mesh-linkerd.html).
 */
function mountServiceAccountTokens(object: ApiObject): void {
  const document = object.toJson() as KubernetesObject;
  for (const { spec } of podPlaces(document)) {
    if (spec !== undefined && obstacleOn(document, spec) === undefined)
      object.addJsonPatch(putAt(document, `${spec}/automountServiceAccountToken`, true));
  }
}
