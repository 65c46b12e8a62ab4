import { posix } from 'node:path';
import { isMap, type Values } from '#base/values';
import { mapsIn } from './documents';
import { RepositoryFiles } from './repository-files';
import { isNamed, listAt, mapAt, text } from './sources/source';

/** `${NAME}` and `${NAME:=default}`, which a Kustomization of Flux replaces. */
export const VARIABLE = /\$\{[A-Za-z_]\w*(?::?[-=?+][^}]*)?\}/;

/** `<NAME>`, which scripts replace. */
export const PLACEHOLDER = /<[A-Z][A-Z0-9_-]*>/;

/** Parts of a text that another program replaces before it is applied. */
export const FILLED = new RegExp(`${VARIABLE.source}|${PLACEHOLDER.source}`);

/** The variables that a Kustomization of Flux replaces in the files below its folder. */
interface Substitution {
  readonly folder: string;
  readonly values: Values;
  /** Whether these files contain all its values, so that other variables have their defaults. */
  readonly isWhole: boolean;
}

/** Returns texts by path, with the variables replaced that Kustomizations of Flux in these texts replace. */
export function withVariables(files: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const all = [...files.values()].some((content) => content.includes('postBuild')) ? substitutionsIn(files) : [];
  if (all.length === 0) return files;
  return new Map(
    [...files].map(([path, content]) => {
      const substitution = content.includes('${') ? substitutionOf(path, all) : undefined;
      return [path, substitution === undefined ? content : replaced(content, substitution)];
    }),
  );
}

function substitutionsIn(files: ReadonlyMap<string, string>): readonly Substitution[] {
  const repository = new RepositoryFiles(files);
  const kustomizations = [...files.values()].flatMap((content) =>
    content.includes('postBuild') ? mapsIn(content).filter(isKustomization) : [],
  );
  const isFrom = kustomizations.some(
    ({ spec }) => isMap(spec) && mapAt(spec, 'postBuild').substituteFrom !== undefined,
  );
  const sources = isFrom
    ? [...files.values()].flatMap((content) => (/ConfigMap|Secret/.test(content) ? mapsIn(content) : []))
    : [];
  return kustomizations.flatMap((object) => {
    const path = text(mapAt(object, 'spec').path);
    const folder = path === undefined ? undefined : repository.folderAt(path);
    return folder === undefined ? [] : [{ folder, ...substitutes(object, sources) }];
  });
}

function isKustomization({ apiVersion, kind }: Values): boolean {
  return kind === 'Kustomization' && String(apiVersion).startsWith('kustomize.toolkit.fluxcd.io/');
}

/** Inline values override the values of objects. */
function substitutes(object: Values, sources: readonly Values[]): Omit<Substitution, 'folder'> {
  const postBuild = mapAt(object, 'spec.postBuild');
  const { namespace } = mapAt(object, 'metadata');
  const layers = listAt(postBuild, 'substituteFrom').map((reference) => {
    const named = isMap(reference) ? sources.filter((one) => isNamed(one, reference, namespace)) : [];
    const [found, another] = named.filter(({ sops, data }) => sops === undefined && data !== null);
    // Several objects with this name may be of different clusters.
    if (found === undefined || another !== undefined) return undefined;
    return mapAt(found, found.kind === 'Secret' ? 'stringData' : 'data');
  });
  return {
    values: Object.assign({}, ...layers, mapAt(postBuild, 'substitute')) as Values,
    isWhole: !layers.includes(undefined),
  };
}

/** Returns the substitution of the innermost folder; undefined if several substitutions differ. */
function substitutionOf(path: string, all: readonly Substitution[]): Substitution | undefined {
  const around = all.filter(({ folder }) => folder === '.' || path.startsWith(`${folder}/`));
  const depth = Math.max(...around.map(({ folder }) => posix.join(folder, '/').length));
  const own = around.filter(({ folder }) => posix.join(folder, '/').length === depth);
  return new Set(own.map((one) => JSON.stringify(one))).size === 1 ? own[0] : undefined;
}

/** An object with this annotation or label keeps its variables. */
const DISABLED = /kustomize\.toolkit\.fluxcd\.io\/substitute["']?\s*:\s*["']?disabled/;

/** Flux replaces variables in the text of an object. */
function replaced(content: string, { values, isWhole }: Substitution): string {
  return content
    .split(/^(?=---)/m)
    .map((document) => (DISABLED.test(document) ? document : document.replaceAll(REFERENCE, filled)))
    .join('');

  function filled(whole: string, name: string, byDefault: string | undefined): string {
    const own = Object.hasOwn(values, name) ? values[name] : undefined;
    if (own === undefined || own === null || own === '') return (isWhole ? byDefault : undefined) ?? whole;
    // A value with line breaks would change line numbers.
    return isMap(own) || `${own}`.includes('\n') ? whole : `${own}`;
  }
}

/** A variable, with its default; `$$` escapes a dollar sign. */
const REFERENCE = /(?<!\$)\$\{([A-Za-z_]\w*)(?::?[-=]([^}]*))?\}/g;
