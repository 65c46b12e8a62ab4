import type { ApiObject, ApiObjectProps } from 'cdk8s';
import { Construct, type IConstruct } from 'constructs';
import type { Problem } from '#base/findings/problem';
import type { DaemonSet, Deployment } from '#imports/kubernetes';
import { checkDnsLabel } from '#kubernetes/names';
import { keepOnPrune, SYNC_OPTIONS } from '#kubernetes/objects/argocd-annotations';
import { BOOLEAN, FREE, keysOf, part, required } from '#kubernetes/options/known-keys';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { manifest } from '../../gitops/tree/manifest';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import { type InjectConfig, restartLabels } from '../meshing/inject';
import type { Meshing } from '../meshing/meshing';
import { checkUnmeshedNamespace } from '../meshing/unmeshed-namespace';
import { RECIPES_FINDINGS } from './findings';

const NAMESPACE = 'longhorn-system';

/** Values of the chart `longhorn` (https://charts.longhorn.io). */
export type LonghornValues = {
  /** Annotations of the pods of longhorn-manager. */
  readonly annotations: Annotations;
};

/** Props of longhornValues: where Longhorn is installed, and how it is meshed. */
export interface LonghornProps {
  /**
   * Namespace of Longhorn. The namespace itself must not be meshed.
   *
   * @default 'longhorn-system'
   */
  readonly namespace?: string;

  /**
   * Settings of the pods that differ from the mesh's defaults.
   *
   * @default - none
   */
  readonly config?: MeshConfig;
}

/**
 * Returns values of Longhorn's chart that mesh longhorn-manager: for a Longhorn that Argo CD installs. Requires
 * Longhorn 1.5.4 or 1.6; earlier versions with a meshed manager do not deploy their CSI driver
 * (https://github.com/longhorn/longhorn/issues/3809). The chart cannot annotate the pods of longhorn-ui.
 */
export function longhornValues(meshing: Meshing, props: LonghornProps = {}): LonghornValues {
  addRule(meshing, () => checkDataPlane(meshing, props.namespace ?? NAMESPACE));
  return { annotations: meshing.podAnnotations(props.config) };
}

/** Props of LonghornMesh. */
export interface LonghornMeshProps extends LonghornProps {
  /** The mesh. */
  readonly meshing: Meshing;

  /**
   * Make longhorn-manager listen on all addresses of its pod (POD_IP = 0.0.0.0) instead of the pod's own. Before
   * Linkerd 2.11, proxies connected to their pod by 127.0.0.1; turn this off where all proxies are newer.
   *
   * @default true
   */
  readonly listenOnAllAddresses?: boolean;

  /**
   * Restart the manager and the dashboard when the configuration of the mesh changes (see `InjectConfig.restart`).
   *
   * @default - they keep their proxies until they restart for another reason
   */
  readonly restart?: InjectConfig['restart'];
}

const LISTEN_ADDRESS = 'cdk8s-linkerd/listen-address';

const PROPS = keysOf<LonghornMeshProps>({
  meshing: required(part('a Meshing', 'podAnnotations')),
  namespace: true,
  config: FREE,
  listenOnAllAddresses: BOOLEAN,
  restart: true,
});

/**
 * Meshes the control plane of a deployed Longhorn: only the DaemonSet longhorn-manager and the Deployment longhorn-ui.
 * The engines and replicas, which transfer the data of volumes, stay out of the mesh.
 *
 * For a Longhorn that was not installed by Argo CD (Helm, k3s, Ansible); see `patchLive` for the limits. Apply it after
 * Longhorn's own deployment is complete: before Longhorn 1.5.4, a manager that was injected earlier did not deploy its
 * CSI driver.
 *
 * @example
 * new LonghornMesh(home, 'longhorn', { meshing, restart: 'auto' });
 */
