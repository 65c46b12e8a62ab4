import { isSpace } from '../go/unicode';
import type { GoValue } from '../go/values';
import { StructFields } from './struct-fields';

/** A chart that another one declares to depend on. */
export interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly repository: string;
  /** Comma-separated paths of values that enable it. */
  readonly condition: string;
  readonly tags: readonly string[] | undefined;
  readonly enabled: boolean;
  readonly importValues: readonly GoValue[] | undefined;
  readonly alias: string;
}

interface Maintainer {
  readonly name: string;
  readonly email: string;
  readonly url: string;
}

/** The content of Chart.yaml. Missing strings are empty; missing lists and maps are undefined, as nil in Go. */
export interface ChartMetadata {
  readonly name: string;
  readonly home: string;
  readonly sources: readonly string[] | undefined;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[] | undefined;
  readonly maintainers: readonly Maintainer[] | undefined;
  readonly icon: string;
  readonly apiVersion: string;
  readonly condition: string;
  readonly tags: string;
  readonly appVersion: string;
  readonly deprecated: boolean;
  readonly annotations: ReadonlyMap<string, string> | undefined;
  readonly kubeVersion: string;
  readonly dependencies: readonly Dependency[] | undefined;
  readonly type: string;
}

/** Metadata that Helm refuses, in its words (helm.sh/helm/v3/pkg/chart/metadata.go). */
export class MetadataError extends Error {
  override readonly name = 'MetadataError';
}

/**
 * Returns the metadata in a Chart.yaml.
 *
 * @throws FieldError if a field has another type
 * @throws MetadataError if the metadata is not valid
 */
export function readMetadata(document: GoValue, isVersion: (text: string) => boolean): ChartMetadata {
  const fields = StructFields.of(document);
  const text = (name: string) => printable(fields.text(name));
  const metadata: ChartMetadata = {
    name: text('name'),
    home: text('home'),
    sources: textsOf(fields, 'sources'),
    version: fields.text('version'),
    description: text('description'),
    keywords: textsOf(fields, 'keywords'),
    maintainers: fields.has('maintainers') ? fields.structs('maintainers').map(maintainerOf) : undefined,
    icon: text('icon'),
    // Charts of Helm 2 may lack an apiVersion.
    apiVersion: fields.text('apiVersion') || 'v1',
    condition: text('condition'),
    tags: text('tags'),
    appVersion: text('appVersion'),
    deprecated: fields.flag('deprecated'),
    annotations: fields.has('annotations') ? fields.textMap('annotations') : undefined,
    kubeVersion: text('kubeVersion'),
    dependencies: fields.has('dependencies') ? fields.structs('dependencies').map(dependencyOf) : undefined,
    type: fields.text('type'),
  };
  checkMetadata(metadata, isVersion);
  return metadata;
}

function textsOf(fields: StructFields, name: string): readonly string[] | undefined {
  return fields.has(name) ? fields.texts(name).map(printable) : undefined;
}

function maintainerOf(fields: StructFields | undefined): Maintainer {
  if (fields === undefined) throw new MetadataError('maintainers must not contain empty or null nodes');
  const text = (name: string) => printable(fields.text(name));
  return { name: text('name'), email: text('email'), url: text('url') };
}

function dependencyOf(fields: StructFields | undefined): Dependency {
  if (fields === undefined) throw new MetadataError('dependencies must not contain empty or null nodes');
  const text = (name: string) => printable(fields.text(name));
  return {
    name: text('name'),
    version: text('version'),
    repository: text('repository'),
    condition: text('condition'),
    tags: textsOf(fields, 'tags'),
    enabled: fields.flag('enabled'),
    importValues: fields.has('import-values') ? fields.list('import-values') : undefined,
    alias: fields.text('alias'),
  };
}

function checkMetadata(metadata: ChartMetadata, isVersion: (text: string) => boolean): void {
  const { name, version, type } = metadata;
  if (name === '') throw new MetadataError('chart.metadata.name is required');
  if (name.includes('/') || name === '.') throw new MetadataError(`chart.metadata.name "${name}" is invalid`);
  if (version === '') throw new MetadataError('chart.metadata.version is required');
  if (!isVersion(version)) throw new MetadataError(`chart.metadata.version "${version}" is invalid`);
  if (!['', 'application', 'library'].includes(type)) {
    throw new MetadataError('chart.metadata.type must be application or library');
  }
  const names = new Set<string>();
  for (const { name: dependency, alias } of metadata.dependencies ?? []) {
    if (alias !== '' && !/^[a-zA-Z0-9_-]+$/.test(alias)) {
      throw new MetadataError(`dependency "${dependency}" has disallowed characters in the alias`);
    }
    const key = alias || dependency;
    if (names.has(key)) throw new MetadataError(`more than one dependency with name or alias "${key}"`);
    names.add(key);
  }
}

function printable(text: string): string {
  return [...text]
    .map((character) => (isSpace(character) ? ' ' : character))
    .filter((character) => character === ' ' || !/[\p{C}\p{Z}]/u.test(character))
    .join('');
}
