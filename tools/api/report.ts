import type { BindingIdentifier, Declaration } from '@swc/core';
import { type Declarations, declarationIn, identifierOf } from './declarations';
import { withLiteralUnions } from './literal-unions';
import { type Export, exportsOf, type Origin, originKey, originOf } from './origins';
import { visitShownNames } from './shown-names';
import { printed, publicPart } from './signature';

/** An exported name, and its signature. */
export interface Entry {
  readonly name: string;
  /** The module that exports it. */
  readonly module: string;
  /** The section of its kind, or of its namespace. */
  readonly section: string;
  readonly signature: string;
  /** The file of its declarations. */
  readonly path: string;
  /** Absent for generated types. */
  readonly declaration?: Declaration;
  /** Names in the signature that a user cannot import. */
  readonly hidden: readonly string[];
}

const SECTIONS = ['Classes', 'Functions', 'Constants', 'Types', 'Generated types'];

const SECTION_OF: Readonly<Record<string, string>> = {
  ClassDeclaration: 'Classes',
  FunctionDeclaration: 'Functions',
  VariableDeclaration: 'Constants',
};

/** Files with generated types. Their signatures are not repeated, because they follow from pinned sources. */
const GENERATED = /^(imports\/.*)\.d\.ts$/;

/** Returns the entries for all that modules export, given by the paths of their declarations. */
export function entriesOf(declarations: Declarations, modules: Readonly<Record<string, string>>): readonly Entry[] {
  const exported = Object.entries(modules).flatMap(([module, path]) =>
    [...exportsOf(declarations, path)].map(([name, origin]) => ({ module, name, origin })),
  );
  // An export that a namespace also contains is shown by its shorter name.
  const byLength = [...exported].sort((a, b) => b.name.split('.').length - a.name.split('.').length);
  const names = new Map(byLength.map(({ name, origin }) => [originKey(origin), name]));
  return exported.flatMap(({ module, name, origin }) =>
    entriesFor(name, origin, { declarations, names }).map((entry) => ({ module, ...entry })),
  );
}

interface Context {
  readonly declarations: Declarations;
  readonly names: ReadonlyMap<string, string>;
}

function entriesFor(name: string, origin: Export, context: Context): readonly Omit<Entry, 'module'>[] {
  const generated = GENERATED.exec(origin.path)?.[1];
  if (generated !== undefined) {
    const renamed = origin.name === name ? name : `${origin.name} as ${name}`;
    const signature = `import { ${renamed} } from '${generated}';`;
    return [{ name, section: 'Generated types', path: origin.path, signature, hidden: [] }];
  }
  return declared(origin, context.declarations).map((original) => {
    const [ownName = name, namespace] = name.split('.').reverse();
    const typeOf = (constant: string) => constantType(constant, origin.path, context.declarations);
    const declaration = withLiteralUnions(publicPart(original, ownName, origin.typeOnly === true), typeOf);
    const hidden = namePublicly(declaration, origin.path, context);
    const section = namespace ?? (origin.typeOnly ? undefined : SECTION_OF[declaration.type]) ?? 'Types';
    return { name, section, path: origin.path, declaration, signature: printed(declaration), hidden };
  });
}

const declared = ({ path, name }: Origin, declarations: Declarations): readonly Declaration[] =>
  declarations(path)
    .flatMap((item) => declarationIn(item) ?? [])
    .filter((declaration) => identifierOf(declaration).value === name);

function constantType(name: string, path: string, declarations: Declarations): object | undefined {
  const origin = originOf(declarations, path, name);
  const [constant] = origin === undefined ? [] : declared(origin, declarations);
  if (constant?.type !== 'VariableDeclaration') return undefined;
  return (identifierOf(constant) as BindingIdentifier).typeAnnotation?.typeAnnotation;
}

/** Replaces names by public ones, and returns the origins of those without a public name. */
function namePublicly(declaration: Declaration, path: string, { declarations, names }: Context): readonly string[] {
  const hidden = new Set<string>();
  visitShownNames(declaration, (shown) => {
    const origin = originOf(declarations, path, shown.value);
    if (origin === undefined) return;
    const generated = GENERATED.exec(origin.path)?.[1];
    const publicName = names.get(originKey(origin));
    if (publicName === undefined) hidden.add(originKey(origin));
    if (publicName !== undefined) shown.value = publicName;
    else if (generated !== undefined) shown.value = `import('${generated}').${origin.name}`;
  });
  return [...hidden];
}

/** The document of the public API. */
export function apiDocument(entries: readonly Entry[]): string {
  const modules = [...Map.groupBy(entries, ({ module }) => module)];
  const count = (of: readonly Entry[]) => new Set(of.map(({ name }) => name.split('.')[0])).size;
  return [
    '# Public API',
    '',
    'This page lists the exports of each module of the package. `npm run docs` generates it from the declarations of',
    'the build, so its diff shows how a change affects users of the library.',
    '',
    '| module | exports |',
    '| --- | --- |',
    ...modules.map(([module, of]) => `| [\`${module}\`](#${module.replace('/', '')}) | ${count(of)} |`),
    '',
    ...modules.flatMap(([module, of]) => [`## ${module}`, '', ...moduleSections(of)]),
  ].join('\n');
}

function moduleSections(entries: readonly Entry[]): readonly string[] {
  const sorted = [...entries].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  const sections = new Set([...SECTIONS, ...sorted.map(({ section }) => section)]);
  return [...sections].flatMap((section) => {
    const signatures = sorted.filter((entry) => entry.section === section).map(({ signature }) => signature);
    if (signatures.length === 0) return [];
    const between = signatures.some((signature) => signature.includes('\n')) ? '\n\n' : '\n';
    return [`### ${section}`, '', '```ts declarations', signatures.join(between), '```', ''];
  });
}
