import { type CollectionTag, parseAllDocuments, type ScalarTag, type Tags } from 'yaml';
import type { KubernetesObject } from '#kubernetes/objects/kubernetes-object';
import { objectKey } from './canonical';

/** Objects by their keys. */
export type Objects = ReadonlyMap<string, KubernetesObject>;

/** Reads the objects in a stream of YAML documents as API servers do. */
export function objectsIn(manifests: string): Objects {
  const objects = parseAllDocuments(manifests, { version: '1.1', customTags: withDigits })
    .map((document) => document.toJS() as KubernetesObject | null)
    .filter((object) => object !== null);
  return new Map(objects.map((object) => [objectKey(object), object]));
}

/** Requires a digit: by the pattern of YAML 1.1, a single point is a number. */
const NUMBER = /^[-+]?(?:[0-9][0-9_]*\.[0-9_]*|\.[0-9][0-9_]*)$/;

function withDigits(tags: Tags): Tags {
  return tags.map((tag) => (isTag(tag) && tag.test?.test('.') ? { ...tag, test: NUMBER } : tag));
}

function isTag(tag: Tags[number]): tag is ScalarTag {
  return typeof tag === 'object' && !isCollection(tag);
}

function isCollection(tag: ScalarTag | CollectionTag): tag is CollectionTag {
  return tag.collection !== undefined;
}
