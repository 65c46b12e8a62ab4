import { posix } from 'node:path';
import type { ImportSpecifier, ModuleItem } from '@swc/core';
import { type Declarations, declarationIn, identifierOf } from './declarations';

/** The place of a declaration. */
export interface Origin {
  /** Path of its file from the root of the project. */
  readonly path: string;
  readonly name: string;
}

/** Something that a module exports. */
export interface Export extends Origin {
  /** True if only its type is exported: users cannot call the constructor or static members of a class. */
  readonly typeOnly?: boolean;
}

export const originKey = ({ path, name }: Origin): string => `${path}#${name}`;

/**
 * Returns the origins of a module's exports by name. An export of `export * as names` has a name such as `names.one`.
 */
export function exportsOf(declarations: Declarations, path: string): ReadonlyMap<string, Export> {
  return new Map(declarations(path).flatMap((item) => exportsIn(item, path, declarations)));
}

function exportsIn(item: ModuleItem, path: string, declarations: Declarations): readonly (readonly [string, Export])[] {
  if (item.type === 'ExportDeclaration') {
    const name = identifierOf(item.declaration).value;
    return [[name, { path, name }]];
  }
  if (item.type === 'ExportAllDeclaration' || item.type.startsWith('ExportDefault'))
    throw new Error(`${path} exports without a name, which the report of the API cannot read`);
  if (item.type !== 'ExportNamedDeclaration') return [];
  const source = item.source === undefined || item.source === null ? path : pathOf(path, item.source.value);
  if (source === undefined) throw new Error(`${path} exports a package's declarations`);
  return item.specifiers.flatMap((specifier): (readonly [string, Export])[] => {
    if (specifier.type === 'ExportNamespaceSpecifier') {
      const members = [...exportsOf(declarations, source)];
      return members.map(([name, origin]) => [`${specifier.name.value}.${name}`, origin] as const);
    }
    if (specifier.type !== 'ExportSpecifier') throw new Error(`${path} has a ${specifier.type}`);
    const origin = originOf(declarations, source, specifier.orig.value);
    if (origin === undefined) throw new Error(`${source} does not declare ${specifier.orig.value}`);
    const typeOnly = item.typeOnly || specifier.isTypeOnly;
    return [[(specifier.exported ?? specifier.orig).value, { ...origin, typeOnly }] as const];
  });
}

/** Returns the origin of a name in a file; undefined for names of packages and of the language. */
export function originOf(declarations: Declarations, path: string, name: string): Origin | undefined {
  for (const item of declarations(path)) {
    const origin = originIn(item, { path, name }, declarations);
    if (origin !== undefined) return origin;
  }
  return undefined;
}

function originIn(item: ModuleItem, wanted: Origin, declarations: Declarations): Origin | undefined {
  const { path, name } = wanted;
  if (item.type === 'ImportDeclaration') {
    const specifier = item.specifiers.find(({ local }) => local.value === name);
    const source = pathOf(path, item.source.value);
    if (specifier === undefined || source === undefined) return undefined;
    return originOf(declarations, source, importedName(specifier));
  }
  if (item.type === 'ExportNamedDeclaration' && item.source) {
    const [, exported] = exportsIn(item, path, declarations).find(([alias]) => alias === name) ?? [];
    return exported && { path: exported.path, name: exported.name };
  }
  const declaration = declarationIn(item);
  return declaration !== undefined && identifierOf(declaration).value === name ? wanted : undefined;
}

const importedName = (specifier: ImportSpecifier): string =>
  specifier.type === 'ImportSpecifier' ? (specifier.imported ?? specifier.local).value : specifier.local.value;

/** Returns undefined for a package. */
function pathOf(from: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? `${posix.join(posix.dirname(from), specifier)}.d.ts` : undefined;
}
