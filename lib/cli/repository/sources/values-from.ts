import { isMap, mergeValues, type Value, type Values } from '#base/values';
import { CLI_FINDINGS } from '../../findings';
import { mapsIn } from '../documents';
import { withParameters } from './parameters';
import {
  inside,
  isNamed,
  listAt,
  mapAt,
  type Place,
  placeText,
  type ReadValues,
  refused,
  text,
  valuesInText,
} from './source';

/** Returns the objects in the YAML files of a folder, and the objects that a kustomization.yaml generates from them. */
export function objectsOfFolder(files: ReadonlyMap<string, string>): readonly Values[] {
  const objects = [...files].flatMap(([path, content]) => (/\.ya?ml$/.test(path) ? mapsIn(content) : []));
  return [...objects, ...objects.flatMap((object) => generatedObjects(object, files))];
}

/** Texts by their paths in the folder of a kustomization. */
type TextsByPath = Pick<ReadonlyMap<string, string>, 'get'>;

/** Returns the objects that a kustomization generates. */
export function generatedObjects(kustomization: Values, files: TextsByPath): readonly Values[] {
  const generators = [
    ...listAt(kustomization, 'configMapGenerator').map((generator) => ['ConfigMap', generator] as const),
    ...listAt(kustomization, 'secretGenerator').map((generator) => ['Secret', generator] as const),
  ];
  return generators.flatMap(([kind, generator]): readonly Values[] =>
    isMap(generator) ? [{ ...generatedObject(kind, generator, files), behavior: generator.behavior }] : [],
  );
}

/** Returns the object that a kustomization generates from literals and from files in its folder. */
function generatedObject(kind: 'ConfigMap' | 'Secret', generator: Values, files: TextsByPath): Values {
  const ofFiles = listAt(generator, 'files').flatMap((entry) => {
    const [, key, path = ''] = /^(?:([^=]*)=)?(?:\.\/)?(.*)$/.exec(String(entry)) ?? [];
    const content = files.get(path);
    return content === undefined ? [] : [[key ?? path, content] as const];
  });
  const literals = listAt(generator, 'literals').flatMap((entry) => {
    const [, key, value] = /^([^=]+)=(.*)$/s.exec(String(entry)) ?? [];
    return key === undefined || value === undefined ? [] : [[key, value.replace(/^(["'])(.*)\1$/s, '$2')] as const];
  });
  const { name = '', namespace } = generator;
  return {
    apiVersion: 'v1',
    kind,
    metadata: { name, ...(namespace === undefined ? {} : { namespace }) },
    [kind === 'Secret' ? 'stringData' : 'data']: Object.fromEntries([...ofFiles, ...literals]),
  };
}

/** Whether a HelmRelease among objects reads values from an object. */
export function isReferenced(object: Values, objects: readonly Values[]): boolean {
  return objects
    .filter(({ kind }) => kind === 'HelmRelease')
    .flatMap((release) => listAt(mapAt(release, 'spec'), 'valuesFrom'))
    .some((reference) => isMap(reference) && isNamed(object, reference, undefined));
}

/** Reads the values of `valuesFrom` of a HelmRelease, in order, from the given ConfigMaps and Secrets. */
export function valuesFrom(release: Values, place: Place): ReadValues {
  const { namespace } = mapAt(release, 'metadata');
  const at = inside(place, 'valuesFrom');
  const references = listAt(mapAt(release, 'spec'), 'valuesFrom');
  return references.reduce<ReadValues>(
    ({ values, problems }, reference, index) => {
      const here = inside(at, index);
      const content = isMap(reference) ? contentOf(reference, namespace, place.objects ?? []) : undefined;
      if (content === undefined || !isMap(reference)) {
        const found = CLI_FINDINGS.releaseRefusedElsewhere({ place: placeText(here) });
        return { values, problems: [...problems, found] };
      }
      place.onText?.(content);
      const read = layerOf(reference, content, { values, place: here });
      return { values: read.values, problems: [...problems, ...read.problems] };
    },
    { values: {}, problems: [] },
  );
}

/** With a targetPath, the content is one value. */
function layerOf(
  { targetPath }: Values,
  content: string,
  { values, place }: { readonly values: Values; readonly place: Place },
): ReadValues {
  if (targetPath === undefined || targetPath === null || targetPath === '') {
    const read = valuesInText(content, place);
    return { values: mergeValues(values, read.values), problems: read.problems };
  }
  if (place.template?.test(content)) return refused(CLI_FINDINGS.releaseRefusedTemplate({ place: placeText(place) }));
  const [, , quoted] = /^(["'])(.*)\1$/s.exec(content) ?? [];
  const parameter = { name: targetPath, value: quoted ?? content, forceString: quoted !== undefined };
  return withParameters(values, [parameter], place);
}

/** Returns undefined if the object or its key is missing, or if it is encrypted. */
function contentOf(reference: Values, namespace: Value | undefined, objects: readonly Values[]): string | undefined {
  const { kind, valuesKey } = reference;
  const found = objects.find((object) => object.apiVersion === 'v1' && isNamed(object, reference, namespace));
  if (found === undefined || found.sops !== undefined) return undefined;
  const key = text(valuesKey) ?? 'values.yaml';
  const [data, plain, binary] = ['data', 'stringData', 'binaryData'].map((field) => mapAt(found, field)[key]);
  if (kind === 'Secret') return typeof plain === 'string' ? plain : decoded(data);
  return typeof data === 'string' ? data : decoded(binary);
}

function decoded(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? Buffer.from(value, 'base64').toString('utf8') : undefined;
}
