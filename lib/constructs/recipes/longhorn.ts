import { Construct, type IConstruct } from 'constructs';
import type { DaemonSet, Deployment } from '../../../imports/kubernetes';
import { addRule } from '../../gitops/tree/add-rule';
import { setHomeNamespace } from '../../gitops/tree/home-namespace';
import { propsOf } from '../../gitops/tree/prop-of-shape';
import { declareReferences } from '../../gitops/tree/references';
import type { Problem } from '../../kubernetes/findings/problem';
import { FREE, keysOf, part, required } from '../../kubernetes/known-keys';
import { checkDnsLabel } from '../../kubernetes/names';
import type { Annotations } from '../meshing/config/config-annotations';
import type { MeshConfig } from '../meshing/config/mesh-config';
import { type InjectConfig, restartLabels } from '../meshing/inject';
import { patchLive } from '../meshing/live-patch';
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
   * Namespace that Longhorn is installed in. It must not be meshed itself.
   *
   * @default 'longhorn-system'
   */
  readonly namespace?: string;

  /**
   * The differences of the pods from the mesh's defaults.
   *
   * @default - nothing
   */
  readonly config?: MeshConfig;
}

/**
 * Makes longhorn-manager part of the mesh by the values of Longhorn's chart: for a Longhorn that Argo CD itself
 * installs. Needs Longhorn 1.5.4 or 1.6, before which its CSI driver was not deployed then
 * (https://github.com/longhorn/longhorn/issues/3809). The pods of longhorn-ui cannot be annotated by the chart.
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
   * Tells whether longhorn-manager is made to listen on all addresses of its pod (POD_IP = 0.0.0.0), not just on the
   * pod's own one. Proxies connected to their pod by 127.0.0.1 before Linkerd 2.11; where all of them are later ones
   * this can be turned off.
   *
   * @default true
   */
  readonly listenOnAllAddresses?: boolean;

  /**
   * Tells whether the operator restarts manager and dashboard when the configuration of the mesh changes (see
   * `InjectConfig.restart`).
   *
   * @default - they keep the proxies that they have until they restart by themselves
   */
  readonly restart?: InjectConfig['restart'];
}

/** Annotation of longhorn-manager's pods with the address to listen on. */
const LISTEN_ADDRESS = 'cdk8s-linkerd/listen-address';

const PROPS = keysOf<LonghornMeshProps>({
  meshing: required(part('a Meshing', 'podAnnotations')),
  namespace: true,
  config: FREE,
  listenOnAllAddresses: true,
  restart: true,
});

/**
 * Makes the control plane of a Longhorn that is already deployed part of the mesh: the DaemonSet longhorn-manager and
 * the Deployment longhorn-ui, nothing else. The engines and replicas, which carry the volumes' data, stay out.
 *
 * For a Longhorn that something other than Argo CD installed (Helm, k3s, Ansible); see `patchLive` for the limits. To go
 * in after Longhorn's own deployment is complete: a manager that is injected earlier did not deploy its CSI driver before
 * Longhorn 1.5.4.
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
 * POD_IP is a field reference in Longhorn's chart. The API server refuses a variable that has a value as well, and a
 * part of an object cannot remove the reference: so the reference is made to lead to an annotation.
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
