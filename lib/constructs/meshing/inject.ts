import type { ApiObject } from 'cdk8s';
import type { Problem } from '#base/findings/problem';
import { valueAtPointer } from '#base/json-pointer';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { isElastic, isNamespace, podPlaces } from '#kubernetes/objects/pod-places';
import { keysOf, readOptions } from '#kubernetes/options/known-keys';
import type { InjectMode } from '#linkerd/annotation-values';
import { INJECT, PROXY_ADDITIONAL_ENV, PROXY_WAIT_BEFORE_EXIT_SECONDS, RECONCILE } from '#linkerd/annotations';
import { type Release, releaseOf } from '#linkerd/releases/release';
import { checkJobEnds, isJob } from '../../checks/linkerd/job-check';
import { addRule } from '../../gitops/tree/add-rule';
import { jsonOf, objectsAround } from '../../gitops/tree/api-objects';
import { apiObjectOf, describeApiObject, type Meshable } from '../../gitops/tree/meshable';
import { annotatePods } from './annotate';
import { type Annotations, configAnnotations } from './config/config-annotations';
import { checkMeshConfig } from './config/config-rules';
import { shapedConfig } from './config/config-shape';
import { MESH_CONFIG_KEYS, type MeshConfig } from './config/mesh-config';
import { MESHING_FINDINGS } from './findings';
import { obstacleOn, putAt } from './json-patch';
import { LINKERD_AWAIT, type LinkerdAwait, wrapInLinkerdAwait } from './linkerd-await';
import { hasNativeSidecars, type Mesh } from './mesh';

/** Settings of one object's pods that differ from the mesh's defaults. */
export interface InjectConfig extends MeshConfig {
  /**
   * Run a job's command under linkerd-await, which stops the proxy when the job ends. Only in 2.14, which requires it;
   * add the job's containers first. Later releases do not need it: their proxy is a native sidecar.
   *
   * @default - none
   */
  readonly linkerdAwait?: LinkerdAwait;

  /**
   * JSON pointer to the metadata of the object's pods, such as `/spec/podTemplate/metadata`. Set it for kinds that the
   * library does not know.
   *
   * @default - the pod template of Kubernetes' workloads, of Argo Rollouts and of Elastic's kinds
   */
  readonly podMetadata?: string;

  /**
   * Let the operator restart the pods, a few at a time and within their disruption budgets, when the configuration of
   * the mesh changes: by the label `config.linkerd.io/reconcile: auto`. Has no effect without a LinkerdConfig in the
   * cluster. Not for jobs, single pods and namespaces.
   *
   * @default - pods keep their proxies until they restart for another reason
   */
  readonly restart?: 'auto' | undefined;
}

const INJECT_CONFIG = keysOf<InjectConfig>({
  ...MESH_CONFIG_KEYS,
  linkerdAwait: LINKERD_AWAIT,
  podMetadata: true,
  restart: true,
});

/** How to change an object's pods. */
export interface Injection {
  readonly mode: InjectMode;
  readonly config: InjectConfig;
}

/** Annotates an object's pods, makes the other changes that injection needs, and checks all of it at synth. */
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
          ...checkMeshConfig(
            effectiveConfig(object, config, release),
            mesh,
            object.kind === 'Namespace' ? 'namespace' : 'pods',
          ),
          ...checkInjected(object, mesh),
        ],
  );
}

function effectiveConfig(object: ApiObject, config: MeshConfig, release: Release): MeshConfig {
  if (!isJob(object) || release.groups.injector.nativeSidecarAnnotation === undefined) return config;
  return { ...config, proxy: { ...config.proxy, nativeSidecar: config.proxy?.nativeSidecar ?? true } };
}

function checkInjected(object: ApiObject, mesh: Mesh): readonly Problem[] {
  return jsonOf(object).flatMap((json) => [
    ...(isNamespace(json) ? checkMeshedNamespace(object, mesh) : []),
    ...(isJob(json) ? checkInjectedJob(json, {}, mesh) : []),
  ]);
}

/** Returns the label of pods that the operator restarts. */
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

/** Returns annotations of jobs: whether a job ends must not depend on a default of the control plane. */
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
 * Elastic's operator disables service account tokens by default. Without a token, Linkerd injects no proxy if
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

/**
 * Reports problems of injecting all pods of a namespace. Jobs in the same cdk8s chart without the annotation are
 * injected as well, and may never end. Jobs of a Helm chart are not checked.
 */
export function checkMeshedNamespace(namespace: ApiObject, mesh: Mesh): readonly Problem[] {
  const [json] = jsonOf(namespace);
  if (json === undefined) return [];
  const annotations = (valueAtPointer(json, '/metadata/annotations') ?? {}) as Annotations;
  return [
    ...checkCopied(annotations),
    ...jobsIn(namespace)
      .filter((job) => podAnnotations(job)[INJECT] === undefined)
      .flatMap((job) => checkInjectedJob(job, annotations, mesh)),
  ];
}

/** Settings that the injector copies from a namespace to its pods, as quoted strings. */
const COPIED = /^config\.(?:alpha\.)?linkerd\.io\//;

/**
 * Reports annotations of a namespace that would break the injector's patch (linkerd2,
 * charts/patch/templates/patch.json).
 */
function checkCopied(annotations: Annotations): readonly Problem[] {
  return Object.entries(annotations)
    .filter(([key, text]) => COPIED.test(key) && /["\\\p{Cc}]/u.test(text))
    .map(([annotation]) =>
      annotation === PROXY_ADDITIONAL_ENV
        ? MESHING_FINDINGS.annotationNotCopyableEnvironment({ annotation })
        : MESHING_FINDINGS.annotationNotCopyable({ annotation }),
    );
}

function jobsIn(namespace: ApiObject): readonly KubernetesObject[] {
  return objectsAround(namespace)
    .filter((object) => isJob(object) && (object.namespace ?? 'default') === namespace.name)
    .flatMap(({ json }) => json());
}

function checkInjectedJob(job: KubernetesObject, inherited: Annotations, mesh: Mesh): readonly Problem[] {
  const annotations = { ...inherited, ...podAnnotations(job) };
  const mode = annotations[INJECT];
  if (mode === undefined || mode === 'disabled') return [];
  const { version, groups } = releaseOf(mesh.release);
  return checkJobEnds(job, (annotation) => annotations[annotation], {
    release: {
      version,
      nativeSidecarAnnotation: groups.injector.nativeSidecarAnnotation,
      isNativeByDefault: hasNativeSidecars({ release: mesh.release }),
    },
    isNative: hasNativeSidecars(mesh),
  });
}

function podAnnotations(job: KubernetesObject): Annotations {
  const [place] = podPlaces(job);
  return (
    (place === undefined ? undefined : (valueAtPointer(job, `${place.metadata}/annotations`) as Annotations)) ?? {}
  );
}

/**
 * Returns the annotations that make the proxies of pods native sidecars, whatever the control plane or the namespace
 * sets; none if the release does not support them. Where the injector refuses a native sidecar with a wait before its
 * exit, the annotations also override an inherited wait.
 */
export function nativeSidecarAnnotations(release: Release): Annotations {
  const { injector, controlPlane } = release.groups;
  const { nativeSidecarAnnotation } = injector;
  if (nativeSidecarAnnotation === undefined) return {};
  const refusesWait = controlPlane.templates.nativeSidecarRefusesWait;
  return {
    [nativeSidecarAnnotation]: 'true',
    ...(refusesWait ? { [PROXY_WAIT_BEFORE_EXIT_SECONDS]: '0' } : {}),
  };
}
