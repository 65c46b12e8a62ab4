import { importCharts, VALUES } from './chart-files';
import { crdKinds } from './crd';
import type { Definitions } from './json-schema';
import { ENUMERATIONS } from './kubernetes-enumerations';
import { KUBERNETES_KINDS } from './kubernetes-kinds';
import { LOCK_FILE, lockOf } from './lock';
import { type ObjectDocument, objectDocument } from './object-document';
import { kubernetesDocument } from './openapi';
import { serializeDefinitions, serializeRecord } from './serialize';
import type { Source } from './source';

/** Content of files, by path below `imports/`. */
export type Files = ReadonlyMap<string, string>;

type File = readonly [path: string, content: string];

const SCHEMA_SUFFIX = '.schema.json';

/** The first step of an import: upstream's files become closed schemas and default values. */
export function schemaFiles(sources: readonly Source[]): Files {
  const kubernetes = sources.find((source) => source.type === 'kubernetes');
  if (kubernetes === undefined) throw new Error('cdk8s.yaml: imports has no kubernetes/swagger.json');
  const builtIn = kubernetesDocument(kubernetes.swagger, KUBERNETES_KINDS, ENUMERATIONS);
  const objects = [['kubernetes', builtIn] as const, ...crdDocuments(sources)];
  const charts = importCharts(sources, builtIn.definitions);
  const index = [
    ...objects.flatMap(([module, { kinds }]) =>
      Object.entries(kinds).map(([kind, name]) => [kind, `${module}#${name}`] as const),
    ),
    ...charts.map(({ key, module }) => [`charts/${key}`, `${module}#${VALUES}`] as const),
  ];
  return new Map([
    ...objects.map(([module, { definitions }]) => schemaFile(module, definitions)),
    ...charts.flatMap(({ module, definitions, data }) => [
      ...(definitions === undefined ? [] : [schemaFile(module, definitions)]),
      ...data,
    ]),
    ['index.json', serializeRecord(Object.fromEntries(index))],
    [LOCK_FILE, serializeRecord(lockOf(sources))],
  ]);
}

/** Whether a file below `imports/` is a document of schemas. */
export function isSchema(path: string): boolean {
  return path.endsWith(SCHEMA_SUFFIX);
}

/** A document's path without its suffix: the path of the module with its types. */
export function moduleOf(path: string): string {
  return path.slice(0, -SCHEMA_SUFFIX.length);
}

function crdDocuments(sources: readonly Source[]): readonly (readonly [module: string, document: ObjectDocument])[] {
  const crds = sources.filter((source) => source.type === 'crd').map(({ crd }) => crd);
  return [...Map.groupBy(crds, ({ group }) => group)].map(
    ([group, ofGroup]) => [`crds/${group}`, objectDocument(ofGroup.flatMap(crdKinds))] as const,
  );
}

function schemaFile(module: string, definitions: Definitions): File {
  return [`${module}${SCHEMA_SUFFIX}`, serializeDefinitions(definitions)];
}
