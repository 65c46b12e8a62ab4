import { createHash } from 'node:crypto';
import { type LabelSelector, matchesSelector } from '#base/label-selector';
import type { KubeObject } from '../../cluster/objects';
import { pem, pemBlocks } from '../../cluster/pem';
import { decoded } from '../cert-manager/resources';
import type { Mirror } from '../mirror';

/** The text of a bundle, or the reason why it cannot be built. */
export type Built = { readonly text: string } | { readonly reason: string; readonly message: string };

class NotFound extends Error {}

/** The settings of a trust-manager that the text of a Bundle depends on. */
interface Reader {
  /** The trust namespace. */
  readonly namespace: string;
  /** Whether a Bundle can be built when one of its selectors matches no object. */
  readonly takesEmptySelectors: boolean;
}

/** Builds the text of a Bundle from its sources (pkg/bundle/internal/source/source.go). */
export function build({ spec }: KubeObject, mirror: Mirror, reader: Reader): Built {
  const found = new Map<string, Buffer>();
  try {
    for (const text of (spec.sources as readonly Source[]).flatMap((source) => textsOf(source, mirror, reader))) {
      for (const label of labelsIn(text)) {
        if (label !== 'CERTIFICATE') {
          throw new Error(`invalid PEM block in bundle: only CERTIFICATE blocks are permitted but found '${label}'`);
        }
      }
      for (const raw of pemBlocks(text)) found.set(createHash('sha256').update(raw).digest('hex'), raw);
    }
    if (found.size === 0) throw new NotFound("couldn't find any valid certificates in bundle");
  } catch (error) {
    const { message } = error as Error;
    return error instanceof NotFound
      ? { reason: 'SourceNotFound', message: `Bundle source was not found: ${message}` }
      : { reason: 'SourceBuildError', message: `Failed to build bundle sources: ${message}` };
  }
  // trust-manager sorts the certificates of all sources by hash, and trims the last line feed.
  const ordered = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    text: ordered
      .map(([, raw]) => pem('CERTIFICATE', raw))
      .join('')
      .trim(),
  };
}

interface Reference {
  readonly name?: string;
  readonly selector?: LabelSelector;
  readonly key?: string;
  readonly includeAllKeys?: boolean;
}

interface Source {
  readonly inLine?: string;
  readonly secret?: Reference;
  readonly configMap?: Reference;
  readonly useDefaultCAs?: boolean;
}

function textsOf(source: Source, mirror: Mirror, reader: Reader): readonly string[] {
  if (source.inLine !== undefined) return [source.inLine];
  const [kind, reference] = source.secret ? ['Secret', source.secret] : ['ConfigMap', source.configMap];
  if (reference === undefined) return [];
  const { namespace } = reader;
  const objects = referred(mirror, { kind, reference, ...reader });
  return objects.flatMap((object) => {
    const texts = textsIn(object);
    if (reference.key === undefined) return [...texts.values()];
    const text = texts.get(reference.key);
    if (text === undefined) {
      throw new NotFound(`no data found in ${kind} ${namespace}/${object.metadata.name} at key "${reference.key}"`);
    }
    return [text];
  });
}

interface Wanted extends Reader {
  readonly kind: string;
  readonly reference: Reference;
}

/** A missing name fails the whole bundle. A selector that matches no object fails it only before trust-manager 0.13. */
function referred(mirror: Mirror, { kind, namespace, reference, takesEmptySelectors }: Wanted): readonly KubeObject[] {
  if (reference.name !== undefined && reference.name !== '') {
    const found = mirror.find(kind, reference.name, namespace);
    if (found !== undefined) return [found];
    throw new NotFound(`failed to get ${kind} ${namespace}/${reference.name}: ${kind} "${reference.name}" not found`);
  }
  const selected = mirror
    .list(kind, namespace)
    .filter(({ metadata }) => matchesSelector(reference.selector, metadata.labels, 'everything'));
  if (selected.length > 0 || takesEmptySelectors) return selected;
  throw new NotFound(`no ${kind}s in ${namespace} are selected`);
}

function textsIn(object: KubeObject): ReadonlyMap<string, string> {
  const data: Readonly<Record<string, string>> = object.data ?? {};
  if (object.kind === 'ConfigMap') return new Map(Object.entries(data));
  return new Map(Object.keys(data).map((key) => [key, decoded(object, key) ?? '']));
}

function labelsIn(text: string): readonly string[] {
  return [...text.matchAll(/-----BEGIN ([^-]+)-----/g)].map(([, label = '']) => label);
}
