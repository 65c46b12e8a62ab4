import {
  all,
  type Check,
  each,
  type Fields,
  type Findings,
  fields,
  listIn,
  needsSpec,
  object,
  objectIn,
  own,
  REFUSES,
  textAt,
} from './check';
import { atMostOne, containerResources, initContainers, podResources } from './containers';
import type { RuleTable } from './rule-table';
import {
  annotations,
  between,
  dnsLabel,
  dnsSubdomain,
  fileMode,
  ipAddress,
  labelKey,
  labels,
  matching,
  notEmpty,
  notNegativeQuantity,
  oneOf,
  orEmpty,
  pathOfFile,
  pathWithoutBacksteps,
  quantityIn,
  userId,
} from './scalars';

const CONTAINERS = ['containers', 'initContainers', 'ephemeralContainers'];

const searchDomain = matching(
  /^(?:\.|(?=.{1,253}\.?$)(?:[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)(?:\.[a-z0-9_](?:[-a-z0-9_]*[a-z0-9_])?)*\.?)$/,
  'a search domain is a DNS name',
  'write a name such as svc.cluster.local',
);

/** Checks what is right of a pod only as a whole. */
const wholePod: Check = object((spec, findings) => {
  checkContainerNames(spec, findings);
  checkVolumeUse(spec, findings);
  checkHostPorts(spec, findings);
  // Where there is no list at all, the schema says it is missing.
  if (Array.isArray(own(spec, 'containers')) && listIn(spec, 'containers').length === 0) {
    findings.refuse({
      code: 'field-missing',
      says: 'has no containers',
      why: `${REFUSES}: a pod runs something`,
      fix: 'add a container',
    });
  }
  if (own(spec, 'shareProcessNamespace') === true && own(spec, 'hostPID') === true) {
    findings.refuse({
      code: 'fields-clash',
      says: 'has shareProcessNamespace and hostPID',
      why: `${REFUSES}: the processes are either the pod's or the node's`,
      fix: 'keep one of them',
    });
  }
  if (own(spec, 'hostUsers') === false) {
    for (const field of ['hostNetwork', 'hostPID', 'hostIPC']) {
      if (own(spec, field) !== true) continue;
      findings.refuse(
        {
          code: 'field-not-allowed',
          says: 'is true',
          why: `${REFUSES} when hostUsers is false`,
          fix: 'remove one of them',
        },
        field,
      );
    }
  }
  if (own(spec, 'dnsPolicy') === 'None' && listIn(objectIn(spec, 'dnsConfig'), 'nameservers').length === 0) {
    findings.refuse({
      code: 'field-missing',
      says: 'has the dnsPolicy None, and no dnsConfig.nameservers',
      why: `${REFUSES}: the pod would resolve no name`,
      fix: 'set dnsConfig.nameservers',
    });
  }
  checkOperatingSystem(spec, findings);
  // A StatefulSet gives its pods names of its own.
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
        findings.refuseRepetition(
          name,
          `${REFUSES}: another container has that name`,
          'write another name',
          field,
          index,
          'name',
        );
      }
      if (field === 'initContainers') names.add(name);
    }
  }
}

