import { atMostOne } from './alternatives';
import { all, type Check, each, fields, needsSpec, object, REFUSES, textAt } from './check';
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
          findings.refuse({
            code: 'field-not-allowed',
            says: 'is set',
            why: `${REFUSES} in a template`,
            fix: 'remove it: they are added to running pods',
          });
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
          atMostOne(CLAIM, 'there is one claim'),
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
        findings.refuseWhole({
          code: 'field-missing',
          says: 'has no name',
          why: `${REFUSES}: an option has one`,
          fix: 'add the name',
        });
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
            'it is no name of a sysctl',
            'write a name such as net.core.somaxconn',
            253,
          ),
        }),
      ),
      (value, findings) => {
        const names = Array.isArray(value) ? value.map(nameOf) : [];
        const again = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
        if (again === -1) return;
        findings.refuseRepetition(names[again], `${REFUSES}: it is set twice`, 'remove one of them', again, 'name');
      },
    ),
  }),
};

function atMost(count: number): Check {
  return (value, findings) => {
    if (!Array.isArray(value) || value.length <= count) return;
    findings.refuseWhole({
      code: 'too-many-items',
      says: `has ${value.length} items`,
      why: `${REFUSES}: it has at most ${count}`,
      fix: 'remove some',
    });
  };
}
