import type { Condition } from '#base/conditions';
import type { LinkerdConfigSpec } from '#operator/api/linkerd-config';
import type { Cluster } from '../cluster/cluster';
import { type KubeObject, ref } from '../cluster/objects';
import { type OperatorInstallation, startOperator } from './operator-installation';
import type { OperatorProcess } from './operator-process';

/**
 * The values of an installation of Linkerd that the operator reads.
 */
export const INSTALLED = `# from the chart
clusterDomain: cluster.local
linkerdVersion: edge-26.8.3
proxy:
  image:
    version: ""
  logLevel: warn
  uid: 2102
`;

/** {@link INSTALLED} with another log level. */
export const DEBUG = INSTALLED.replace('logLevel: warn', 'logLevel: debug');

/** The values of a LinkerdConfig that change {@link INSTALLED} to {@link DEBUG}. */
export const WANTS_DEBUG = { proxy: { logLevel: 'debug' } };

/** The ConfigMap of a control plane in a namespace of a test's cluster. */
export interface Mesh {
  readonly namespace: string;
  /** Applies the ConfigMap with these values with force. */
  install(text: string, fieldManager?: string): Promise<KubeObject>;
  configMap(): Promise<KubeObject>;
  values(): Promise<string>;
  baseline(): Promise<KubeObject | undefined>;
  /** Creates a LinkerdConfig for this control plane. */
  configure(name: string, spec?: Partial<LinkerdConfigSpec>): Promise<KubeObject>;
  /** A condition of a LinkerdConfig as `True Reason`. */
  condition(name: string, type: string): Promise<string>;
  /** Waits for a condition of a LinkerdConfig's latest spec, such as `Accepted=True Reason`. */
  reaches(name: string, condition: string): Promise<void>;
  /** The Events about a LinkerdConfig, as `Reason: note`. */
  events(name: string): Promise<readonly string[]>;
  /** Deletes all LinkerdConfigs, and the control plane's ConfigMaps. */
  clear(): Promise<void>;
}

/** @param configMapName - the name of the ConfigMap with the values */
export function meshIn(cluster: Cluster, namespace: string, configMapName = 'linkerd-config'): Mesh {
  const configMap = ref('v1', 'ConfigMap', configMapName, namespace);
  const baseline = ref('v1', 'ConfigMap', `${configMapName}-baseline`, namespace);
  const linkerdConfig = (name: string) => ref('config.linkerd.io/v1alpha1', 'LinkerdConfig', name);
  const conditions = async (name: string): Promise<readonly Condition[]> => {
    const { status, metadata } = await cluster.get(linkerdConfig(name));
    return status?.observedGeneration === metadata.generation ? (status?.conditions ?? []) : [];
  };
  const condition = async (name: string, type: string): Promise<string> => {
    const found = (await conditions(name)).find((it) => it.type === type);
    return `${found?.status} ${found?.reason}`;
  };
  return {
    namespace,
    condition,
    install: (text, fieldManager = 'helm') =>
      cluster.apply({ ...configMap, data: { values: text } }, { fieldManager, force: true }),
    configMap: () => cluster.get(configMap),
    values: async () => (await cluster.get(configMap)).data.values,
    baseline: () => cluster.find(baseline),
    configure: (name, spec = {}) =>
      cluster.create({ ...linkerdConfig(name), spec: { controlPlaneNamespace: namespace, configMapName, ...spec } }),
    reaches: async (name, wanted) => {
      const [type = '', state = ''] = wanted.split('=');
      await cluster.eventually(async () => expect(`${type}=${await condition(name, type)}`).toBe(`${type}=${state}`));
    },
    events: async (name) => {
      const { uid } = (await cluster.get(linkerdConfig(name))).metadata;
      const events = await cluster.list('v1', 'Event', { fieldSelector: `involvedObject.uid=${uid}` });
      return events.map(({ reason, message }) => `${reason}: ${message}`);
    },
    clear: async () => {
      const configs = await cluster.list('config.linkerd.io/v1alpha1', 'LinkerdConfig');
      for (const config of configs) await cluster.delete(config);
      await cluster.eventually(async () => {
        expect(await cluster.list('config.linkerd.io/v1alpha1', 'LinkerdConfig')).toEqual([]);
      });
      for (const object of [configMap, baseline]) if (await cluster.find(object)) await cluster.delete(object);
    },
  };
}

/** A control plane with an injector's Deployment, and a running operator. */
export async function operatedMesh(
  cluster: Cluster,
): Promise<{ readonly mesh: Mesh; readonly operator: OperatorInstallation & OperatorProcess }> {
  const operator = await startOperator(cluster, { multus: false });
  const mesh = meshIn(cluster, operator.linkerdNamespace);
  await cluster.rolledOut(await cluster.apply(injector(mesh.namespace)));
  return { mesh, operator };
}

/** The Deployment of a control plane's proxy injector, with a container that does not run. */
export function injector(namespace: string): KubeObject {
  const labels = { 'linkerd.io/control-plane-component': 'proxy-injector' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'linkerd-proxy-injector', namespace },
    spec: {
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'proxy-injector', image: 'injector' }] } },
    },
  };
}
