import { chartDefaults, chartSchema } from './chart-values';
import { crdKinds } from './crd';
import type { Definitions } from './json-schema';
import { ENUMERATIONS } from './kubernetes-enumerations';
import { KUBERNETES_KINDS } from './kubernetes-kinds';
import { LOCK_FILE, lockOf } from './lock';
import { type ObjectDocument, objectDocument } from './object-document';
import { kubernetesDocument } from './openapi';
import { serializeData, serializeDefinitions, serializeRecord } from './serialize';
import type { Source } from './source';
import { VALUES_KNOWLEDGE } from './values-knowledge';

/** Content of files, by path below `imports/`. */
export type Files = ReadonlyMap<string, string>;

type File = readonly [path: string, content: string];

const SCHEMA_SUFFIX = '.schema.json';

/** The first step of an import: what upstream says becomes closed schemas and default values. */
export function schemaFiles(sources: readonly Source[]): Files {
  const kubernetes = sources.find((source) => source.type === 'kubernetes');
  if (kubernetes === undefined) throw new Error('cdk8s.yaml: imports has no kubernetes/swagger.json');
  const builtIn = kubernetesDocument(kubernetes.swagger, KUBERNETES_KINDS, ENUMERATIONS);
  const objects = [['kubernetes', builtIn] as const, ...crdDocuments(sources)];
  const charts = chartFiles(sources, builtIn.definitions);
  const index = [
    ...objects.flatMap(([module, { kinds }]) =>
      Object.entries(kinds).map(([kind, name]) => [kind, `${module}#${name}`] as const),
    ),
    ...charts
      .map(([path]) => path)
      .filter(isSchema)
      .map((path) => [moduleOf(path), `${moduleOf(path)}#Values`] as const),
  ];
  return new Map([
    ...objects.map(([module, { definitions }]) => schemaFile(module, definitions)),
    ...charts,
    ['index.json', serializeRecord(Object.fromEntries(index))],
    [LOCK_FILE, serializeRecord(lockOf(sources))],
  ]);
}

/** Tells whether a file below `imports/` is a document of schemas. */
export function isSchema(path: string): boolean {
  return path.endsWith(SCHEMA_SUFFIX);
}

/** A document's path without its suffix, which is that of the module with its types. */
export function moduleOf(path: string): string {
  return path.slice(0, -SCHEMA_SUFFIX.length);
}

function crdDocuments(sources: readonly Source[]): readonly (readonly [module: string, document: ObjectDocument])[] {
  const crds = sources.filter((source) => source.type === 'crd').map(({ crd }) => crd);
  return [...Map.groupBy(crds, ({ group }) => group)].map(
    ([group, ofGroup]) => [`crds/${group}`, objectDocument(ofGroup.flatMap(crdKinds))] as const,
  );
}

function chartFiles(sources: readonly Source[], kubernetes: Definitions): readonly File[] {
  const charts = sources.filter((source) => source.type === 'chart');
  return [...Map.groupBy(charts, ({ release }) => release)].flatMap(([release, files]) => {
    const texts = Object.fromEntries(files.map(({ file, text }) => [file, text]));
    const knowledge = VALUES_KNOWLEDGE[release];
    const values = texts['values.yaml'];
    if (knowledge === undefined || values === undefined) {
      throw new Error(`${release}: an entry in tools/import/values-knowledge.ts and a values.yaml are needed`);
    }
    const appVersion = release.slice(release.indexOf('/') + 1);
    const source = { appVersion, values, schema: texts['values.schema.json'] };
    const dataFile = (name: string, yaml: string): File => [
      `charts/${release}.${name}.json`,
      serializeData(chartDefaults(yaml, appVersion)),
    ];
    const highAvailability = texts['values-ha.yaml'];
    return [
      schemaFile(`charts/${release}`, chartSchema(source, knowledge, kubernetes)),
      dataFile('defaults', values),
      ...(highAvailability === undefined ? [] : [dataFile('ha', highAvailability)]),
    ];
  });
}

function schemaFile(module: string, definitions: Definitions): File {
  return [`${module}${SCHEMA_SUFFIX}`, serializeDefinitions(definitions)];
}
