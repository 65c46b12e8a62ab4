import { parseAllDocuments } from 'yaml';
import type { JsonSchema } from './json-schema';
import { type KindSchema, kindSchema } from './kind-schema';
import { closeStructural } from './structural-schema';

/** The part of a CustomResourceDefinition that defines its objects. */
export interface Crd {
  readonly group: string;
  readonly kind: string;
  readonly versions: readonly { readonly name: string; readonly storage: boolean; readonly schema: JsonSchema }[];
}

interface CrdManifest {
  readonly kind?: string;
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly {
      readonly name: string;
      readonly served: boolean;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: JsonSchema };
    }[];
  };
}

/** Reads the first CustomResourceDefinition of a YAML file, which may be a Helm template of one. */
export function parseCrd(text: string): Crd {
  const manifests = parseAllDocuments(withoutTemplating(text)).map((document) => {
    if (document.errors[0] !== undefined) throw document.errors[0];
    return document.toJS() as CrdManifest | null;
  });
  const manifest = manifests.find((candidate) => candidate?.kind === 'CustomResourceDefinition');
  if (manifest === undefined || manifest === null) throw new Error('it contains no CustomResourceDefinition');
  const { group, names, versions } = manifest.spec;
  return {
    group,
    kind: names.kind,
    versions: versions
      .filter(({ served }) => served)
      .map(({ name, storage, schema }) => ({ name, storage, schema: schema.openAPIV3Schema })),
  };
}

/** The closed schemas of a CRD's objects, one per served version, the storage version first. */
export function crdKinds(crd: Crd): readonly KindSchema[] {
  return crd.versions
    .toSorted((a, b) => Number(b.storage) - Number(a.storage))
    .map(({ name, schema }) => kindSchema(`${crd.group}/${name}`, crd.kind, closeStructural(withoutTypeMeta(schema))));
}

/** Linkerd keeps its CRDs as chart templates; the directives only wrap the document and fill in labels. */
function withoutTemplating(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^\s*\{\{.*\}\}\s*$/.test(line))
    .map((line) => line.replace(/\{\{.*?\}\}/g, 'x'))
    .join('\n');
}

function withoutTypeMeta(schema: JsonSchema): JsonSchema {
  const { status: _status, ...properties } = schema.properties ?? {};
  return { ...schema, properties, required: (schema.required ?? []).filter((name) => name !== 'status') };
}