export class LonghornMesh extends Construct {
  constructor(scope: Construct, id: string, props: LonghornMeshProps) {
    super(scope, id);
    const given = propsOf<LonghornMeshProps>(this, PROPS, props);
    const { meshing, namespace = NAMESPACE, listenOnAllAddresses = true, config, restart } = given;
    setHomeNamespace(this, namespace);
    meshing.dependOnMesh(this);
    const annotations = meshing.podAnnotations(config);
    const metadata = { annotations, ...(restart === undefined ? {} : { labels: restartLabels(restart) }) };
    patchLive(this, 'manager', {
      apiVersion: 'apps/v1' satisfies DaemonSet['apiVersion'],
      kind: 'DaemonSet' satisfies DaemonSet['kind'],
      name: 'longhorn-manager',
      namespace,
      spec: {
        selector: { matchLabels: { app: 'longhorn-manager' } },
        template: listenOnAllAddresses ? listeningTemplate(metadata) : { metadata },
      } satisfies DaemonSet['spec'],
    });
    patchLive(this, 'ui', {
      apiVersion: 'apps/v1' satisfies Deployment['apiVersion'],
      kind: 'Deployment' satisfies Deployment['kind'],
      name: 'longhorn-ui',
      namespace,
      spec: {
        selector: { matchLabels: { app: 'longhorn-ui' } },
        template: { metadata },
      } satisfies Deployment['spec'],
    });
    declareReferences(this, { external: [{ kind: 'Namespace', name: namespace }] });
    addRule(this, () => [...checkDnsLabel('namespace', namespace), ...checkDataPlane(this, namespace)]);
  }
}

type PodTemplate = NonNullable<DaemonSet['spec']>['template'];

/**
 * In Longhorn's chart, POD_IP is a field reference. The API server refuses a variable that also has a value, and a
 * partial object cannot remove the reference, so the reference is pointed at an annotation.
 */
function listeningTemplate(metadata: {
  readonly annotations: Annotations;
  readonly labels?: Annotations;
}): PodTemplate {
  const fieldRef = { apiVersion: 'v1', fieldPath: `metadata.annotations['${LISTEN_ADDRESS}']` };
  return {
    metadata: { ...metadata, annotations: { ...metadata.annotations, [LISTEN_ADDRESS]: '0.0.0.0' } },
    spec: { containers: [{ name: 'longhorn-manager', env: [{ name: 'POD_IP', valueFrom: { fieldRef } }] }] },
  };
}

function checkDataPlane(scope: IConstruct, namespace: string): readonly Problem[] {
  return checkUnmeshedNamespace(scope, namespace, RECIPES_FINDINGS.namespaceMeshedLonghorn);
}

/**
 * Returns the options with which Argo CD applies a part of an object: the API server merges the part into the existing
 * object (https://argo-cd.readthedocs.io/en/stable/user-guide/sync-options/#server-side-apply), and Argo CD never
 * deletes the object, which another tool owns.
 */
function partOptions(): Record<string, string> {
  const kept = keepOnPrune();
  return { ...kept, [SYNC_OPTIONS]: ['ServerSideApply=true', kept[SYNC_OPTIONS]].join(',') };
}

/** Props of patchLive: the object, and the part of it to change. */
interface LivePatchProps extends Pick<ApiObjectProps, 'apiVersion' | 'kind'> {
  readonly name: string;
  readonly namespace: string;
  /** The fields to change, and those that every spec of the kind requires, unchanged. */
  readonly spec: object;
}

/**
 * Changes an object that was created by another tool: emits only the part to change.
 *
 * - While the object does not exist, the API server refuses the part, and Argo CD retries.
 * - Lists are merged by the key that Kubernetes defines for them (the name, for containers and environment variables).
 * - Fields can be set, not removed: Kubernetes removes only what the same field manager has set before. When the part
 *   is removed from Git the object keeps it, because Argo CD does not prune it.
 * - Not for objects of another Argo CD Application, because both would overwrite each other's changes.
 * - Not for objects that `kubectl apply` created without `--server-side`, while they have the annotation
 *   `last-applied-configuration`: a server-side apply takes over all fields that kubectl has set, and removes those
 *   that the part does not have (kubectl, migrateToSSAIfNecessary).
 */
function patchLive(scope: Construct, id: string, { name, namespace, spec, ...type }: LivePatchProps): ApiObject {
  return manifest(scope, id, {
    ...type,
    metadata: { name, namespace, annotations: partOptions() },
    spec,
  });
}
