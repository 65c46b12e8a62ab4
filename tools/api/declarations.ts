import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { type BindingIdentifier, type Declaration, type Identifier, type ModuleItem, parseSync } from '@swc/core';
import { withRelativeImports } from '../package-paths';

const root = join(__dirname, '..', '..');

const { name, exports: exported } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
};

/** Paths of the declarations of all modules that the package exports, by their names in imports. */
export const MODULES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(exported).flatMap(([path, target]) =>
    typeof target === 'string' ? [] : [[posix.join(name, path), posix.relative('build', target.types)]],
  ),
);

/** The statements of a declaration file, by path from the root of the project. */
export type Declarations = (path: string) => readonly ModuleItem[];

/** Calls a function with the declarations that the build emits into a temporary folder, and their texts. */
export function withDeclarations<T>(use: (declarations: Declarations, textOf: (path: string) => string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'declarations-'));
  try {
    // Without checks, which `npm run lint` does, and in one thread: each thread would load the same declarations.
    const emit = ['-p', 'tsconfig.build.json', '--emitDeclarationOnly', '--noCheck', '--singleThreaded'];
    execFileSync(join(root, 'node_modules/.bin/tsc'), [...emit, '--outDir', folder], { cwd: root, encoding: 'utf8' });
    const textOf = (path: string) => withRelativeImports(path, readFileSync(join(folder, path), 'utf8'));
    return use(declarationsIn(textOf), textOf);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The declarations in texts, each of which is parsed once. */
export function declarationsIn(textOf: (path: string) => string): Declarations {
  const parsed = new Map<string, readonly ModuleItem[]>();
  return (path) => {
    const statements = parsed.get(path) ?? parseSync(textOf(path), { syntax: 'typescript' }).body;
    parsed.set(path, statements);
    return statements;
  };
}

/** Returns what a statement declares, exported or not. */
export function declarationIn(item: ModuleItem): Declaration | undefined {
  const inner = item.type === 'ExportDeclaration' ? item.declaration : item;
  return isDeclaration(inner) ? inner : undefined;
}

const DECLARATIONS: readonly string[] = [
  'ClassDeclaration',
  'FunctionDeclaration',
  'TsEnumDeclaration',
  'TsInterfaceDeclaration',
  'TsModuleDeclaration',
  'TsTypeAliasDeclaration',
  'VariableDeclaration',
] satisfies Declaration['type'][];

const isDeclaration = (item: ModuleItem): item is Declaration => DECLARATIONS.includes(item.type);

/** Returns the identifier that a declaration declares. */
export function identifierOf(declaration: Declaration): Identifier | BindingIdentifier {
  if ('identifier' in declaration) return declaration.identifier;
  const id = declaration.type === 'VariableDeclaration' ? declaration.declarations[0]?.id : declaration.id;
  if (id?.type !== 'Identifier') throw new Error(`a ${declaration.type} without a name`);
  return id as Identifier;
}
