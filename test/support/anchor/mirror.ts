import type { Client } from '../cluster/client';
import type { KubeObject, Reference } from '../cluster/objects';

/** A copy of all objects of some kinds, kept up to date by watches. */
export interface Mirror {
  /** @throws for a kind that is not mirrored */
  list(kind: string, namespace?: string): readonly KubeObject[];
  find(kind: string, name: string, namespace?: string): KubeObject | undefined;
  /** Calls back for each object now, and after each change. Within a listener the copy is up to date. */
  onChange(listener: (object: KubeObject, deleted: boolean) => void): void;
  /** Resolves when each kind was listed once, or the mirror has stopped. */
  readonly filled: Promise<void>;
  stop(): void;
}

/** A kind to mirror, in one namespace or in all. */
export type MirroredKind = Pick<Reference, 'apiVersion' | 'kind'> & { readonly namespace?: string };

/** Starts a mirror. A kind that the API server does not serve (yet) counts as empty, and is requested again. */
export function startMirror(client: Client, kinds: readonly MirroredKind[]): Mirror {
  const copies = new Map<string, Map<string, KubeObject>>(kinds.map(({ kind }) => [kind, new Map()]));
  const listeners: ((object: KubeObject, deleted: boolean) => void)[] = [];
  const tell = (object: KubeObject, deleted: boolean) => {
    for (const listener of listeners) listener(object, deleted);
  };
  const copyOf = (kind: string) => {
    const copy = copies.get(kind);
    if (copy === undefined) throw new Error(`This mirror does not copy objects of kind ${kind}.`);
    return copy;
  };
  const fill = ({ apiVersion, kind, namespace }: MirroredKind) => {
    const copy = copyOf(kind);
    const { promise, resolve } = Promise.withResolvers<void>();
    const watch = client.watch(apiVersion, kind, {
      namespace,
      onList: (objects) => {
        const gone = new Map(copy);
        copy.clear();
        for (const object of objects) {
          copy.set(keyOf(object), object);
          gone.delete(keyOf(object));
        }
        for (const object of objects) tell(object, false);
        for (const object of gone.values()) tell(object, true);
        resolve();
      },
      onChange: (type, object) => {
        if (type === 'DELETED') copy.delete(keyOf(object));
        else copy.set(keyOf(object), object);
        tell(object, type === 'DELETED');
      },
    });
    return { promise, watch, resolve };
  };
  const filling = kinds.map(fill);
  return {
    list: (kind, namespace) => {
      const all = [...copyOf(kind).values()];
      return namespace === undefined ? all : all.filter(({ metadata }) => metadata.namespace === namespace);
    },
    find: (kind, name, namespace) => copyOf(kind).get(`${namespace ?? ''}/${name}`),
    onChange: (listener) => {
      listeners.push(listener);
      for (const copy of copies.values()) for (const object of copy.values()) listener(object, false);
    },
    filled: Promise.all(filling.map(({ promise }) => promise)).then(() => undefined),
    stop: () => {
      for (const { watch, resolve } of filling) {
        watch.stop();
        resolve();
      }
    },
  };
}

function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
