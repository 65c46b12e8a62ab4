import { isDeepStrictEqual } from 'node:util';
import type { KubeObject } from '../cluster/objects';
import { decoded } from './cert-manager/resources';
import type { Mirror } from './mirror';

/** The files of a volume, by their keys; absent while the object of a name is not there. */
export type Files = Readonly<Record<string, string>> | undefined;

/** The contents of ConfigMaps and Secrets over time, by which a kubelet's delay can be told. */
export interface Volumes {
  /** The files that a ConfigMap or Secret had at a moment, as far as this has watched. */
  at(kind: 'ConfigMap' | 'Secret', name: string, namespace: string, moment: number): Files;
  /** The files that a container finds whose volume was mounted at a moment and follows changes with a delay. */
  mounted(volume: MountedVolume): Files;
}

/** A ConfigMap or Secret among a container's files. */
interface MountedVolume {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
  readonly namespace: string;
  /** The start of the pod, in milliseconds: what was there then is what it begins with. */
  readonly since: number;
  /** The time from a change to the files. */
  readonly lagMs: number;
}

interface Version {
  readonly since: number;
  readonly files: Files;
}

/** Starts to keep versions; the mirror copies ConfigMaps and Secrets. */
export function watchVolumes(mirror: Mirror): Volumes {
  const histories = new Map<string, Version[]>();
  mirror.onChange((object, deleted) => {
    if (object.kind !== 'ConfigMap' && object.kind !== 'Secret') return;
    const key = keyOf(object.kind, object.metadata.name ?? '', object.metadata.namespace ?? '');
    const history = histories.get(key) ?? [];
    histories.set(key, history);
    const files = deleted ? undefined : filesOf(object);
    // A kubelet leaves files alone that are still the same, and those of an object that is gone.
    if (!isDeepStrictEqual(history.at(-1)?.files, files)) history.push({ since: Date.now(), files });
  });
  const versionAt = (key: string, moment: number) => histories.get(key)?.findLast(({ since }) => since <= moment);
  const volumes: Volumes = {
    at: (kind, name, namespace, moment) => versionAt(keyOf(kind, name, namespace), moment)?.files,
    mounted: ({ kind, name, namespace, since, lagMs }) => {
      const key = keyOf(kind, name, namespace);
      const moment = Math.max(since, Date.now() - lagMs);
      const history = histories.get(key) ?? [];
      // Before the watch began nothing is known, and nobody waits for what was there all the time.
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
