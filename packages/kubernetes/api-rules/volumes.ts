import { objectOf } from '#base/is-object';
import type { RuleTable } from './check';
import {
  all,
  atMostOne,
  type Check,
  duplicate,
  each,
  type Findings,
  fields,
  invalid,
  listIn,
  object,
  objectIn,
  own,
  required,
  textAt,
  tooLong,
} from './check';
import {
  between,
  dnsLabel,
  dnsSubdomain,
  fileMode,
  notEmpty,
  notNegativeQuantity,
  oneOf,
  orEmpty,
  pathOfFile,
  pathWithoutBacksteps,
  quantityIn,
} from './scalars';

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
        findings.refuseWhole(required(field, 'mount-reference'));
      }
    })(value, findings);

const items = each(fields({ key: notEmpty, path: all(notEmpty, pathOfFile), mode: fileMode }));

/** Refuses repeated paths, because the sources of one volume share a folder. */
const distinctPaths: Check = object((projected, findings) => {
  const seen = new Set<unknown>();
  for (const [index, item] of listIn(projected, 'sources').entries()) {
    const source = objectOf(item);
    const files = ['configMap', 'downwardAPI', 'secret'].flatMap((kind) => listIn(objectIn(source, kind), 'items'));
    for (const file of files) {
      const path = textAt(objectOf(file), 'path');
      if (path === undefined) continue;
      if (seen.has(path)) {
        findings.refuseWhole(duplicate(path, 'path-taken'), 'sources', index);
      }
      seen.add(path);
    }
  }
});

/** Rules of volumes, and of volume claims. */
export const VOLUME_RULES: RuleTable = {
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
    atMostOne(...SOURCES),
  ),
  PersistentVolumeClaimSpec: all(
    fields({ storageClassName: orEmpty(dnsSubdomain), volumeAttributesClassName: orEmpty(dnsSubdomain) }),
    object((spec, findings) => {
      for (const field of ['dataSource', 'dataSourceRef']) {
        const source = objectIn(spec, field);
        const kind = textAt(source, 'kind');
        if (kind === undefined || kind === 'PersistentVolumeClaim' || textAt(source, 'apiGroup') !== undefined)
          continue;
        findings.refuseWhole(invalid(kind, 'data-source-group'), field, 'kind');
      }
    }),
    object((spec, findings) => {
      const modes = listIn(spec, 'accessModes');
      if (modes.length === 0) {
        findings.refuseWhole(required('accessModes', 'claim-modes'));
      } else if (
        modes.length > 1 &&
        modes.includes('ReadWriteOncePod') &&
        modes.some((mode) => mode !== 'ReadWriteOncePod')
      ) {
        findings.refuseWhole(invalid(modes, 'access-modes'), 'accessModes');
      }
      const storage = own(objectIn(objectIn(spec, 'resources'), 'requests'), 'storage');
      if ((quantityIn(storage) ?? 0) > 0) return;
      findings.refuseWhole(required('resources.requests.storage', 'claim-size'));
    }),
  ),
  VolumeProjection: all(
    fields({
      configMap: all(named('name'), fields({ items })),
      secret: all(named('name'), fields({ items })),
      serviceAccountToken: all(named('path'), fields({ path: pathOfFile, expirationSeconds: between(600, 2 ** 32) })),
    }),
    // Two more sources are behind feature gates: API servers drop them by default.
    atMostOne('configMap', 'downwardAPI', 'secret', 'serviceAccountToken'),
  ),
};

function absolute(value: unknown, findings: Findings): void {
  if (typeof value === 'string' && value !== '' && !value.startsWith('/')) {
    findings.refuse(invalid(value, 'path-absolute'));
  }
}

function dnsSubdomainInAnyCase(value: unknown, findings: Findings): void {
  if (typeof value !== 'string') return;
  if (value.length > 63) findings.refuse(tooLong(value.length, 63, 'characters', 'name'));
  else dnsSubdomain(value.toLowerCase(), findings);
}
