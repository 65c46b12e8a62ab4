import { atMostOne } from './alternatives';
import {
  all,
  type Check,
  duplicate,
  each,
  fields,
  forbidden,
  needsSpec,
  object,
  required,
  textAt,
  tooLong,
} from './check';
import { initContainers } from './containers';
import { containerResources, podResources } from './resources';
import type { RuleTable } from './rule-table';
import {
  annotations,
  between,
  dnsLabel,
  dnsSubdomain,
  ipAddress,
  labelKey,
  labels,
  matching,
  oneOf,
  orEmpty,
  userId,
} from './scalars';
import { nameOf, wholePod } from './whole-pod';

const searchDomain = matching(
  /^(?:\.|(?=.{1,253}\.?$)(?:[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*\.?)$/,
  'a search domain is a DNS name',
  'write a name such as svc.cluster.local',
);

const CLAIM = ['resourceClaimName', 'resourceClaimTemplateName'];

/** Rules of pods. */
export const POD_RULES: RuleTable = {
  PodTemplateSpec: all(
    needsSpec,
    fields({
      metadata: fields({ labels, annotations }),
      spec: fields({
        ephemeralContainers: (value, findings) => {
          if (!Array.isArray(value) || value.length === 0) return;
          findings.refuse(forbidden('ephemeral containers are added to running pods', 'remove it'));
        },
      }),
    }),
  ),
  PodSpec: all(
    fields({
      activeDeadlineSeconds: between(1, 2 ** 31 - 1),
      initContainers,
      nodeName: orEmpty(dnsSubdomain),
      nodeSelector: labels,
      overhead: (value, findings) => containerResources({ limits: value }, findings),
      os: fields({ name: oneOf('linux', 'windows') }),
      priorityClassName: orEmpty(dnsSubdomain),
      readinessGates: each(fields({ conditionType: labelKey })),
      resourceClaims: each(
        all(
          fields({ name: dnsLabel, resourceClaimName: dnsSubdomain, resourceClaimTemplateName: dnsSubdomain }),
          atMostOne(CLAIM, 'an item names one claim'),
        ),
      ),
      resources: podResources,
      runtimeClassName: dnsSubdomain,
      schedulingGates: each(fields({ name: labelKey })),
      serviceAccountName: orEmpty(dnsSubdomain),
      hostAliases: each(fields({ ip: ipAddress, hostnames: each(dnsSubdomain) })),
    }),
    wholePod,
  ),
  PodDNSConfig: fields({
    nameservers: all(atMost(3), each(ipAddress)),
    searches: all(atMost(32), each(searchDomain)),
    options: each(
      object((option, findings) => {
        if (textAt(option, 'name') !== undefined) return;
        findings.refuseWhole(required('name', 'each option has a name', 'add the name'));
      }),
    ),
  }),
  PodSecurityContext: fields({
    fsGroup: userId,
    runAsUser: userId,
    runAsGroup: userId,
    supplementalGroups: each(userId),
    supplementalGroupsPolicy: oneOf('Merge', 'Strict'),
    seLinuxChangePolicy: oneOf('MountOption', 'Recursive'),
    sysctls: all(
      each(
        fields({
          name: matching(
            /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/,
            'it must be the name of a sysctl',
            'write a name such as net.core.somaxconn',
            253,
          ),
        }),
      ),
      (value, findings) => {
        const names = Array.isArray(value) ? value.map(nameOf) : [];
        const again = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
        if (again === -1) return;
        findings.refuse(duplicate(names[again], 'each sysctl is set once', 'remove one of them'), again, 'name');
      },
    ),
  }),
};

function atMost(count: number): Check {
  return (value, findings) => {
    if (!Array.isArray(value) || value.length <= count) return;
    findings.refuseWhole(tooLong(`${value.length} items`, `${count} items`, 'remove some'));
  };
}
