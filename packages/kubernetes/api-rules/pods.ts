import { objectOf } from '#base/is-object';
import {
  all,
  atMostOne,
  type Check,
  duplicate,
  each,
  type Fields,
  type Findings,
  fields,
  forbidden,
  invalid,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  type RuleTable,
  required,
  textAt,
  tooLong,
} from './check';
import { initContainers } from './containers';
import { containerResources, podResources } from './resources';
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

const CONTAINERS = ['containers', 'initContainers', 'ephemeralContainers'];

const wholePod: Check = object((spec, findings) => {
  checkContainerNames(spec, findings);
  checkVolumeUse(spec, findings);
  checkClaimUse(spec, findings);
  checkHostPorts(spec, findings);
  // The schema reports a missing list.
  if (Array.isArray(own(spec, 'containers')) && listIn(spec, 'containers').length === 0) {
    findings.refuseWhole(required('containers', 'nothing-to-run'));
  }
  if (own(spec, 'shareProcessNamespace') === true && own(spec, 'hostPID') === true) {
    findings.refuseWhole(forbidden('one-of-several', { other: 'hostPID' }), 'shareProcessNamespace');
  }
  if (own(spec, 'hostUsers') === false) {
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) {
      if (own(spec, field) !== true) continue;
      findings.refuse(forbidden('host-users'), field);
    }
  }
  if (own(spec, 'dnsPolicy') === 'None' && listIn(objectIn(spec, 'dnsConfig'), 'nameservers').length === 0) {
    findings.refuseWhole(required('dnsConfig.nameservers', 'nameservers'));
  }
  checkOperatingSystem(spec, findings);
  // The StatefulSet controller sets the host names of its pods.
  if (findings.root.kind !== 'StatefulSet') hostNames(spec, findings);
});

const hostNames = fields({ hostname: orEmpty(dnsLabel), subdomain: orEmpty(dnsLabel) });

function checkContainerNames(spec: Fields, findings: Findings): void {
  const names = new Set(listIn(spec, 'containers').map(nameOf));
  for (const field of CONTAINERS.slice(1)) {
    for (const [index, container] of listIn(spec, field).entries()) {
      const name = nameOf(container);
      if (name === undefined) continue;
      if (names.has(name)) {
        findings.refuse(duplicate(name, 'name-taken'), field, index, 'name');
      }
      if (field === 'initContainers') names.add(name);
    }
  }
}

/** Checks that mounted volumes exist. A StatefulSet also has the volumes of its claim templates. */
function checkVolumeUse(spec: Fields, findings: Findings): void {
  if (findings.isPart) return;
  const claims = listIn(objectIn(findings.root, 'spec'), 'volumeClaimTemplates');
  const volumes = new Set([
    ...listIn(spec, 'volumes').map(nameOf),
    ...claims.map((claim) => nameOf(objectIn(objectOf(claim), 'metadata'))),
  ]);
  for (const [field, index, container] of containersOf(spec)) {
    for (const list of ['volumeMounts', 'volumeDevices']) {
      for (const [position, use] of listIn(container, list).entries()) {
        const name = nameOf(use);
        if (name === undefined || volumes.has(name)) continue;
        findings.refuse(invalid(name, 'volume-unknown'), field, index, list, position, 'name');
      }
    }
  }
}

function checkClaimUse(spec: Fields, findings: Findings): void {
  const claims = new Set(listIn(spec, 'resourceClaims').map(nameOf));
  for (const [field, index, container] of containersOf(spec)) {
    for (const [position, claim] of listIn(objectIn(container, 'resources'), 'claims').entries()) {
      const name = nameOf(claim);
      if (name === undefined || claims.has(name)) continue;
      findings.refuse(invalid(name, 'claim-unknown'), field, index, 'resources', 'claims', position, 'name');
    }
  }
}

function containersOf(spec: Fields): readonly (readonly [string, number, Fields])[] {
  return CONTAINERS.flatMap((field) =>
    listIn(spec, field).map((container, index) => [field, index, objectOf(container)] as const),
  );
}

function checkHostPorts(spec: Fields, findings: Findings): void {
  const seen = new Set<string>();
  for (const { port, place } of portsOf(spec)) {
    const hostPort = own(port, 'hostPort') ?? 0;
    if (hostPort === 0) continue;
    const key = JSON.stringify([own(port, 'protocol') ?? 'TCP', own(port, 'hostIP') ?? '', hostPort]);
    if (seen.has(key)) {
      findings.refuse(duplicate(hostPort, 'port-taken'), ...place);
    }
    seen.add(key);
    if (own(spec, 'hostNetwork') === true && hostPort !== own(port, 'containerPort')) {
      findings.refuse(invalid(hostPort, 'host-port'), ...place);
    }
  }
}

function portsOf(spec: Fields): readonly { readonly port: Fields; readonly place: readonly (string | number)[] }[] {
  return listIn(spec, 'containers').flatMap((container, index) =>
    listIn(objectOf(container), 'ports').map((port, position) => ({
      port: objectOf(port),
      place: ['containers', index, 'ports', position, 'hostPort'],
    })),
  );
}

function checkOperatingSystem(spec: Fields, findings: Findings): void {
  const name = own(objectIn(spec, 'os'), 'name');
  for (const [field, index, container] of containersOf(spec)) {
    if (textAt(objectIn(container, 'lifecycle'), 'stopSignal') !== undefined && name === undefined) {
      findings.refuseWhole(forbidden('os-unset'), field, index, 'lifecycle', 'stopSignal');
    }
  }
}

function nameOf(value: unknown): string | undefined {
  return textAt(objectOf(value), 'name');
}

const searchDomain = matching(
  /^(?:\.|(?=.{1,253}\.?$)(?:[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*\.?)$/,
  'search-domain',
);

/** Rules of pods. */
export const POD_RULES: RuleTable = {
  PodTemplateSpec: all(
    needsSpec,
    fields({
      metadata: fields({ labels, annotations }),
      spec: fields({
        ephemeralContainers: (value, findings) => {
          if (!Array.isArray(value) || value.length === 0) return;
          findings.refuse(forbidden('ephemeral-containers'));
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
          atMostOne('resourceClaimName', 'resourceClaimTemplateName'),
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
        findings.refuseWhole(required('name', 'item-name'));
      }),
    ),
  }),
  // This is the name of a custom resource, unlike the other names for Windows.
  WindowsSecurityContextOptions: fields({ gmsaCredentialSpecName: dnsSubdomain }),
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
            'sysctl-name',
            253,
          ),
        }),
      ),
      (value, findings) => {
        const names = Array.isArray(value) ? value.map(nameOf) : [];
        const again = names.findIndex((name, index) => name !== undefined && names.indexOf(name) < index);
        if (again === -1) return;
        findings.refuse(duplicate(names[again], 'name-once'), again, 'name');
      },
    ),
  }),
};

function atMost(count: number): Check {
  return (value, findings) => {
    if (!Array.isArray(value) || value.length <= count) return;
    findings.refuseWhole(tooLong(value.length, count, 'items', 'list'));
  };
}