/** Mounts are of volumes of the pod; a StatefulSet adds those of its claims. */
function checkVolumeUse(spec: Fields, findings: Findings): void {
  if (findings.isPart) return;
  const claims = listIn(objectIn(findings.root, 'spec'), 'volumeClaimTemplates');
  const volumes = new Set([
    ...listIn(spec, 'volumes').map(nameOf),
    ...claims.map((claim) => nameOf(objectIn(objectOf(claim), 'metadata'))),
  ]);
  for (const [field, index, container] of containersOf(spec)) {
    for (const [position, mount] of listIn(container, 'volumeMounts').entries()) {
      const name = nameOf(mount);
      if (name === undefined || volumes.has(name)) continue;
      findings.refuseValue(
        name,
        `${REFUSES}: the pod has no volume of that name`,
        'add the volume, or name one that there is',
        field,
        index,
        'volumeMounts',
        position,
        'name',
      );
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
      findings.refuseRepetition(hostPort, `${REFUSES}: another port has that of the node`, 'write another', ...place);
    }
    seen.add(key);
    if (own(spec, 'hostNetwork') === true && hostPort !== own(port, 'containerPort')) {
      findings.refuseValue(hostPort, `${REFUSES}: with hostNetwork it is the containerPort`, 'remove it', ...place);
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

/** Fields that pods of the other operating system have. */
function checkOperatingSystem(spec: Fields, findings: Findings): void {
  const name = own(objectIn(spec, 'os'), 'name');
  for (const [field, index, container] of containersOf(spec)) {
    if (textAt(objectIn(container, 'lifecycle'), 'stopSignal') !== undefined && name === undefined) {
      findings.refuse(
        { code: 'field-not-allowed', says: 'is set', why: `${REFUSES} unless os.name is set`, fix: 'set os.name' },
        field,
        index,
        'lifecycle',
        'stopSignal',
      );
    }
  }
}

const CLAIM = ['resourceClaimName', 'resourceClaimTemplateName'];

const SOURCES = [
  'awsElasticBlockStore',
  'azureDisk',
  'azureFile',
  'cephfs',
  'cinder',
  'configMap',
  'csi',
  'downwardAPI',
  'emptyDir',
  'ephemeral',
  'fc',
  'flexVolume',
  'flocker',
  'gcePersistentDisk',
  'gitRepo',
  'glusterfs',
  'hostPath',
  'image',
  'iscsi',
  'nfs',
  'persistentVolumeClaim',
  'photonPersistentDisk',
  'portworxVolume',
  'projected',
  'quobyte',
  'rbd',
  'scaleIO',
  'secret',
  'storageos',
  'vsphereVolume',
];

const KINDS_OF_PATHS = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

const named =
  (field: string): Check =>
  (value, findings) =>
    object((source) => {
      if (textAt(source, field) === undefined) {
        findings.refuse({
          code: 'field-missing',
          says: `has no ${field}`,
          why: `${REFUSES}: it names what is mounted`,
          fix: `set ${field}`,
        });
      }
    })(value, findings);

const items = each(fields({ key: notEmpty, path: all(notEmpty, pathOfFile), mode: fileMode }));

/** Sources of one volume write into one folder. */
const distinctPaths: Check = object((projected, findings) => {
  const seen = new Set<unknown>();
  for (const [index, item] of listIn(projected, 'sources').entries()) {
    const source = objectOf(item);
    const files = ['configMap', 'downwardAPI', 'secret'].flatMap((kind) => listIn(objectIn(source, kind), 'items'));
    for (const file of files) {
      const path = textAt(objectOf(file), 'path');
      if (path === undefined) continue;
      if (seen.has(path)) {
        findings.refuse(
          {
            code: 'projected-path-repeated',
            says: `writes ${JSON.stringify(path)}, as another source does`,
            why: `${REFUSES}: one would hide the other`,
            fix: 'write another path',
          },
          'sources',
          index,
        );
      }
      seen.add(path);
    }
  }
});

/** Pods, and what they mount. */
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
        findings.refuse({
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
  Volume: all(
    fields({
      name: dnsLabel,
      configMap: all(named('name'), fields({ defaultMode: fileMode, items })),
      downwardAPI: fields({ defaultMode: fileMode }),
      emptyDir: fields({ sizeLimit: notNegativeQuantity }),
      hostPath: all(named('path'), fields({ path: pathWithoutBacksteps, type: oneOf(...KINDS_OF_PATHS) })),
      nfs: fields({ server: notEmpty, path: all(notEmpty, absolute) }),
      persistentVolumeClaim: named('claimName'),
      secret: all(named('secretName'), fields({ defaultMode: fileMode, items })),
      projected: all(fields({ defaultMode: fileMode }), distinctPaths),
      csi: fields({ driver: all(notEmpty, dnsSubdomainInAnyCase) }),
      image: fields({ pullPolicy: oneOf('Always', 'IfNotPresent', 'Never') }),
    }),
    atMostOne(SOURCES, 'a volume has one source'),
  ),
  PersistentVolumeClaimSpec: all(
    fields({ storageClassName: orEmpty(dnsSubdomain), volumeAttributesClassName: orEmpty(dnsSubdomain) }),
    object((spec, findings) => {
      const modes = listIn(spec, 'accessModes');
      if (modes.length === 0) {
        findings.refuse({
          code: 'field-missing',
          says: 'has no accessModes',
          why: `${REFUSES}: a volume is accessed somehow`,
          fix: 'add ReadWriteOnce',
        });
      } else if (
        modes.length > 1 &&
        modes.includes('ReadWriteOncePod') &&
        modes.some((mode) => mode !== 'ReadWriteOncePod')
      ) {
        findings.refuse(
          {
            code: 'fields-clash',
            says: 'has ReadWriteOncePod and others',
            why: `${REFUSES}: it is the only one then`,
            fix: 'remove the others',
          },
          'accessModes',
        );
      }
      const storage = own(objectIn(objectIn(spec, 'resources'), 'requests'), 'storage');
      if ((quantityIn(storage) ?? 0) > 0) return;
      findings.refuse({
        code: 'field-missing',
        says: 'asks for no storage',
        why: `${REFUSES}: a claim is of a size`,
        fix: 'set resources.requests.storage',
      });
    }),
  ),
  VolumeProjection: all(
    fields({
      configMap: all(named('name'), fields({ items })),
      secret: all(named('name'), fields({ items })),
      serviceAccountToken: all(named('path'), fields({ path: pathOfFile, expirationSeconds: between(600, 2 ** 32) })),
    }),
    // Two more are behind feature gates: API servers drop them, unless these are open.
    atMostOne(['configMap', 'downwardAPI', 'secret', 'serviceAccountToken'], 'there is one source'),
  ),
};

function atMost(count: number): Check {
  return (value, findings) => {
    if (!Array.isArray(value) || value.length <= count) return;
    findings.refuse({
      code: 'too-many-items',
      says: `has ${value.length} items`,
      why: `${REFUSES}: it has at most ${count}`,
      fix: 'remove some',
    });
  };
}

function absolute(value: unknown, findings: Findings): void {
  if (typeof value === 'string' && value !== '' && !value.startsWith('/')) {
    findings.refuseValue(value, `${REFUSES}: it is a path from the root`, 'write it with a leading "/"');
  }
}

function dnsSubdomainInAnyCase(value: unknown, findings: Findings): void {
  if (typeof value !== 'string') return;
  if (value.length > 63) findings.refuseValue(value, `${REFUSES}: it has at most 63 characters`, 'write a shorter one');
  else dnsSubdomain(value.toLowerCase(), findings);
}

function nameOf(value: unknown): string | undefined {
  return textAt(objectOf(value), 'name');
}

function objectOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
