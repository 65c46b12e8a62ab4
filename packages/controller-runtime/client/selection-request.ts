import { collectionPath, type Resource } from '../objects/resource';
import type { Selection } from './kube-client';

/** A query's parameters; undefined ones are left out. */
export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** Returns a path with its query. */
export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters}`;
}

/** Returns the path of a list or a watch. */
export function selectionPath(resource: Resource, selection: Selection, query: Query): string {
  const { namespace, labelSelector, fieldSelector } = selection;
  return withQuery(collectionPath(resource, namespace), { labelSelector, fieldSelector, ...query });
}

/** Returns the Accept header for whole objects or their metadata only, as a list or, in a watch, one by one. */
export function acceptHeader(selection: Selection, as: 'list' | 'objects'): string {
  if (!selection.metadataOnly) return 'application/json';
  const kind = as === 'list' ? 'PartialObjectMetadataList' : 'PartialObjectMetadata';
  return `application/json;as=${kind};g=meta.k8s.io;v=v1`;
}
