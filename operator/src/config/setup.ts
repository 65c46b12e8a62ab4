import type { Informer } from '#controller-runtime/cache/informer';
import type { Controller } from '#controller-runtime/controller/controller';
import { CONFIG_MAPS } from '#controller-runtime/objects/built-in-resources';
import type { KubeObject } from '#controller-runtime/objects/kube-object';
import type { Manager } from '#controller-runtime/process/manager';
import { CONFIG_DEFAULTS } from '../../api/linkerd-config';
import { setUpPropagation } from '../propagation/propagation';
import { rivals } from './objects/acceptance';
import { LINKERD_CONFIGS, type LinkerdConfig } from './objects/linkerd-config';
import { reconcileConfig } from './reconcile/reconcile-config';
import type { ReconcileContext, SettledConfig } from './reconcile/reconcile-context';

/** Flags of the part that manages a control plane's configuration. */
export interface LinkerdConfigSettings {
  /** Namespace of the control plane that the operator serves. */
  readonly linkerdNamespace: string;
  /** Field managers of the installers of linkerd-config. */
  readonly installerFieldManagers: readonly string[];
}

/** Changes of pods come in bursts: changes within this time are handled together. */
const COALESCE_MS = 100;

/** Adds the controller of LinkerdConfigs. */
export function setUpLinkerdConfig(manager: Manager, settings: LinkerdConfigSettings): void {
  const { client, events, log } = manager;
  const { linkerdNamespace, installerFieldManagers: installers } = settings;
  const clock = () => new Date();
  const configs = manager.informer<LinkerdConfig>({ resource: LINKERD_CONFIGS }, 'optional');
  const propagation = setUpPropagation(manager, { linkerdNamespace });
  const settled = new Map<string, SettledConfig>();
  const following = new Set<string>();
  const controller = manager.controller({
    name: 'linkerd-config',
    coalesceMs: COALESCE_MS,
    reconcile: (name, signal) => reconcileConfig(name, context, signal),
  });
  const context: ReconcileContext = {
    client,
    events,
    log,
    propagation,
    configs: configs.list,
    settled,
    following,
    follow: configMapFollower(manager, controller, configs),
    linkerdNamespace,
    installers,
    clock,
  };
  const names = () => configs.list().map(({ metadata }) => metadata.name);
  // When the accepted LinkerdConfig is deleted, the next one takes over.
  controller.watch(configs, (config) =>
    [config, ...rivals(config, configs.list())].map(({ metadata }) => metadata.name),
  );
  controller.watch(configMapInformer(manager, { ...CONFIG_DEFAULTS, controlPlaneNamespace: linkerdNamespace }), names);
  propagation.watch(controller, () => [...following]);
}

type Target = Pick<LinkerdConfig['spec'], 'controlPlaneNamespace' | 'configMapName'>;

/** Returns the cache of one ConfigMap, selected by name so that it needs no permission for others. */
function configMapInformer(manager: Manager, { controlPlaneNamespace, configMapName }: Target): Informer<KubeObject> {
  return manager.informer<KubeObject>(
    {
      resource: CONFIG_MAPS,
      namespace: controlPlaneNamespace,
      fieldSelector: `metadata.name=${configMapName}`,
      metadataOnly: true,
    },
    'optional',
  );
}

function configMapFollower(manager: Manager, controller: Controller, configs: Informer<LinkerdConfig>) {
  const followed = new Set<string>([CONFIG_DEFAULTS.configMapName]);
  return ({ spec }: LinkerdConfig): Informer<KubeObject> => {
    const informer = configMapInformer(manager, spec);
    if (followed.has(spec.configMapName)) return informer;
    followed.add(spec.configMapName);
    informer.onChange(() => {
      for (const { metadata } of configs.list()) controller.enqueue(metadata.name);
    });
    return informer;
  };
}
