import { IDENTITY_ISSUER } from '#anchor/trust-anchor';
import { baselineName, CONFIG_DEFAULTS } from '../linkerd-config';
import { CONFIG_GROUP } from '../names';
import type { RbacRule } from './rule';

/**
 * Returns the permissions for managing a control plane's configuration.
 *
 * @param configMapNames - the ConfigMaps that LinkerdConfigs name
 */
export function linkerdConfigRules(
  configMapNames: readonly string[] = [CONFIG_DEFAULTS.configMapName],
): readonly RbacRule[] {
  const configMaps = { scope: 'control-plane', apiGroups: [''], resources: ['configmaps'] } as const;
  return [
    {
      scope: 'cluster',
      apiGroups: [CONFIG_GROUP],
      resources: ['linkerdconfigs'],
      verbs: ['get', 'list', 'watch', 'patch'],
      why: 'To read the desired state, and to set a finalizer if its deletion restores the old values.',
    },
    {
      scope: 'cluster',
      apiGroups: [CONFIG_GROUP],
      resources: ['linkerdconfigs/status'],
      verbs: ['patch'],
      why: 'To report the actual state in the status.',
    },
    {
      ...configMaps,
      resourceNames: configMapNames,
      verbs: ['get', 'list', 'watch', 'patch'],
      why: "To read, watch and write the control plane's values.",
    },
    {
      ...configMaps,
      resourceNames: configMapNames.map(baselineName),
      verbs: ['get', 'patch', 'delete'],
      why: 'To keep the values of the installation in a ConfigMap next to it.',
    },
    {
      ...configMaps,
      verbs: ['create'],
      why: 'To record the values of the installation at adoption. RBAC cannot limit create requests to a name.',
    },
    {
      scope: 'control-plane',
      apiGroups: ['cert-manager.io'],
      resources: ['certificates'],
      resourceNames: [IDENTITY_ISSUER],
      verbs: ['get'],
      why: 'To reject new trust anchors that the identity issuer does not chain to.',
    },
    {
      scope: 'control-plane',
      apiGroups: ['cert-manager.io'],
      resources: ['certificaterequests'],
      verbs: ['list'],
      why: 'To read the certificate of the identity issuer without its Secret. Names of requests are generated.',
    },
  ];
}
