import { posix } from 'node:path';
import { compilerOptions } from '../tsconfig.json';

/** The names of packages in imports, up to their `*`, and the paths from the root to which they lead. */
const PACKAGES = Object.entries(compilerOptions.paths).map(
  ([name, [path = '']]) => [name.replace('*', ''), posix.normalize(path.replace('*', ''))] as const,
);

/** The folders that have a name in imports. */
export const PACKAGE_FOLDERS = PACKAGES.flatMap(([name, path]) => (name.endsWith('/') ? [path.slice(0, -1)] : []));

/** The path from the root, without its ending, to which an import in a file leads. Undefined for those of Node.js and npm. */
export function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [name, path] =
    PACKAGES.find(([name]) => (name.endsWith('/') ? specifier.startsWith(name) : specifier === name)) ?? [];
  return name === undefined ? undefined : `${path}${specifier.slice(name.length)}`;
}

/** The compiled text of a file with paths where it names packages: only the compiler of this repository knows the names. */
export function withRelativeImports(file: string, text: string): string {
  return text.replace(
    /\b(from |import |import\(|require\()(["'])(#[^"'\n]+)\2/g,
    (_, before: string, quote: string, specifier: string) => {
      const path = pathOf(file, specifier);
      if (path === undefined) throw new Error(`${file} imports ${specifier}, which tsconfig.json does not know.`);
      const relative = posix.relative(posix.dirname(file), path);
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
    },
  );
}
