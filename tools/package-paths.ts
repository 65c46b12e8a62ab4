import { posix } from 'node:path';
import { compilerOptions } from '../tsconfig.json';

/** The names of packages in imports, up to their `*`, with their paths from the root. */
const PACKAGES = Object.entries(compilerOptions.paths).map(
  ([name, [path = '']]) => [name.replace('*', ''), posix.normalize(path.replace('*', ''))] as const,
);

/** The folders that imports can name as packages. */
export const PACKAGE_FOLDERS = PACKAGES.flatMap(([name, path]) => (name.endsWith('/') ? [path.slice(0, -1)] : []));

/** The path from the root, without its ending, of the file that an import names; undefined for Node.js and npm. */
export function pathOf(file: string, specifier: string): string | undefined {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file), specifier);
  const [name, path] =
    PACKAGES.find(([name]) => (name.endsWith('/') ? specifier.startsWith(name) : specifier === name)) ?? [];
  return name === undefined ? undefined : `${path}${specifier.slice(name.length)}`;
}

/** The compiled text of a file with relative paths instead of names of packages, which only tsconfig.json defines. */
export function withRelativeImports(file: string, text: string): string {
  return text.replace(
    /\b(from |import |import\(|require\()(["'])(#[^"'\n]+)\2/g,
    (_, before: string, quote: string, specifier: string) => {
      const path = pathOf(file, specifier);
      if (path === undefined) throw new Error(`${file} imports ${specifier}, which tsconfig.json does not define.`);
      const relative = posix.relative(posix.dirname(file), path);
      return `${before}${quote}${relative.startsWith('.') ? relative : `./${relative}`}${quote}`;
    },
  );
}
