import { baselineName, CONFIG_DEFAULTS } from '../linkerd-config';
import { CONFIG_GROUP } from '../names';
import { IDENTITY_ISSUER } from '../trust-anchor';
import type { RbacRule } from './rule';

/**
 * Returns the permissions for keeping a control plane's configuration.
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
      why: 'A LinkerdConfig says what is to be, and holds a finalizer where its deletion brings the old values back.',
    },
    {
      scope: 'cluster',
      apiGroups: [CONFIG_GROUP],
      resources: ['linkerdconfigs/status'],
      verbs: ['patch'],
      why: 'The status of a LinkerdConfig says what came of it.',
    },
    {
      ...configMaps,
      resourceNames: configMapNames,
      verbs: ['get', 'list', 'watch', 'patch'],
      why: "The control plane's values are read, watched and written.",
    },
    {
      ...configMaps,
      resourceNames: configMapNames.map(baselineName),
      verbs: ['get', 'patch', 'delete'],
      why: 'What the installation says is kept beside it.',
    },
    {
      ...configMaps,
      verbs: ['create'],
      why: 'What the installation says is kept at adoption. A request that creates names nothing, so that no name limits it.',
    },
    {
      scope: 'control-plane',
      apiGroups: ['cert-manager.io'],
      resources: ['certificates'],
      resourceNames: [IDENTITY_ISSUER],
      verbs: ['get'],
      why: 'New trust anchors are refused if the certificate that issues identities does not lead to them.',
    },
    {
      scope: 'control-plane',
      apiGroups: ['cert-manager.io'],
      resources: ['certificaterequests'],
      verbs: ['list'],
      why: 'They hold what is public of that certificate, so that nobody needs to read its Secret. Their names are made up.',
    },
  ];
}
