import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../cluster/objects';
import { decoded } from './cert-manager/resources';
import type { Mirror } from './mirror';

/** The files of a volume, by key; `undefined` while its object does not exist. */
export type Files = Readonly<Record<string, string>> | undefined;

/** The contents of ConfigMaps and Secrets over time, to simulate a kubelet's delay. */
export interface Volumes {
  /** The files of a ConfigMap or Secret at a moment since the watch began. */
  at(kind: 'ConfigMap' | 'Secret', name: string, namespace: string, moment: number): Files;
  /** The files in a container whose volume follows changes with a delay. */
  mounted(volume: MountedVolume): Files;
}

/** A volume of a ConfigMap or Secret. */
interface MountedVolume {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly namespace: string;
  /** The start of the pod, in milliseconds. The first files are those of this moment. */
  readonly since: number;
  /** The time from a change of the object to the change of the files. */
  readonly lagMs: number;
}

interface Version {
  readonly since: number;
  readonly files: Files;
}

/** Starts to keep versions of a mirror's ConfigMaps and Secrets. */
export function watchVolumes(mirror: Mirror): Volumes {
  const histories = new Map<string, Version[]>();
  mirror.onChange((object, deleted) => {
    if (object.kind !== 'ConfigMap' && object.kind !== 'Secret') return;
    const key = keyOf(object.kind, object.metadata.name ?? '', object.metadata.namespace ?? '');
    const history = histories.get(key) ?? [];
    histories.set(key, history);
    const files = deleted ? undefined : filesOf(object);
    // A change of metadata makes no new version.
    if (!isDeepStrictEqual(history.at(-1)?.files, files)) history.push({ since: Date.now(), files });
  });
  const versionAt = (key: string, moment: number) => histories.get(key)?.findLast(({ since }) => since <= moment);
  const volumes: Volumes = {
    at: (kind, name, namespace, moment) => versionAt(keyOf(kind, name, namespace), moment)?.files,
    mounted: ({ kind, name, namespace, since, lagMs }) => {
      const key = keyOf(kind, name, namespace);
      const moment = Math.max(since, Date.now() - lagMs);
      const history = histories.get(key) ?? [];
      // An object from before the watch has no older version: its first version counts without a delay.
      const known = versionAt(key, moment) ?? history.find(({ files }) => files !== undefined);
      return known?.files ?? history.findLast(({ files, since: then }) => files !== undefined && then <= moment)?.files;
    },
  };
  return volumes;
}

function keyOf(kind: string, name: string, namespace: string): string {
  return `${kind}/${namespace}/${name}`;
}

function filesOf(object: KubeObject): Files {
  const data: Readonly<Record<string, string>> = object.data ?? {};
  if (object.kind === 'ConfigMap') return data;
  return Object.fromEntries(Object.keys(data).map((key) => [key, decoded(object, key) ?? '']));
}
